package tiered

import (
	"slices"

	"aliquot/cluster"
)

// advance gives the chosen jobs places in the foreground: first those that can rise where they are, then picky ones.
func (c *contest) advance() {
	for _, first := range []func(k *claimant) bool{
		func(k *claimant) bool { return c.inPlace(k) != nil },
		func(k *claimant) bool { return k.picky },
		func(*claimant) bool { return true },
	} {
		for _, k := range c.chosen {
			if !k.above && first(k) {
				c.rise(k)
			}
		}
	}
}

// rise takes a job to the foreground, where it is or elsewhere, if there is room.
func (c *contest) rise(k *claimant) {
	p := k.placement
	switch {
	case p != nil && p.Tier == cluster.Foreground && !k.leaving:
	case c.inPlace(k) != nil:
		c.dispatch(k.holder, &k.request, c.inPlace(k))
	case !c.eager(k):
	case p == nil:
		c.dispatch(k.holder, &k.request, c.seats(k))
	default:
		c.count(k.Job, p, -1)
		seats := c.seats(k)
		c.count(k.Job, p, 1)
		c.dispatch(k.holder, &k.request, seats)
	}
}

// inPlace returns the job's placement in the foreground of its nodes, or nil.
func (c *contest) inPlace(k *claimant) *cluster.Placement {
	if k.placement == nil || k.leaving {
		return nil
	}
	return c.within(k.placement, &k.request, cluster.Foreground)
}

// seats returns foreground places for the job, or nil: first those without a job in the background, then those of jobs
// that are covered already, then those of jobs of the least worth.
func (c *contest) seats(k *claimant) *cluster.Placement {
	p := c.place(&k.request, cluster.Foreground, func(i int) cluster.Parts { return c.disturbs(k, c.below[i]) })
	if p == nil {
		return nil
	}
	for i := range c.places(p) {
		if below := c.below[i]; below > 0 {
			c.all[below-1].covered = true
		}
	}
	return p
}

// disturbs returns a number that grows with the harm of a foreground job to the one below, given as in contest.below.
func (c *contest) disturbs(k *claimant, below int) cluster.Parts {
	switch {
	case below == 0 || c.all[below-1] == k:
		return 0
	case c.all[below-1].covered:
		return cluster.Parts(1 + len(c.all) - below)
	}
	return cluster.Parts(1 + 2*len(c.all) - below)
}

// restore lets lifted jobs return where nothing has taken their nodes. Then any other that fits may rise.
func (c *contest) restore() {
	for _, k := range c.all {
		if k.lifted != nil && k.Spec.Class != cluster.BackgroundClass {
			c.returns(k, cluster.Foreground)
		}
	}
	for _, k := range c.all {
		if k.lifted == nil && k.tasks <= c.idle && k.Spec.Class != cluster.BackgroundClass {
			c.rise(k)
		}
	}
}

// descend lets lifted jobs sink to the background of their nodes, where that is free. The others are paused.
func (c *contest) descend() {
	for _, k := range c.all {
		if k.lifted != nil && k.Spec.Sinks() && c.returns(k, cluster.Background) {
			c.Explain(k.Job, cluster.WhyBackground)
		}
	}
}

// returns lets a lifted job go on where it was, in the tier, and reports whether there is room. Then it takes no space
// of the store.
func (c *contest) returns(k *claimant, t cluster.Tier) bool {
	p := k.lifted
	if t == cluster.Background || !c.untaken(p) {
		p = c.within(k.lifted, &k.request, t)
	}
	if p == nil || !c.bears(p, k.charge) {
		return false
	}
	c.count(k.Job, p, 1)
	c.Hold(k.ID, p)
	k.placement, k.lifted = p, nil
	c.spare += c.view.Saving(k.Job)
	return true
}

// untaken reports whether nothing is in the foreground of the placement's processors.
func (d *decision) untaken(p *cluster.Placement) bool {
	for i := range d.places(p) {
		if d.sites[i].tasks[cluster.Foreground] > 0 {
			return false
		}
	}
	return true
}

// bears reports whether the nodes of a placement, which had its tasks before, have CPU and memory for them.
func (d *decision) bears(p *cluster.Placement, charge cluster.Bytes) bool {
	more := map[cluster.NodeID]cluster.Offer{}
	for _, n := range p.Nodes {
		if n == 0 {
			continue
		}
		has, m := &d.rooms[n], more[n]
		m = cluster.Offer{CPU: m.CPU + p.Guaranteed, Memory: m.Memory + charge}
		if more[n] = m; has.sure+m.CPU > d.most(n).CPU || has.memory+m.Memory > d.most(n).Memory {
			return false
		}
	}
	return true
}

// harvest sends jobs without a placement to the background, by worth: those that have not begun, which costs nothing,
// and those that can pay for being resumed.
func (c *contest) harvest() {
	room := c.eligible()
	for _, k := range c.all {
		if !k.Spec.Sinks() || k.placement != nil || k.lifted != nil || k.tasks > room || slices.Contains(c.evicted, k.ID) ||
			k.Started != 0 && k.Spec.Class == cluster.StandardClass && !c.pays(k.Job, k.VirtualTime(c.now)) {
			continue
		}
		if p := c.pick(&k.request, cluster.Background); p != nil {
			c.move(k.holder, &k.request, p)
			room -= k.tasks
		}
	}
}

// explainRest records why the jobs without a placement wait.
func (c *contest) explainRest() {
	for _, k := range c.all {
		switch {
		case k.placement != nil || slices.Contains(c.evicted, k.ID):
		case k.lifted != nil:
			c.Explain(k.Job, cluster.WhyGaveWay)
		case k.Why.Code == cluster.WhyGaveWay && k.tasks > c.idle && k.tasks <= c.open: // its nodes still have others
		case !k.picky && k.tasks <= c.open:
			c.Explain(k.Job, c.noFree(), int64(c.idle), int64(k.tasks))
		default:
			c.explainPicky(k)
		}
	}
}

// explainPicky records why a job waits that not every node suits.
func (c *contest) explainPicky(k *claimant) {
	if able := c.able(&k.request); able < k.tasks {
		c.explainUnable(&k.request, able)
		return
	}
	c.Explain(k.Job, c.noFree(), int64(c.idleFor(k)), int64(k.tasks))
}
