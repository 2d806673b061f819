package tiered

import (
	"iter"
	"slices"

	"aliquot/cluster"
)

// processors yields the indices of the node's processors.
func (d *decision) processors(n cluster.NodeID) iter.Seq[int] {
	return func(yield func(int) bool) {
		first := &d.sites[n]
		if !yield(int(n)) {
			return
		}
		for i := range first.node.Description.Slots() - 1 {
			if !yield(first.second + i) {
				return
			}
		}
	}
}

// seated reports whether each task of the job is bound to a processor that its node has. A node that counts as one
// processor binds none, and a task that needs more than a core, which an earlier policy placed, is bound to none.
func (d *decision) seated(p *cluster.Placement, j *cluster.Job) bool {
	if !d.slotted && p.Cores == nil {
		return true
	}
	for i, n := range p.Nodes {
		if n == 0 {
			continue
		}
		slots, core := d.sites[n].node.Description.Slots(), p.Core(i)
		if binds := slots > 1 && !wide(j, d.sites[n].node); binds != (core > 0) || int(core) > slots {
			return false
		}
	}
	return true
}

// wide reports whether a task of the job can use more than a processor of the node has.
func wide(j *cluster.Job, n *cluster.Node) bool { return n.Ceiling(j.Spec) > n.Description.Processor() }

// wideEverywhere reports whether that is so on all nodes with several processors.
func (d *decision) wideEverywhere(j *cluster.Job) bool {
	for n := range d.view.Nodes() {
		if n.Description.Slots() > 1 && !wide(j, n) {
			return false
		}
	}
	return true
}

// sit counts the tasks of a placement that a job had before.
func (d *decision) sit(j *cluster.Job, p *cluster.Placement) {
	charge := d.view.Charge(j.Spec)
	for i, n := range p.Nodes {
		if n != 0 {
			d.crowd(j, p, i, 1, charge)
		}
	}
}

// seat binds the tasks of a job that an earlier policy placed, or whose node has changed, to those processors of their
// nodes that have the fewest tasks of the tier.
func (d *decision) seat(h *holder) {
	p := &cluster.Placement{Grant: h.placement.Grant, Nodes: slices.Clone(h.placement.Nodes)}
	for i, n := range p.Nodes {
		if n == 0 {
			continue
		}
		if !wide(h.job, d.sites[n].node) {
			put(p, i, d.emptiest(n, p.Tier))
		}
		d.crowd(h.job, p, i, 1, d.view.Charge(h.job.Spec))
	}
	d.reseat(h, p)
}

// untangle gives tasks that share a processor with another one of their tier a processor of their own, if their node
// has one.
func (d *decision) untangle(h *holder) {
	p, charge := h.placement, d.view.Charge(h.job.Spec)
	for i, n := range p.Nodes {
		if n == 0 || p.Core(i) == 0 || d.sites[d.at(p, i)].tasks[p.Tier] < 2 {
			continue
		}
		if to := d.emptiest(n, p.Tier); to.tasks[p.Tier] == 0 {
			d.crowd(h.job, p, i, -1, charge)
			p = &cluster.Placement{Grant: p.Grant, Nodes: p.Nodes, Cores: slices.Clone(p.Cores)}
			put(p, i, to)
			d.crowd(h.job, p, i, 1, charge)
		}
	}
	if p != h.placement {
		d.reseat(h, p)
	}
}

// reseat gives a job other processors of its nodes.
func (d *decision) reseat(h *holder, p *cluster.Placement) {
	if h.placement, h.before = p, p; d.view.Candidate(h.job) {
		live := p.Live()
		d.Hold(h.job.ID, &live)
	}
}

// emptiest returns the processor of the node that has the fewest tasks of the tier, the first of those.
func (d *decision) emptiest(n cluster.NodeID, t cluster.Tier) *site {
	best := &d.sites[n]
	for i := range d.processors(n) {
		if s := &d.sites[i]; s.tasks[t] < best.tasks[t] {
			best = s
		}
	}
	return best
}

// again returns the placement with the tier's grant of all that the job can use there, and without ended tasks.
func (d *decision) again(p *cluster.Placement, t cluster.Tier, j *cluster.Job) *cluster.Placement {
	q := p.Live()
	q.Grant = d.grant(&q, t, j)
	return &q
}

// grant returns the tier's grant of all that the tasks of the job can use on the nodes of the placement.
func (d *decision) grant(p *cluster.Placement, t cluster.Tier, j *cluster.Job) cluster.Grant {
	most := j.Spec.Need
	for _, n := range p.Nodes {
		if n != 0 {
			most = min(most, d.sites[n].node.Ceiling(j.Spec))
		}
	}
	return t.Grant(most)
}

// within returns the placement of a job in the tier on the nodes of p: each task on its processor, if nothing is there
// in the tier, or else on another one of its node. It returns nil if there are not enough.
func (d *decision) within(p *cluster.Placement, r *request, t cluster.Tier) *cluster.Placement {
	q := d.again(p, t, r.Job)
	fits := d.shift(q, r, t)
	for i, n := range q.Nodes {
		d.rooms[n].claimed, d.sites[d.at(q, i)].claimed = 0, false
	}
	if !fits {
		return nil
	}
	return q
}

// shift finds processors in the tier for the tasks of a placement, on the same nodes, and reports whether there are
// enough.
func (d *decision) shift(q *cluster.Placement, r *request, t cluster.Tier) bool {
	var homeless []int
	for i, n := range q.Nodes {
		has, s := &d.rooms[n], &d.sites[d.at(q, i)]
		if has.claimed += q.Guaranteed; has.sure+has.claimed > d.most(n).CPU {
			return false
		}
		switch {
		case s.tasks[t] == 0 && !s.claimed:
			s.claimed = true
		case s.core == 0 || wide(r.Job, s.node):
			return false
		default:
			homeless = append(homeless, i)
		}
	}
	if len(homeless) > 0 {
		q.Cores = slices.Clone(q.Cores)
	}
	for _, i := range homeless {
		at := first(d.processors(q.Nodes[i]), func(i int) bool { return d.sites[i].tasks[t] == 0 && !d.sites[i].claimed })
		if at < 0 {
			return false
		}
		d.sites[at].claimed = true
		put(q, i, &d.sites[at])
	}
	return true
}

// first returns the first index that is so, or -1.
func first(all iter.Seq[int], so func(int) bool) int {
	for i := range all {
		if so(i) {
			return i
		}
	}
	return -1
}
