package tiered

import (
	"iter"
	"slices"

	"aliquot/cluster"
)

// site is one processor of a node during a decision.
type site struct {
	node     *cluster.Node // nil: no node has this id
	core     cluster.CoreID
	second   int  // of the first processor of a node: the index of the second, which the others follow
	open     bool // it takes new tasks
	promised bool // it may serve the reservation
	claimed  bool // by the job whose place is being sought
	left     int  // foreground tasks that have not been released yet while the calendar is built
	cpu      cluster.CPU
	tasks    [2]int // by tier
	used     [2]cluster.CPU
}

// room is what the processors of a node share.
type room struct {
	offer   cluster.Offer
	sure    cluster.CPU   // that is guaranteed to its tasks
	memory  cluster.Bytes // that its tasks take
	above   cluster.Bytes // part of it that foreground tasks take
	below   int           // background tasks
	claimed cluster.CPU   // by the job whose place is being sought
	places  int           // tasks of the head that it could take if nobody were there
	free    int           // processors without a foreground task while the calendar is built
}

// take reads all nodes of the view. The first processor of a node has the node's id as its index in sites.
func (d *decision) take() {
	v := d.view
	d.sites = slices.Grow(d.sites[:0], int(v.NodeBound()))[:v.NodeBound()]
	d.rooms = slices.Grow(d.rooms[:0], int(v.NodeBound()))[:v.NodeBound()]
	clear(d.sites)
	clear(d.rooms)
	for n := range v.Nodes() {
		condition, offer := v.Condition(n), n.Capacity()
		d.rooms[n.ID] = room{offer: offer, sure: n.Load.Guaranteed, memory: n.Load.Memory}
		d.memory += offer.Memory
		d.departs = d.departs || condition == cluster.NodeLeaving
		d.immobile = d.immobile || n.Description.Immobile
		slots := n.Description.Slots()
		d.divide(n, slots, condition == cluster.NodeOpen, offer.CPU)
		has := cluster.Offer{CPU: each(n, slots), Memory: n.Description.Memory}
		if d.known == 0 {
			d.least = has
		}
		d.least.CPU, d.least.Memory = min(d.least.CPU, has.CPU), min(d.least.Memory, has.Memory)
		d.known += slots
	}
}

// divide lists the processors of a node. Each of several has a core, but all tasks together have what the node offers.
func (d *decision) divide(n *cluster.Node, slots int, open bool, cpu cluster.CPU) {
	if open {
		d.open += slots
		d.idle += slots
	}
	s := site{node: n, open: open, cpu: cpu}
	if slots == 1 {
		d.sites[n.ID] = s
		return
	}
	d.slotted = true
	s.core, s.second, s.cpu = 1, len(d.sites), n.Description.Processor()
	for d.sites[n.ID] = s; int(s.core) < slots; {
		s.core++
		d.sites = append(d.sites, s)
	}
}

// each returns the CPU of each of so many processors of a node, if nobody else uses it.
func each(n *cluster.Node, slots int) cluster.CPU {
	if slots > 1 {
		return n.Description.Processor()
	}
	return n.Description.CPU
}

// at returns the index of the processor of a task of the placement, by its index. The task has not ended.
func (d *decision) at(p *cluster.Placement, i int) int {
	n := p.Nodes[i]
	if core := p.Core(i); core > 1 {
		return d.sites[n].second + int(core) - 2
	}
	return int(n)
}

// places yields the indices of the processors of a placement's tasks.
func (d *decision) places(p *cluster.Placement) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, n := range p.Nodes {
			if n != 0 && !yield(d.at(p, i)) {
				return
			}
		}
	}
}

// count adds the tasks of a placement to their nodes; sign -1 removes them.
func (d *decision) count(j *cluster.Job, p *cluster.Placement, sign int) {
	charge := d.view.Charge(j.Spec)
	for i, n := range p.Nodes {
		if n == 0 {
			continue
		}
		r := &d.rooms[n]
		r.sure += cluster.CPU(sign) * p.Guaranteed
		r.memory += cluster.Bytes(sign) * charge
		d.crowd(j, p, i, sign, charge)
	}
}

// crowd counts a task on its processor, by its index in the placement, without what is guaranteed to it and its part of
// the node's memory; sign -1 removes it.
func (d *decision) crowd(j *cluster.Job, p *cluster.Placement, i, sign int, charge cluster.Bytes) {
	s, r, t := &d.sites[d.at(p, i)], &d.rooms[p.Nodes[i]], p.Tier
	before := s.tasks[t]
	s.tasks[t] += sign
	s.used[t] += cluster.CPU(sign) * d.use(j, p, i)
	if t == cluster.Background {
		r.below += sign
		return
	}
	r.above += cluster.Bytes(sign) * charge
	if s.open && (before == 0 || s.tasks[t] == 0) {
		d.idle -= sign
	}
}

// use returns what a task of the placement uses, by its index. In the foreground that may have been measured. It is the
// same before a change and after.
func (d *decision) use(j *cluster.Job, p *cluster.Placement, i int) cluster.CPU {
	switch {
	case d.blind:
		return 0
	case d.declared || p.Tier == cluster.Background:
		return d.view.Use(j, i)
	}
	return d.view.MeasuredUse(j, i, p.Nodes[i])
}

// part returns the part b that a is of it, at most the whole.
func part(a, b cluster.CPU) cluster.Parts {
	return min(cluster.Whole, cluster.Parts(a)*cluster.Whole/cluster.Parts(max(1, b)))
}

// suffices reports whether the processor has all that a task of the job can use there.
func (s *site) suffices(j *cluster.Job) bool { return s.node.Ceiling(j.Spec) <= s.cpu }

// takes reports whether a task of the job may be placed on the processor in the tier, apart from the memory that can be
// freed in the background.
func (d *decision) takes(s *site, r *request, t cluster.Tier) bool {
	if !s.open || s.tasks[t] > 0 || !s.suffices(r.Job) || r.allows != nil && !r.allows(s.node) {
		return false
	}
	has := &d.rooms[s.node.ID]
	if t == cluster.Background {
		return d.hosts(s) && !has.short(r.charge)
	}
	return has.sure+s.node.Ceiling(r.Spec) <= has.offer.CPU && has.above+r.charge <= has.offer.Memory
}

// hosts reports whether the foreground leaves enough CPU for a background task.
func (d *decision) hosts(s *site) bool {
	return s.tasks[cluster.Foreground] == 0 ||
		cluster.Parts(s.used[cluster.Foreground])*cluster.Whole < d.threshold*cluster.Parts(max(1, s.cpu))
}

// most returns what the node has for tasks that stay: more than it offers, if it has shrunk.
func (d *decision) most(n cluster.NodeID) cluster.Offer {
	o, l := d.rooms[n].offer, d.sites[n].node.Load
	return cluster.Offer{CPU: max(o.CPU, l.Guaranteed), Memory: max(o.Memory, l.Memory)}
}

// short reports whether the node lacks that memory.
func (r *room) short(memory cluster.Bytes) bool { return r.memory+memory > r.offer.Memory }
