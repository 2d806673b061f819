package policytest

import (
	"fmt"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
)

// decideLawfully adopts the policy's decision on the pending occasion, if there is one, and fails if it breaks a law.
func (w *World) decideLawfully(promises ...Promise) {
	w.t.Helper()
	all := w.Snapshot(w.Clock)
	v := all.View()
	if v.Pending().Empty() {
		return
	}
	before := all.Hash()
	d := w.Policy.Decide(v)
	if again := w.Policy.Decide(v); describe(d.Target) != describe(again.Target) || !slices.Equal(d.Alarms, again.Alarms) {
		w.t.Fatalf("the same view gave\n%s\nand then\n%s", describe(d.Target), describe(again.Target))
	}
	if all.Hash() != before {
		w.t.Fatalf("the view was changed by deciding")
	}
	if !slices.Equal(d.Alarms, cluster.NewAgenda(d.Alarms)) || slices.ContainsFunc(d.Alarms, func(a cluster.Alarm) bool {
		return a.At <= v.At
	}) {
		w.t.Fatalf("at %d it asks for the alarms %v", v.At, d.Alarms)
	}
	for id, p := range d.Target.All() {
		if err := lawful(v, v.Job(id), p); err != nil {
			w.t.Fatalf("%v, %+v: %v", id, p, err)
		}
	}
	w.checkSums(v, d)
	w.checkStops(v, d)
	for _, broken := range promises {
		if err := broken(v, d); err != nil {
			w.t.Fatalf("decided\n%sbut %v", describe(d.Target), err)
		}
	}
	w.adopt(v, d)
	if err := w.Check(); err != nil {
		w.t.Fatalf("%v", err)
	}
	if got, want := describe(w.TargetAll()), describe(usable(v, d.Target)); got != want && len(d.Refuse) == 0 {
		w.t.Fatalf("decided\n%s\nadopted\n%s", want, got)
	}
	w.checkQuiet()
}

// usable returns the allocation without the parts of caps that tasks cannot use on slow nodes.
func usable(v *cluster.View, a cluster.Allocation) cluster.Allocation {
	a = a.Clone()
	for id, p := range a.Since(v.TargetAll()) {
		if p[1] != nil {
			u := *p[1]
			u.Grant = v.Grant(v.Job(id), p[1])
			a.Set(id, &u)
		}
	}
	return a
}

// lawful returns what is wrong with a job's new placement.
func lawful(v *cluster.View, j *cluster.Job, p *cluster.Placement) error {
	if j == nil || !slices.ContainsFunc(slices.Collect(v.Candidates()), func(c *cluster.Job) bool { return c == j }) {
		return fmt.Errorf("is no candidate")
	}
	old := v.Mapped(j.ID)
	if p == v.Target(j.ID) {
		if old == nil && allPausable(v) {
			return fmt.Errorf("stays on a node that it has to leave")
		}
		return nil
	}
	if old == nil && !allPausable(v) {
		old = v.Target(j.ID) // the job may have to stay
	}
	if len(p.Nodes) != j.Live() {
		return fmt.Errorf("%d of its %d tasks are placed", len(p.Nodes), j.Live())
	}
	if p.Cap < j.Spec.MinShare() || p.Cap > j.Spec.Need {
		return fmt.Errorf("its share must be from %v to %v", j.Spec.MinShare(), j.Spec.Need)
	}
	if j.Spec.MinYield > 0 && p.Guaranteed < j.Spec.MinShare() {
		return fmt.Errorf("it must be sure of %v, its floor", j.Spec.MinShare())
	}
	if !p.Suits(j.Spec.Need) {
		return fmt.Errorf("the guaranteed part must be from 0 to its share, and 0 in the background")
	}
	had := map[cluster.NodeID]int{}
	if old != nil {
		for _, n := range old.Nodes {
			had[n]++
		}
	}
	has := map[cluster.NodeID]int{}
	for _, id := range p.Nodes {
		has[id]++
		if has[id] <= had[id] {
			continue // the job stays
		}
		n := v.Node(id)
		switch {
		case n == nil || !v.Allowing(j)(n):
			return fmt.Errorf("may not be placed on node %d", id)
		case v.Condition(n) == cluster.NodeClosed && has[id] > there(v, j, id):
			return fmt.Errorf("may not have %d tasks on node %d, which takes no new VMs", has[id], id)
		case !v.Allows(n, j.Spec, ""):
			return fmt.Errorf("asks for a name, a label, a network, a limit of its card or a least yield that node %d does not give", id)
		case j.Spec.Placement.Spread && has[id] > 1:
			return fmt.Errorf("is to be spread")
		}
	}
	return nil
}

