package tiered

import (
	"fmt"
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
)

// usual is the policy with its usual parameters and a short period.
var usual = Attained{period: cluster.Minute, pay: usualPay}

func TestAttainedKeepsTheLaws(t *testing.T) {
	policytest.Check(t, usual, oneTaskPerTier, bindsTasks, partsTasks, losesItsPlaceOnlyToOthers, youngKeepTheirPlaces,
		saysWhatItDecides)
}

func TestAttainedKeepsTheLawsWithJobsOfAllClasses(t *testing.T) {
	policytest.CheckClasses(t, usual, oneTaskPerTier, backgroundJobsStayBelow)
}

func TestAttainedKnowsNoEstimates(t *testing.T) { policytest.CheckBlind(t, usual) }

// losers yields the jobs that the decision takes from the foreground although they could stay.
func losers(v *cluster.View, d policy.Decision) (ids []cluster.JobID) {
	for id, p := range v.TargetAll().All() {
		if now := d.Target.Get(id); p.Tier == cluster.Foreground && v.Mapped(id) != nil &&
			(now == nil || now.Tier == cluster.Background) {
			ids = append(ids, id)
		}
	}
	return ids
}

// losesItsPlaceOnlyToOthers checks that a job leaves the foreground only where another comes to one of its nodes, or
// one of them had more foreground tasks than it has processors, because it had more of them before.
func losesItsPlaceOnlyToOthers(v *cluster.View, d policy.Decision) error {
	for _, id := range losers(v, d) {
		taken := false
		for other, p := range d.Target.All() {
			taken = taken || p.Tier == cluster.Foreground && fresh(v, d, other) && above(p, v.Target(id))
		}
		for _, n := range v.Target(id).Live().Nodes {
			taken = taken || foregroundTasks(v, n) > v.Node(n).Description.Slots()
		}
		if !taken {
			return fmt.Errorf("%v loses its place to nobody", id)
		}
	}
	return nil
}

// above reports whether the placements have a node in common.
func above(a, b *cluster.Placement) bool {
	return slices.ContainsFunc(a.Nodes, func(n cluster.NodeID) bool { return n != 0 && slices.Contains(b.Nodes, n) })
}

// foregroundTasks counts the tasks that are placed in the foreground of the node.
func foregroundTasks(v *cluster.View, n cluster.NodeID) (count int) {
	for _, p := range v.TargetAll().All() {
		for _, s := range slots(p) {
			if s.node == n && p.Tier == cluster.Foreground {
				count++
			}
		}
	}
	return count
}

// backgroundJobsStayBelow checks that no background job comes to the foreground.
func backgroundJobsStayBelow(v *cluster.View, d policy.Decision) error {
	for id, p := range d.Target.All() {
		if v.Job(id).Spec.Class == cluster.BackgroundClass && p.Tier == cluster.Foreground && fresh(v, d, id) {
			return fmt.Errorf("%v is in the foreground", id)
		}
	}
	return nil
}

// saysWhatItDecides checks that a decision that explains is the same, and that every job that waits has a reason.
func saysWhatItDecides(v *cluster.View, decided policy.Decision) error {
	d := begin(v, rule{way: migrate}, v.Pending())
	defer d.end()
	d.Explains = true
	usual.contest(d)
	for j := range v.Candidates() {
		if a, b := decided.Target.Get(j.ID), d.Target.Get(j.ID); !a.Equal(b) {
			return fmt.Errorf("%v holds %+v, but %+v where it is explained", j.ID, a, b)
		}
		told := slices.ContainsFunc(d.Reasons, func(r cluster.Reason) bool { return r.Job == j.ID })
		if d.Target.Get(j.ID) == nil && !told && j.Why.Code == cluster.WhyNotDecided && !d.Refused(j.ID) {
			return fmt.Errorf("%v waits for no reason", j.ID)
		}
	}
	return nil
}

func TestAPlaceIsWorthMoreToJobsThatHaveHadLess(t *testing.T) {
	hour := cluster.Hour
	for _, falling := range [][]uint64{
		{worth(hour, 0, 1), worth(hour, cluster.Second, 1), worth(hour, cluster.Minute, 1), worth(hour, hour, 1),
			worth(hour, 1_000_000*hour, 1)},
		{worth(3*hour, hour, 1), worth(2*hour, hour, 1), worth(hour, hour, 1)},
		{worth(hour, hour, 1), worth(hour, hour, 2), worth(hour, hour, 3), worth(hour, hour, 1000)},
	} {
		for i := range falling[1:] {
			if falling[i+1] >= falling[i] {
				t.Errorf("%v does not fall", falling)
			}
		}
	}
	if worth(cluster.Second, hour, 4) != worth(briefest, hour, 1)/2 {
		t.Error("a square root is not one")
	}
}

// youngKeepTheirPlaces checks that a job that has not done enough work to be moved loses its place only where an
// earlier one comes to the foreground. Its nodes may go to a third.
func youngKeepTheirPlaces(v *cluster.View, d policy.Decision) error {
	for _, id := range losers(v, d) {
		j, c := v.Job(id), v.Cost(v.Job(id))
		if max(c.ResumeTime, c.MoveTime)*cluster.Time(c.Moves+1)*10 <= j.VirtualTime(v.At) {
			continue
		}
		earlier := false
		for other, p := range d.Target.All() {
			earlier = earlier || other < id && p.Tier == cluster.Foreground && fresh(v, d, other)
		}
		if !earlier {
			return fmt.Errorf("%v, which is young, loses its place", id)
		}
	}
	return nil
}

// halfCordoned returns two nodes of one core under the policy, on the first of which j1 has run for ten minutes. The
// second is cordoned.
func halfCordoned(t *testing.T) *policytest.World {
	w := policytest.NewWorld(t, usual)
	for _, name := range []string{"n1", "n2"} {
		w.Join(name, cluster.Description{CPU: 1000, Memory: cluster.Bytes(1024) * cluster.MiB})
	}
	w.Do(cluster.SetNode{Node: 2, Want: cluster.Cordon})
	w.Submit(full(1, 0))
	w.Decide()
	w.Settle()
	w.Clock += 10 * cluster.Minute
	return w
}

func TestAJobThatNoOpenNodeSuitsKeepsNobodyOut(t *testing.T) {
	w := halfCordoned(t)
	pinned := full(1, 0)
	pinned.Placement.Nodes = []string{"n2"}
	w.Submit(pinned)
	w.Decide()
	w.Submit(full(1, 0))
	w.Decide()
	if p := w.Target(3); p == nil || p.Tier != cluster.Foreground {
		t.Errorf("j3 holds %+v", p)
	}
	if why := w.Job(2).Why; why.Code != cluster.WhyNoNode {
		t.Errorf("j2 waits because %+v", why)
	}
}

func TestAJobThatSomeNodesSuitDisplacesTheJobsThere(t *testing.T) {
	w := halfCordoned(t)
	w.Do(cluster.SetNode{Node: 2, Want: cluster.Uncordon})
	w.Submit(full(1, 0)) // it has run for less than j1
	w.Decide()
	w.Settle()
	w.Clock += 5 * cluster.Minute
	pinned := full(1, 0)
	pinned.Placement.Nodes = []string{"n1"}
	w.Submit(pinned)
	w.Decide()
	on := func(job cluster.JobID, node cluster.NodeID) bool {
		p := w.Target(job)
		return p != nil && p.Tier == cluster.Foreground && p.Nodes[0] == node
	}
	if !on(3, 1) || !on(2, 2) {
		t.Errorf("j2 holds %+v, j3 holds %+v", w.Target(2), w.Target(3))
	}
}
