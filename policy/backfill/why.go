package backfill

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// refuse refuses a job that can never run, and reports whether it did: a job without an estimate where starts are
// promised, or one with more tasks than there are nodes, up or not, that could take one.
func (d *decision) refuse(j *cluster.Job) bool {
	if policy.Begun(j) {
		return false
	}
	if d.promises > 0 && d.view.Forecast(j).Processing == 0 {
		d.Refuse(j, cluster.WhyNoEstimate)
		return true
	}
	able, wide := d.tooWide(j)
	if wide {
		d.Refuse(j, d.either(cluster.WhyTooFewNodes, cluster.WhyTooFewCores), int64(able), int64(j.Live()))
	}
	return wide
}

// tooWide reports whether the job has more tasks than the nodes, up or not, could ever take together, and how many
// these could take.
func (d *decision) tooWide(j *cluster.Job) (able int, wide bool) {
	nodes := 0
	if d.packs {
		able, nodes = d.possibleOnCores(j)
	} else {
		able = d.possible(j)
		nodes = able
	}
	return able, nodes > 0 && able < j.Live()
}

// possible returns the number of nodes that could take a task of the job if they were up and free.
func (d *decision) possible(j *cluster.Job) (count int) {
	charge, least, platform := d.view.Charge(j.Spec), j.Spec.MinShare(), policy.PlatformOf(j)
	if d.known > 0 && charge <= d.least.Memory && least <= d.least.CPU && !j.Spec.Choosy() && platform == "" {
		return d.known
	}
	for n := range d.view.Nodes() {
		if d.view.Allows(n, j.Spec, platform) && n.Description.Memory >= charge && n.Description.CPU >= least {
			count++
		}
	}
	return count
}

// stranded records why a job that has run can never go on, and reports whether that is so: it began under another
// policy, or with nodes that are gone or smaller now. It is not ended, and holds up no other.
func (d *decision) stranded(j *cluster.Job, able int) bool {
	if !policy.Begun(j) || able >= j.Live() {
		return false
	}
	ever, wide := d.tooWide(j)
	switch {
	case ever >= j.Live():
		return false
	case !wide:
		d.Explain(j, cluster.WhyNoNode, policy.NoNode(d.view, j, j.Live()).Values...)
	default:
		d.Explain(j, d.either(cluster.WhyTooFewNodes, cluster.WhyTooFewCores), int64(ever), int64(j.Live()))
	}
	return true
}

// explainWait records why a job waits: how many nodes could ever run it, and its promised start, if any.
func (d *decision) explainWait(r *request, able int, promised cluster.Time) {
	if !d.Explains {
		return
	}
	ready := d.ready(r)
	switch {
	case able == 0:
		d.Explain(r.Job, cluster.WhyNoNode, policy.NoNode(d.view, r.Job, r.tasks).Values...)
	case promised == d.now+next:
		job, others := d.awaited(r, promised)
		d.Explain(r.Job, d.either(cluster.WhyOverdue, cluster.WhyOverdueCores), int64(ready), int64(r.tasks),
			int64(job), others)
	case promised != never:
		wait := (promised - r.Submitted + cluster.Second - 1) / cluster.Second
		job, others := d.awaited(r, promised)
		d.Explain(r.Job, d.either(cluster.WhyPromised, cluster.WhyPromisedCores), int64(ready), int64(r.tasks), int64(wait),
			int64(job), others)
	case ready < r.tasks || d.head == 0:
		d.Explain(r.Job, d.either(cluster.WhyNoFreeNode, cluster.WhyNoFreeCores), int64(ready), int64(r.tasks))
	default:
		d.Explain(r.Job, cluster.WhyWouldDelay, int64(d.head))
	}
}

// awaited returns the first job that is expected to end at that time on a node that the job may use, and the number of
// the others.
func (d *decision) awaited(r *request, at cluster.Time) (first cluster.JobID, others int64) {
	i, _ := slices.BinarySearchFunc(d.releases, at, func(e release, at cluster.Time) int { return cmp.Compare(e.at, at) })
	for ; i < len(d.releases) && d.releases[i].at == at; i++ {
		e := d.releases[i]
		switch {
		case !slices.ContainsFunc(e.placement.Nodes, func(n cluster.NodeID) bool { return d.may(r, &d.sites[n], at) }):
		case first == 0:
			first = e.job.ID
		default:
			others++
		}
	}
	return first, others
}

// either returns nodes if tasks take whole nodes, and cores if they take cores.
func (d *decision) either(nodes, cores cluster.ReasonCode) cluster.ReasonCode {
	if d.packs {
		return cores
	}
	return nodes
}
