package policy

import (
	"iter"
	"slices"

	"aliquot/cluster"
)

// NoNode returns the reason of a job whose tasks no node may take, with counts of what keeps the nodes from it. An open
// node that the job may use is counted if it has too little for a task, be it only beside the promises in force there.
func NoNode(v *cluster.View, j *cluster.Job, tasks int) cluster.Reason {
	var nodes, cordoned, draining, excluded, storeless int64
	var unreachable, stalled, silent, down, returning int64
	var serviced, unlimited, small, promised, holder, until, diskless int64
	var back cluster.Time      // from the first of them
	var first *cluster.Promise // to end
	may, platform := v.Allowing(j), PlatformOf(j)
	for n := range v.Nodes() {
		nodes++
		switch {
		case v.LacksLimit(n, j.Spec):
			unlimited++
		case j.Spec.BootsDisk && n.Description.Diskless:
			diskless++
		case !v.Allows(n, j.Spec, platform):
			excluded++
		case tooSmall(v, j, described(n)):
			small++
		case n.Health == cluster.Down:
			down++
		case n.Health == cluster.Silent:
			silent++
		case n.Unlinked != 0:
			unreachable++
		case n.HypervisorSilent:
			stalled++
		case n.Awaited != 0:
			returning++
		case n.InMaintenance() != nil:
			serviced++
			if until := n.InMaintenance().Until; back == 0 || until < back {
				back = until
			}
		case n.Draining:
			draining++
		case n.Cordoned:
			cordoned++
		case v.Condition(n) != cluster.NodeOpen:
			storeless++
		case !may(n):
			excluded++
		case tooSmall(v, j, n.Capacity()):
			p := lastKept(v, n.ID)
			if p == nil {
				small++
				continue
			}
			promised++
			if first == nil || p.Until < first.Until {
				first = p
			}
		}
	}
	away := unreachable + stalled + silent + down + returning
	if first != nil {
		holder, until = int64(first.Job), int64(first.Until)
	}
	values := []int64{int64(tasks), nodes, cordoned, draining, away, excluded, storeless, unreachable, stalled, silent,
		down, returning, serviced, int64(back), unlimited, small, promised, holder, until, diskless}
	const usual = 12 // later ones are left out if they are zero
	for len(values) > usual && values[len(values)-1] == 0 {
		values = values[:len(values)-1]
	}
	return cluster.Reason{Code: cluster.WhyNoNode, Values: values}
}

// described returns what the node offers if nothing is kept from jobs there.
func described(n *cluster.Node) cluster.Offer {
	return cluster.Offer{CPU: n.Description.CPU, Memory: n.Description.Memory}
}

// tooSmall reports whether a node with that offer could never take a task of the job.
func tooSmall(v *cluster.View, j *cluster.Job, o cluster.Offer) bool {
	return o.Memory < v.Charge(j.Spec) || o.CPU < j.Spec.MinShare()
}

// lastKept returns the promise in force on the node that ends last, or nil.
func lastKept(v *cluster.View, n cluster.NodeID) (last *cluster.Promise) {
	for _, p := range v.Kept() {
		if slices.Contains(p.Nodes, n) && (last == nil || p.Until > last.Until) {
			last = p
		}
	}
	return last
}

// NoMemory returns the reason of a job for whose tasks the nodes have too little memory left: fit of the tasks find
// room. It counts the nodes that are large enough for one and take no new VMs now.
func NoMemory(v *cluster.View, j *cluster.Job, tasks, fit int) cluster.Reason {
	return lacking(cluster.WhyNoMemory, int64(v.Charge(j.Spec)), int64(fit), int64(tasks), shut(v, j), spread(j, tasks))
}

// ShareUsed returns the same reason for a job whose owner has used their part of the cluster.
func ShareUsed(v *cluster.View, j *cluster.Job, tasks, fit int, part float64) cluster.Reason {
	return lacking(cluster.WhyShareUsed, int64(v.Charge(j.Spec)), int64(fit), int64(tasks), int64(1000*part), shut(v, j),
		spread(j, tasks))
}

// NoCPU returns the reason of a job for whose tasks the nodes have less CPU left than the least share. A part of more
// than 0 is that of its owner, which is used.
func NoCPU(v *cluster.View, j *cluster.Job, tasks, fit int, part float64) cluster.Reason {
	return lacking(cluster.WhyNoCPU, int64(j.Spec.MinShare()), int64(fit), int64(tasks), int64(1000*part), shut(v, j),
		spread(j, tasks))
}

// lacking returns a reason with its first three values, and of the others those up to the last that is not zero.
func lacking(code cluster.ReasonCode, values ...int64) cluster.Reason {
	for len(values) > 3 && values[len(values)-1] == 0 {
		values = values[:len(values)-1]
	}
	return cluster.Reason{Code: code, Values: values}
}

// spread returns 1 if several tasks have to be on nodes of their own.
func spread(j *cluster.Job, tasks int) int64 {
	if tasks > 1 && j.Spec.Placement.Spread {
		return 1
	}
	return 0
}

// News returns the reasons that differ from those that the jobs have.
func News(v *cluster.View, reasons iter.Seq[cluster.Reason]) iter.Seq[cluster.Reason] {
	return func(tell func(cluster.Reason) bool) {
		for r := range reasons {
			if old := v.Job(r.Job).Why; (old.Code != r.Code || !slices.Equal(old.Values, r.Values)) && !tell(r) {
				return
			}
		}
	}
}

// Both yields the reasons of two parts of a decision, one after the other. Either may be nil.
func Both(first, second iter.Seq[cluster.Reason]) iter.Seq[cluster.Reason] {
	return func(tell func(cluster.Reason) bool) {
		for _, part := range []iter.Seq[cluster.Reason]{first, second} {
			if part == nil {
				continue
			}
			for r := range part {
				if !tell(r) {
					return
				}
			}
		}
	}
}
