package check

import (
	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// initials are what jobs held when the stream began that were there before, as spans without length: without a share if
// they were paused. Where there is no room for what they are said to hold, by the order of the stream, they were.
func initials(setup sim.Setup, jobs []workload.Job) map[int64]sim.Span {
	given, spans := make([]sim.Node, len(setup.Nodes)), map[int64]sim.Span{}
	for _, j := range jobs {
		b, before := setup.Initials[j.ID]
		if !before || b.Placement == nil && !b.Saved {
			continue
		}
		spans[j.ID] = sim.Span{Nodes: []cluster.NodeID{}}
		if b.Placement != nil && fits(setup.Nodes, given, j, b.Placement) {
			spans[j.ID] = sim.Span{Nodes: b.Placement.Nodes, Share: b.Placement.CPU}
		}
	}
	return spans
}

// fits gives the job its placement if the nodes have as much left.
func fits(nodes, given []sim.Node, j workload.Job, p *cluster.Placement) bool {
	fit, sign := true, 1
	for range 2 {
		for _, id := range p.Nodes {
			at, has := &given[id-1], nodes[id-1]
			at.CPU += cluster.CPU(sign) * p.CPU
			at.Memory += cluster.Bytes(sign) * j.Memory
			fit = fit && at.CPU <= has.CPU && at.Memory <= has.Memory
		}
		if fit {
			return true
		}
		sign = -1 // take it back
	}
	return false
}
