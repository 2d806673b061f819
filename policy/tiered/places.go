package tiered

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// advance gives the chosen jobs places in the foreground: first those that can rise where they are, then picky ones.
func (c *contest) advance() {
	for _, first := range []func(k *claimant) bool{
		func(k *claimant) bool { return k.placement != nil && c.clear(k.holder, &k.request) },
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
	case p != nil && c.clear(k.holder, &k.request):
		c.dispatch(k.holder, &k.request, live(p.Nodes))
	case !c.eager(k):
	case p == nil:
		c.dispatch(k.holder, &k.request, c.seats(k))
	default:
		c.count(k.Job, p, -1)
		nodes := c.seats(k)
		c.count(k.Job, p, 1)
		c.dispatch(k.holder, &k.request, nodes)
	}
}

// seats returns foreground nodes for the job, or nil: first those without a job in the background, then those of jobs
// that are covered already, then those of jobs of the least worth. Ties go to the highest node.
func (c *contest) seats(k *claimant) []cluster.NodeID {
	c.ranks = c.ranks[:0]
	for n := len(c.sites) - 1; n > 0; n-- {
		s := &c.sites[n]
		if s.node == nil || !c.takes(s, &k.request, cluster.Foreground) ||
			s.short(&k.request) && s.tasks[cluster.Background] == 0 {
			continue
		}
		c.ranks = append(c.ranks, rank{cluster.NodeID(n), c.disturbs(k, c.below[n]), s.short(&k.request)})
	}
	if len(c.ranks) < k.tasks {
		return nil
	}
	slices.SortFunc(c.ranks, rank.compare)
	if c.afford(&k.request); len(c.ranks) < k.tasks {
		return nil
	}
	nodes := c.pair(&k.request)
	for _, n := range nodes {
		if i := c.below[n]; i > 0 {
			c.all[i-1].covered = true
		}
	}
	return nodes
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
		if k.lifted != nil && k.Spec.Class != cluster.BackgroundClass && !slices.ContainsFunc(k.lifted.Nodes, c.taken) {
			c.place(k, k.lifted)
		}
	}
	for _, k := range c.all {
		if k.lifted == nil && k.tasks <= c.idle && k.Spec.Class != cluster.BackgroundClass {
			c.rise(k)
		}
	}
}

// taken reports whether the node has a foreground task.
func (c *contest) taken(n cluster.NodeID) bool { return c.sites[n].tasks[cluster.Foreground] > 0 }

// place gives a lifted job a placement. Then it takes no space of the store.
func (c *contest) place(k *claimant, p *cluster.Placement) {
	c.count(k.Job, p, 1)
	c.Hold(k.ID, p)
	k.placement, k.lifted = p, nil
	c.spare += c.view.Saving(k.Job)
}

// descend lets lifted jobs sink to the background of their nodes, where that is free. The others are paused.
func (c *contest) descend() {
	for _, k := range c.all {
		if k.lifted == nil {
			continue
		}
		if nodes := live(k.lifted.Nodes); !slices.ContainsFunc(nodes, func(n cluster.NodeID) bool {
			s := &c.sites[n]
			return s.tasks[cluster.Background] > 0 || s.short(&k.request)
		}) {
			c.place(k, &cluster.Placement{Grant: cluster.Background.Grant(k.Spec.Need), Nodes: nodes})
			c.Explain(k.Job, cluster.WhyBackground)
		}
	}
}

// harvest sends jobs without a placement to the background, by worth: those that have not begun, which costs nothing,
// and those that can pay for being resumed.
func (c *contest) harvest() {
	room := c.eligible()
	for _, k := range c.all {
		if k.placement != nil || k.lifted != nil || k.tasks > room || slices.Contains(c.evicted, k.ID) ||
			k.Started != 0 && k.Spec.Class == cluster.StandardClass && !c.pays(k.Job, k.VirtualTime(c.now)) {
			continue
		}
		if nodes := c.pick(&k.request, cluster.Background); nodes != nil {
			c.move(k.holder, &k.request, &cluster.Placement{Grant: cluster.Background.Grant(k.Spec.Need), Nodes: nodes})
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
		case k.Why.Code == cluster.WhyGaveWay && k.tasks > c.idle: // its nodes still have others
		case !k.picky:
			c.Explain(k.Job, cluster.WhyNoFreeNode, int64(c.idle), int64(k.tasks))
		default:
			c.explainPicky(k)
		}
	}
}

// explainPicky records why a job waits that not every node suits.
func (c *contest) explainPicky(k *claimant) {
	able := 0
	for n := range c.sites {
		if c.suits(k, &c.sites[n]) {
			able++
		}
	}
	if able < k.tasks {
		c.Explain(k.Job, cluster.WhyNoNode, policy.NoNode(c.view, k.tasks).Values...)
		return
	}
	c.Explain(k.Job, cluster.WhyNoFreeNode, int64(c.idleFor(k)), int64(k.tasks))
}
