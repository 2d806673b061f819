package check

import (
	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// initials returns the initial positions of jobs that existed before the stream, as spans without length. The span of a
// paused job has no share. A job counts as paused if, in the stream's order, the nodes have no room for its placement.
func initials(setup sim.Setup, jobs []workload.Job) map[int64]sim.Span {
	given, spans := make([]sim.Node, len(setup.Nodes)), map[int64]sim.Span{}
	for _, j := range jobs {
		b, before := setup.Initials[j.ID]
		if !before || b.Placement == nil && !b.Saved {
			continue
		}
		spans[j.ID] = sim.Span{Nodes: []cluster.NodeID{}}
		if b.Placement != nil && fits(setup.Nodes, given, j, b.Placement) {
			spans[j.ID] = sim.Span{Nodes: b.Placement.Nodes, Share: b.Placement.Cap}
		}
	}
	return spans
}

// fits reserves the job's placement and reports whether the nodes have room for it. Without room it reserves nothing.
func fits(nodes, given []sim.Node, j workload.Job, p *cluster.Placement) bool {
	fit, sign := true, 1
	for range 2 {
		for _, id := range p.Nodes {
			at, has := &given[id-1], nodes[id-1]
			at.CPU += cluster.CPU(sign) * p.Guaranteed
			at.Memory += cluster.Bytes(sign) * j.Memory
			fit = fit && at.CPU <= has.CPU && at.Memory <= has.Memory
		}
		if fit {
			return true
		}
		sign = -1 // undo the reservation
	}
	return false
}
