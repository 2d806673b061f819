package tiered

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// site is one node during a decision.
type site struct {
	node     *cluster.Node // nil: no node has this id
	open     bool          // it takes new tasks
	promised bool          // it may serve the reservation
	left     int           // foreground tasks that have not been released yet while the calendar is built
	offer    cluster.Offer
	sure     cluster.CPU   // that is guaranteed to its tasks
	memory   cluster.Bytes // that its tasks take
	tasks    [2]int        // by tier
	use      [2]cluster.Parts
}

// take reads all nodes of the view.
func (d *decision) take() {
	v := d.view
	d.sites = slices.Grow(d.sites[:0], int(v.NodeBound()))[:v.NodeBound()]
	clear(d.sites)
	for n := range v.Nodes() {
		condition := v.Condition(n)
		s := &d.sites[n.ID]
		s.node, s.open, s.offer, s.sure, s.memory = n, condition == cluster.NodeOpen, n.Capacity(), n.Load.Guaranteed,
			n.Load.Memory
		d.memory += s.offer.Memory
		d.departs = d.departs || condition == cluster.NodeLeaving
		if d.known == 0 {
			d.least = cluster.Offer{CPU: n.Description.CPU, Memory: n.Description.Memory}
		}
		d.least.CPU, d.least.Memory = min(d.least.CPU, n.Description.CPU), min(d.least.Memory, n.Description.Memory)
		d.known++
		if s.open {
			d.open++
			d.idle++
		}
	}
}

// count adds the tasks of a placement to their nodes; sign -1 removes them.
func (d *decision) count(j *cluster.Job, p *cluster.Placement, sign int) {
	charge := cluster.Bytes(sign) * d.view.Charge(j.Spec)
	for i, n := range p.Nodes {
		if n == 0 {
			continue
		}
		s := &d.sites[n]
		s.sure += cluster.CPU(sign) * p.Guaranteed
		s.memory += charge
		d.crowd(j, p, i, sign)
	}
}

// crowd counts a task on a node, by its index in the placement, without what it is guaranteed; sign -1 removes it.
func (d *decision) crowd(j *cluster.Job, p *cluster.Placement, i, sign int) {
	s, t := &d.sites[p.Nodes[i]], p.Tier
	before := s.tasks[t]
	if s.tasks[t] += sign; t == cluster.Foreground && s.open && (before == 0 || s.tasks[t] == 0) {
		d.idle -= sign
	}
	s.use[t] += cluster.Parts(sign) * part(d.use(j, p, i), s.offer.CPU)
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

// takes reports whether a task of the job may be placed on the node in the tier, apart from the memory that can be
// freed in the background.
func (d *decision) takes(s *site, r *request, t cluster.Tier) bool {
	if !s.open || s.tasks[t] > 0 || r.Spec.Need > s.offer.CPU || r.allows != nil && !r.allows(s.node) {
		return false
	}
	if t == cluster.Background {
		return d.hosts(s) && s.memory+r.charge <= s.offer.Memory
	}
	return s.sure+r.Spec.Need <= s.offer.CPU && r.charge <= s.offer.Memory
}

// hosts reports whether the foreground leaves enough CPU for a background task.
func (d *decision) hosts(s *site) bool {
	return s.tasks[cluster.Foreground] == 0 || s.use[cluster.Foreground] < d.threshold
}

// short reports whether the node lacks the memory for a task of the job.
func (s *site) short(r *request) bool { return s.memory+r.charge > s.offer.Memory }

// pick returns a node for each task of the job in the tier, or nil if there are not enough. The task that uses the most
// CPU gets the node whose other tier uses the least (function Dispatch of the paper). Ties go to the highest node.
func (d *decision) pick(r *request, t cluster.Tier) []cluster.NodeID {
	d.ranks = d.ranks[:0]
	for n := len(d.sites) - 1; n > 0; n-- {
		s := &d.sites[n]
		if s.node == nil || !d.takes(s, r, t) || s.short(r) && s.tasks[cluster.Background] == 0 {
			continue
		}
		k := rank{node: cluster.NodeID(n), short: s.short(r)}
		if o := cluster.Background - t; s.tasks[o] > 0 {
			k.use = s.use[o]
		}
		d.ranks = append(d.ranks, k)
	}
	if len(d.ranks) < r.tasks {
		return nil
	}
	slices.SortFunc(d.ranks, rank.compare)
	if d.afford(r); len(d.ranks) < r.tasks {
		return nil
	}
	return d.pair(r)
}

// rank is a candidate for a task.
type rank struct {
	node  cluster.NodeID
	use   cluster.Parts // of its other tier
	short bool          // memory in the background must be freed first
}

func (a rank) compare(b rank) int {
	if a.short != b.short {
		if a.short {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(a.use, b.use), cmp.Compare(b.node, a.node))
}

// pair gives the tasks of the job, by falling use, the first nodes of the ranking.
func (d *decision) pair(r *request) []cluster.NodeID {
	nodes := make([]cluster.NodeID, r.tasks)
	order := d.order[:0]
	for i := range nodes {
		order = append(order, i)
	}
	if !d.blind {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(d.view.Use(r.Job, r.live(b)), d.view.Use(r.Job, r.live(a)))
		})
	}
	for k, i := range order {
		nodes[i] = d.ranks[k].node
	}
	d.order = order
	return nodes
}
