// Package ceiling computes an upper bound on the least yield of a target, so that a plan can be shown with the
// possible improvement. It decides nothing.
//
// The bound is that of package packing/study/bound. It covers the jobs that hold something on nodes that are up. Each
// task may go to any node that is allowed to its job, and to any node where the job is or will be. Invariant: a pure
// function of the view.
//
// Reference: docs/packing.md.
package ceiling

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
	"aliquot/packing/study/bound"
)

// Yield returns an upper bound, from 0 to 1, on the least yield that all standard jobs of the target could have at
// once, wherever their tasks ran. ok is false if no job holds anything, or if the jobs hold more memory than there is.
func Yield(v *cluster.View) (yield float64, ok bool) {
	p, places := &packing.Problem{}, newPlaces(v)
	for _, n := range places.nodes {
		offer := n.Offer()
		p.Nodes = append(p.Nodes, packing.Node{CPU: float64(offer.CPU), Rigid: []float64{float64(offer.Memory)}})
	}
	var kept []int
	for id, held := range v.TargetAll().All() {
		spec, nodes := v.Job(id).Spec, held.Nodes
		if slices.Contains(nodes, 0) { // 0 is the node of a task that has ended
			nodes = slices.DeleteFunc(slices.Clone(nodes), func(n cluster.NodeID) bool { return n == 0 })
		}
		if len(nodes) == 0 || !places.up(nodes) || spec.Class != cluster.StandardClass {
			continue // without the job, the bound is still valid for the others
		}
		kept = append(kept, len(p.Items))
		p.Items = append(p.Items, packing.Item{
			Count: len(nodes), Need: float64(spec.Need), MinCPU: float64(spec.MinShare()),
			Rigid:   []float64{float64(v.Charge(spec))},
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
