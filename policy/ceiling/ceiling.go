// Package ceiling says how high the least yield of a target could be at most, so that a plan can be shown with what it
// leaves to be wished for. It decides nothing.
//
// The bound is that of package packing/study/bound for the jobs that hold something on nodes that are up, where each task could
// go to any node that is allowed to its job, and to any where the job is or is to be. Invariant: a pure function of the view.
//
// Reference: docs/packing.md.
package ceiling

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
	"aliquot/packing/study/bound"
)

// Yield bounds, from 0 to 1, the least yield that the jobs of the target could all have at once, wherever their tasks
// were. It is false if nobody holds anything, or they hold more memory than there is.
func Yield(v *cluster.View) (yield float64, ok bool) {
	p, places := &packing.Problem{}, newPlaces(v)
	for _, n := range places.nodes {
		offer := v.Offer(n)
		p.Nodes = append(p.Nodes, packing.Node{CPU: float64(offer.CPU), Rigid: []float64{float64(offer.Memory)}})
	}
	var kept []int
	for id, held := range v.TargetAll().All() {
		spec, nodes := v.Job(id).Spec, held.Nodes
		if slices.Contains(nodes, 0) { // of tasks that have ended
			nodes = slices.DeleteFunc(slices.Clone(nodes), func(n cluster.NodeID) bool { return n == 0 })
		}
		if len(nodes) == 0 || !places.up(nodes) {
			continue // the bound of the others is one of all
		}
		kept = append(kept, len(p.Items))
		p.Items = append(p.Items, packing.Item{
			Count: len(nodes), Need: float64(spec.Need), MinCPU: float64(spec.MinShare()), Rigid: []float64{float64(v.Charge(spec))},
			Allowed: places.allowed(v.Job(id), nodes), Spread: spec.Placement.Spread && distinct(nodes), Label: uint64(id),
		})
	}
	if len(kept) == 0 || p.Validate() != nil {
		return 0, false
	}
	b := bound.Of(p, kept)
	return b.Level, !b.Impossible
}

func distinct(nodes []cluster.NodeID) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(nodes)))) == len(nodes)
}
