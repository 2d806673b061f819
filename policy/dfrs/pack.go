package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
)

// pack maps all jobs anew with MCB8 (section 4.3). Jobs that bound holds for keep their
// nodes if they are mapped at all. If the heuristic would give up a job that cannot be
// paused, everyone stays and what waits is packed around them; if even that fails, the
// mapping is left as it is.
func (b *board) pack(bound func(*job) bool) {
	if !b.search(bound) {
		b.search(func(*job) bool { return true })
	}
}

func (b *board) search(bound func(*job) bool) bool {
	p := b.problem(b.jobs)
	for i, j := range b.jobs {
		if j.nodes != nil && (j.fixed || bound(j) || b.crowded(j)) {
			p.Items[i].Allowed, p.Items[i].Pinned = nil, j.nodes
		}
	}
	b.tolerate(p)
	keep := b.indispensable()
	order := make([]int, 0, len(b.jobs))
	for i := range b.jobs {
		if keep[i] {
			order = append(order, i)
		}
	}
	for i := range b.jobs {
		if !keep[i] {
			order = append(order, i)
		}
	}
	r := packing.Search(p, order)
	if slices.ContainsFunc(r.Dropped, func(i int) bool { return keep[i] }) {
		return false
	}
	if !b.worsens(p, r.Mapping) {
		b.take(r.Mapping)
	}
	return true
}

// tolerate lets nodes that have not enough for what is there hold that, and nothing else.
func (b *board) tolerate(p *packing.Problem) {
	for n := range b.nodes {
		if at := &b.nodes[n]; at.over() {
			p.Nodes[n].CPU = max(p.Nodes[n].CPU, float64(at.least))
			p.Nodes[n].Rigid[0] = max(p.Nodes[n].Rigid[0], float64(at.memory))
		}
	}
}

// worsens tells whether the packed mapping starts nobody and either gives up somebody or lowers
// the least yield: as a heuristic, MCB8 may miss even the present mapping.
func (b *board) worsens(p *packing.Problem, m packing.Mapping) bool {
	now, drops := make(packing.Mapping, len(b.jobs)), false
	for i, j := range b.jobs {
		now[i] = j.nodes
		if m[i] != nil && j.nodes == nil {
			return false
		}
		drops = drops || m[i] == nil && j.nodes != nil
	}
	return drops || max(1, p.Load(m)) > max(1, p.Load(now))
}

// indispensable marks the jobs that packing may not drop: those that cannot be paused, and
// those for whose images the store has no room when jobs of lower priority have been paused.
func (b *board) indispensable() []bool {
	keep, room := make([]bool, len(b.jobs)), b.room
	for i, j := range slices.Backward(b.jobs) {
		switch {
		case j.nodes == nil || j.saves == 0 && !j.fixed:
		case b.pausable(j) && j.saves <= room:
			room -= j.saves
		default:
			keep[i] = true
		}
	}
	return keep
}

// take makes the packed mapping that of the board, and says who was given up.
func (b *board) take(m packing.Mapping) {
	for _, j := range b.jobs {
		b.lift(j)
	}
	for i, j := range b.jobs {
		b.occupy(j, m[i])
	}
	b.giveBack()
	above := int64(0)
	for i, j := range b.jobs {
		j.cause = cluster.Reason{Code: cluster.WhyDropped, Values: []int64{int64(i + 1), above}}
		if j.nodes != nil {
			j.cause = cluster.Reason{}
			above++
		}
	}
	b.victims, b.freed = nil, true
}

// giveBack leaves jobs that were given up for others on their nodes if there is room all
// the same: what was dropped because it had the lowest priority need not have been in the way.
func (b *board) giveBack() {
	for _, j := range b.jobs {
		if j.nodes == nil && j.before != nil {
			b.restore(j, j.before)
		}
	}
}

// problem states jobs and nodes as vectors, in their order on the board.
func (b *board) problem(jobs []*job) *packing.Problem {
	p := &packing.Problem{Nodes: make([]packing.Node, len(b.nodes)), Items: make([]packing.Item, len(jobs))}
	for n := range b.nodes {
		offer := b.nodes[n].offer
		p.Nodes[n] = packing.Node{CPU: float64(offer.CPU), Rigid: []float64{float64(offer.Memory)}}
	}
	for i, j := range jobs {
		p.Items[i] = packing.Item{
			Count: j.count, Need: float64(j.Spec.Need), MinCPU: float64(j.least),
			Rigid: []float64{float64(j.charge)}, Allowed: j.allowed, Spread: j.Spec.Placement.Spread, Label: uint64(j.ID),
		}
	}
	return p
}
