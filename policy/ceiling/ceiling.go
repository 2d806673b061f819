// Package ceiling says how high the least yield of a target could be at most, so that a plan can be shown with what it
// leaves to be wished for. It decides nothing.
//
// The bound is that of package packing/bound for the jobs that hold something, on all nodes that are up, as if
// every task could go to each of them; so it holds for whatever restricts them too. Invariant: a pure function of the view.
//
// Reference: docs/packing.md.
package ceiling

import (
	"aliquot/cluster"
	"aliquot/packing"
	"aliquot/packing/bound"
)

// Yield bounds, from 0 to 1, the least yield that the jobs of the target could all have at once, wherever their tasks
// were. It is false if nobody holds anything, or they hold more memory than there is.
func Yield(v *cluster.View) (yield float64, ok bool) {
	p := &packing.Problem{}
	for n := range v.Nodes() {
		if offer := v.Offer(n); offer != (cluster.Offer{}) {
			p.Nodes = append(p.Nodes, packing.Node{CPU: float64(offer.CPU), Rigid: []float64{float64(offer.Memory)}})
		}
	}
	var kept []int
	for id, held := range v.TargetAll().All() {
		spec := v.Job(id).Spec
		kept = append(kept, len(p.Items))
		p.Items = append(p.Items, packing.Item{
			Count: len(held.Nodes), Need: float64(spec.Need), MinCPU: float64(spec.MinShare()), Rigid: []float64{float64(v.Charge(spec))},
			Label: uint64(id),
		})
	}
	if len(kept) == 0 || p.Validate() != nil {
		return 0, false
	}
	b := bound.Of(p, kept)
	return b.Level, !b.Impossible
}