// there returns how many of the job's tasks the node has, by the adopted decision or in fact, or will have when the
// migrations under way have ended.
func there(v *cluster.View, j *cluster.Job, id cluster.NodeID) int {
	held, present := 0, 0
	if p := v.Target(j.ID); p != nil {
		held = len(slices.DeleteFunc(slices.Clone(p.Nodes), func(n cluster.NodeID) bool { return n != id }))
	}
	for i, t := range j.Tasks {
		at := t.Node
		if t.Present() && !v.Stuck(j) {
			at = cluster.Bound(v, cluster.TaskID{Job: j.ID, Index: i})
		}
		if t.Present() && at == id {
			present++
		}
	}
	return max(held, present)
}

// allPausable reports whether the store has room for all jobs at once.
func allPausable(v *cluster.View) bool {
	var saves cluster.Bytes
	for j := range v.Candidates() {
		saves += v.Saving(j)
	}
	return saves == 0 || saves <= v.Spare()
}

// pausable reports whether the job may lose its placement and keep its work: nothing of it runs, or there is a store
// with room for its images.
func pausable(v *cluster.View, j *cluster.Job) bool {
	saves := v.Saving(j)
	return saves == 0 || saves <= v.StoreRoom()
}

// checkSums fails if a node is promised more than it has, unless it already was and the promise did not grow.
func (w *World) checkSums(v *cluster.View, d policy.Decision) {
	w.t.Helper()
	sums := map[cluster.NodeID]cluster.Load{}
	for id, p := range d.Target.All() {
		for _, n := range p.Nodes {
			s := v.Job(id).Spec
			sums[n] = sums[n].Plus(p.Grant, s, v.Charge(s), 1)
		}
	}
	for n := range v.Nodes() {
		if c, l := n.Capacity(), sums[n.ID]; !l.Fits(c, n.Load) {
			w.t.Fatalf("node %d offers %+v, is promised %+v, was promised %+v", n.ID, c, l, n.Load)
		}
	}
}

// checkStops fails if a job stops that cannot be paused, if the paused jobs together need more store space than there
// is, or if a stuck job moves.
func (w *World) checkStops(v *cluster.View, d policy.Decision) {
	w.t.Helper()
	var saves cluster.Bytes
	for j := range v.Candidates() {
		old, p := v.Mapped(j.ID), d.Target.Get(j.ID)
		switch {
		case old == nil:
		case p == nil && !pausable(v, j):
			w.t.Fatalf("%v stops but cannot be paused", j.ID)
		case p == nil:
			saves += v.Saving(j)
		}
		if old != nil && v.Stuck(j) && (p == nil || places(p) != places(old)) {
			w.t.Fatalf("%v is stuck on %s but is to hold %+v", j.ID, places(old), p)
		}
	}
	if saves > max(0, v.Spare()) {
		w.t.Fatalf("jobs stop that need %v of store, there are %v to spare", saves, v.Spare())
	}
}

// checkQuiet fails if deciding again without news changes the adopted decision.
func (w *World) checkQuiet() {
	w.t.Helper()
	v := w.Look()
	if !v.Pending().Empty() {
		return
	}
	for id, p := range w.Policy.Decide(v).Target.All() {
		if p != v.Target(id) {
			w.t.Fatalf("%v holds %+v, and by the next decision, without an occasion, %+v", id, v.Target(id), p)
		}
	}
}

// describe writes an allocation down, regardless of which task is where.
func describe(a cluster.Allocation) string {
	var b strings.Builder
	for id, p := range a.All() {
		fmt.Fprintf(&b, "%v: %+v on %s\n", id, p.Grant, places(p))
	}
	return b.String()
}

func places(p *cluster.Placement) string {
	nodes := slices.DeleteFunc(slices.Sorted(slices.Values(p.Nodes)), func(n cluster.NodeID) bool { return n == 0 })
	return fmt.Sprint(nodes)
}
