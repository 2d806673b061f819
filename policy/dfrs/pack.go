package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
)

// pack maps all jobs anew with MCB8 (section 4.3), or MCB8-stretch (section 4.7). Mapped jobs below minvt or minft
// keep their nodes if they stay mapped at all. If the heuristic would give up a job that cannot be paused, all mapped
// jobs stay and waiting jobs are packed around them; if that fails too, the mapping does not change.
func (p *Policy) pack(b *board) {
	if !p.search(b, false) {
		p.search(b, true)
	}
}

// search packs once; still packs around everything that is mapped. It returns false if a job that cannot be paused
// would be given up.
func (p *Policy) search(b *board, still bool) bool {
	problem := b.problem(b.jobs)
	for i, j := range b.jobs {
		if j.mapped() && (still || j.fixed || p.holds(j, b.view.At) || b.crowded(j)) {
			pin(&problem.Items[i], j.nodes)
		}
	}
	b.tolerate(problem)
	order, kept := b.order()
	r := p.find(b, problem, order)
	if slices.ContainsFunc(r.Dropped, func(i int) bool { return slices.Contains(order[:kept], i) }) {
		return false
	}
	b.adopt(r.Mapping)
	b.account()
	return true
}

// find bisects the yield to 0.01, or the inverse stretch to 0.0001.
func (p *Policy) find(b *board, problem *packing.Problem, order []int) packing.Result {
	if p.tick == mcb8Stretch {
		b.stretch(problem, b.jobs, p.wake(b.view.At)-b.view.At)
		b.idle(problem)
		return packing.Options{Accuracy: 0.0001, Strict: true}.Search(problem, order)
	}
	return packing.Search(problem, order)
}

// holds reports whether MCB8 must leave a running job on its nodes or pause it.
func (p *Policy) holds(j *job, now cluster.Time) bool {
	return p.minvt > 0 && j.virtual < p.minvt || p.minft > 0 && j.FlowTime(now) < p.minft
}

// tolerate gives overfull nodes exactly the capacity that is mapped to them, and no more.
func (b *board) tolerate(p *packing.Problem) {
	for n := range b.nodes {
		if at := &b.nodes[n]; at.over() {
			p.Nodes[n].CPU = max(p.Nodes[n].CPU, float64(at.least))
			p.Nodes[n].Rigid[0] = max(p.Nodes[n].Rigid[0], float64(at.memory))
		}
	}
}

// order returns the jobs' places on the board in the order in which packing keeps them. Packing may not drop the
// first kept of them: those that cannot be paused, and those whose images no longer fit in the store once jobs of
// lower priority have been paused.
func (b *board) order() (order []int, kept int) {
	order, room := make([]int, 0, len(b.jobs)), b.room
	var rest []int
	for i, j := range slices.Backward(b.jobs) {
		switch {
		case !j.mapped() || j.saves == 0 && !j.fixed:
			rest = append(rest, i)
		case b.pausable(j) && j.saves <= room:
			room -= j.saves
			rest = append(rest, i)
		default:
			order = append(order, i)
		}
	}
	slices.Reverse(order)
	slices.Reverse(rest)
	return append(order, rest...), len(order)
}

// adopt copies the packed mapping to the board.
func (b *board) adopt(m packing.Mapping) {
	for _, j := range b.jobs {
		b.lift(j)
	}
	for i, j := range b.jobs {
		b.occupy(j, m[i])
	}
	for _, v := range b.victims {
		v.marked = false
	}
	b.victims, b.untried = b.victims[:0], true
}

// account records which jobs were given up, and why.
func (b *board) account() {
	above := int64(0)
	for i, j := range b.jobs {
		j.cause = cause{cluster.WhyDropped, [2]int64{int64(i + 1), above}}
		if j.mapped() {
			j.cause = cause{}
			above++
		}
	}
}

// problem states the nodes and the given jobs as vectors, in their order on the board. Jobs that are partly on a node
// that takes no new VMs are pinned. The result is valid until the next call.
func (b *board) problem(jobs []*job) *packing.Problem {
	p, rigid := &b.packed, b.rigid[:0]
	if need := len(b.nodes) + len(jobs); cap(rigid) < need {
		rigid = make([]float64, 0, 2*need)
	}
	one := func(x float64) []float64 {
		rigid = append(rigid, x)
		return rigid[len(rigid)-1 : len(rigid) : len(rigid)]
	}
	p.Nodes, p.Items = p.Nodes[:0], p.Items[:0]
	for n := range b.nodes {
		offer := b.nodes[n].offer
		p.Nodes = append(p.Nodes, packing.Node{CPU: float64(offer.CPU), Rigid: one(float64(offer.Memory))})
	}
	for _, j := range jobs {
		p.Items = append(p.Items, packing.Item{
			Count: j.count, Need: float64(j.Spec.Need), MinCPU: float64(j.least), Rigid: one(float64(j.charge)),
			Allowed: b.allowed(j), Spread: j.Spec.Placement.Spread, Label: uint64(j.ID),
		})
	}
	b.rigid = rigid
	b.limit(p, jobs)
	for i, j := range jobs {
		if b.partly(j) {
			pin(&p.Items[i], slices.Clone(j.nodes))
		}
	}
	return p
}

// allowed returns the nodes to which a packing may map any number of the job's tasks, in the form of package packing:
// no node that takes no new VMs, unless all tasks may be there.
func (b *board) allowed(j *job) []bool {
	switch {
	case j.eligible == nil:
		return nil
	case !j.eligible.closed:
		return j.eligible.allowed
	}
	allowed := slices.Clone(j.eligible.allowed)
	for _, n := range j.eligible.places {
		allowed[n] = b.whole(j, n)
	}
	return allowed
}
