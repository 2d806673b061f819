package tiered

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// rank is a candidate for a task.
type rank struct {
	site  int
	node  cluster.NodeID
	core  cluster.CoreID
	harm  cluster.Parts // that a task does there; in the paper the use of the other tier
	short bool          // memory in the background must be freed first
}

// compare orders candidates by harm, after those that are not short. Ties go to the highest node.
func (a rank) compare(b rank) int {
	if a.short != b.short {
		return a.compareShort(b)
	}
	return cmp.Or(cmp.Compare(a.harm, b.harm), cmp.Compare(b.node, a.node), cmp.Compare(a.core, b.core))
}

func (a rank) compareShort(b rank) int {
	switch {
	case a.short == b.short:
		return 0
	case a.short:
		return 1
	}
	return -1
}

// pick returns a processor for each task of the job in the tier, or nil if there are not enough. The task that uses the
// most CPU gets the processor whose other tier uses the least (function Dispatch of the paper).
func (d *decision) pick(r *request, t cluster.Tier) *cluster.Placement {
	other := cluster.Background - t
	return d.place(r, t, func(i int) cluster.Parts {
		if s := &d.sites[i]; s.tasks[other] > 0 {
			return part(s.used[other], s.cpu)
		}
		return 0
	})
}

// place returns the processors where the tasks of the job do the least harm, or nil if there are not enough.
func (d *decision) place(r *request, t cluster.Tier, harm func(site int) cluster.Parts) *cluster.Placement {
	d.ranks = d.ranks[:0]
	for i := len(d.sites) - 1; i > 0; i-- {
		s := &d.sites[i]
		if s.node == nil || !d.takes(s, r, t) {
			continue
		}
		has := &d.rooms[s.node.ID]
		short := has.short(r.charge)
		if short && has.below == 0 {
			continue
		}
		d.ranks = append(d.ranks, rank{i, s.node.ID, s.core, harm(i), short})
	}
	if len(d.ranks) < r.tasks {
		return nil
	}
	slices.SortFunc(d.ranks, rank.compare)
	d.fit(r, t)
	if d.afford(r); len(d.ranks) < r.tasks {
		return nil
	}
	return d.pair(r, t)
}

// fit drops candidates of nodes that can take tasks of the job on some of their processors only: by their CPU and
// memory, or because the job is to be spread.
func (d *decision) fit(r *request, t cluster.Tier) {
	if !d.slotted {
		return
	}
	taken, kept := map[cluster.NodeID]int{}, d.ranks[:0]
	for _, k := range d.ranks {
		has, tasks := &d.rooms[k.node], taken[k.node]+1
		memory := r.charge * cluster.Bytes(tasks)
		k.short = has.short(memory)
		switch {
		case tasks > 1 && r.Spec.Placement.Spread:
			continue
		case t == cluster.Background && k.short:
			continue
		case t == cluster.Foreground && (has.sure+d.sites[k.node].node.Ceiling(r.Spec)*cluster.CPU(tasks) > has.offer.CPU ||
			has.above+memory > has.offer.Memory || k.short && has.below == 0):
			continue
		}
		taken[k.node] = tasks
		kept = append(kept, k)
	}
	d.ranks = kept
	slices.SortStableFunc(d.ranks, rank.compareShort)
}

// pair gives the tasks of the job, by falling use, the first processors of the ranking.
func (d *decision) pair(r *request, t cluster.Tier) *cluster.Placement {
	p := &cluster.Placement{Nodes: make([]cluster.NodeID, r.tasks)}
	order := d.order[:0]
	for i := range r.tasks {
		order = append(order, i)
	}
	if !d.blind {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(d.view.Use(r.Job, r.live(b)), d.view.Use(r.Job, r.live(a)))
		})
	}
	for k, i := range order {
		put(p, i, &d.sites[d.ranks[k].site])
	}
	d.order = order
	p.Grant = d.grant(p, t, r.Job)
	return p
}

// put puts a task of the placement on the processor.
func put(p *cluster.Placement, i int, s *site) {
	if p.Nodes[i] = s.node.ID; s.core == 0 {
		return
	}
	if p.Cores == nil {
		p.Cores = make([]cluster.CoreID, len(p.Nodes))
	}
	p.Cores[i] = s.core
}
