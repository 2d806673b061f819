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

// seated reports whether each task of the placement is bound to a processor that its node has. A node that counts as
// one processor binds none.
func (d *decision) seated(p *cluster.Placement) bool {
	if !d.slotted && p.Cores == nil {
		return true
	}
	for i, n := range p.Nodes {
		if n == 0 {
			continue
		}
		slots, core := d.sites[n].node.Description.Slots(), p.Core(i)
		if slots == 1 && core > 0 || slots > 1 && core == 0 || int(core) > slots {
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
		if n != 0 {
			put(p, i, d.emptiest(n, p.Tier))
			d.crowd(h.job, p, i, 1, d.view.Charge(h.job.Spec))
		}
	}
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

// again returns the placement with the tier's grant of all that the job needs, and without ended tasks.
func again(p *cluster.Placement, t cluster.Tier, j *cluster.Job) *cluster.Placement {
	q := p.Live()
	q.Grant = t.Grant(j.Spec.Need)
	return &q
}

// within returns the placement of a job in the tier on the nodes of p: each task on its processor, if nothing is there
// in the tier, or else on another one of its node. It returns nil if there are not enough.
func (d *decision) within(p *cluster.Placement, r *request, t cluster.Tier) *cluster.Placement {
	q := again(p, t, r.Job)
	for i, n := range q.Nodes {
		if has := &d.rooms[n]; has.sure+q.Guaranteed > has.most || !d.slotted && d.sites[d.at(q, i)].tasks[t] > 0 {
			return nil
		}
	}
	if d.slotted && !d.shift(q, t) {
		return nil
	}
	return q
}

// shift finds processors in the tier for the tasks of a placement, on the same nodes, and reports whether there are
// enough.
func (d *decision) shift(q *cluster.Placement, t cluster.Tier) bool {
	taken, sure := map[int]bool{}, map[cluster.NodeID]cluster.CPU{}
	free := func(i int) bool { return d.sites[i].tasks[t] == 0 && !taken[i] }
	var homeless []int
	for i, n := range q.Nodes {
		if sure[n] += q.Guaranteed; d.rooms[n].sure+sure[n] > d.rooms[n].most {
			return false
		}
		if at := d.at(q, i); free(at) {
			taken[at] = true
		} else {
			homeless = append(homeless, i)
		}
	}
	if len(homeless) > 0 {
		q.Cores = slices.Clone(q.Cores)
	}
	for _, i := range homeless {
		at := first(d.processors(q.Nodes[i]), free)
		if at < 0 {
			return false
		}
		taken[at] = true
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
