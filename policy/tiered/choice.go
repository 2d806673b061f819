package tiered

import (
	"iter"
	"slices"

	"aliquot/cluster"
)

// choose chooses jobs for the foreground by their number of tasks alone, but for picky ones: those that keep their
// places, then by worth. A job that does not fit beside better ones may still replace them.
func (c *contest) choose() {
	c.free = c.open
	for _, k := range c.all {
		if k.fixed || k.young {
			c.take(k)
		}
	}
	for _, k := range c.all {
		if c.claims(k) && k.tasks <= c.free && (!k.picky || c.idleFor(k) >= k.tasks) {
			c.take(k)
		}
		if k.above && !k.chosen {
			c.dropped = append(c.dropped, k)
		}
	}
	c.findWeakest()
	for _, k := range c.all {
		if c.claims(k) && k.tasks <= c.open && c.mayReplace(k) && c.replace(k) {
			c.findWeakest()
		}
	}
}

// take chooses a job.
func (c *contest) take(k *claimant) {
	k.chosen = true
	c.free -= k.tasks
	at, _ := slices.BinarySearchFunc(c.chosen, k, (*claimant).compare)
	c.chosen = slices.Insert(c.chosen, at, k)
}

// claims reports whether the job asks for a place in the foreground that it has not been given.
func (c *contest) claims(k *claimant) bool {
	return !k.chosen && (k.above && k.Spec.Class != cluster.BackgroundClass || c.eager(k))
}

// findWeakest finds the chosen job that is replaced first, and the latest of the young ones.
func (c *contest) findWeakest() {
	c.weakest, c.youngest = nil, 0
	for _, v := range slices.Backward(c.chosen) {
		switch {
		case v.fixed:
		case v.young:
			c.youngest = max(c.youngest, v.ID)
		case c.weakest == nil:
			c.weakest = v
		}
	}
}

// mayReplace is false where no chosen jobs are worth little enough for the job to replace them. It costs less than to
// look for them.
func (c *contest) mayReplace(k *claimant) bool {
	if k.ID < c.youngest && c.pays(k.Job, k.FlowTime(c.now)) {
		return true
	}
	return c.weakest != nil && (k.picky || c.weakest.worth*uint64(max(0, k.tasks-c.free)) < k.total())
}

// replace chooses a job instead of chosen ones of the least worth, if its places are worth more to it than theirs to
// them. It reports whether it did.
func (c *contest) replace(k *claimant) bool {
	victims, lost, freed := []*claimant(nil), uint64(0), c.free
	if k.picky {
		freed = c.idleFor(k)
	}
	for i := len(c.chosen); i > 0 && freed < k.tasks; i-- {
		if v := c.chosen[i-1]; c.yields(v, k) {
			if gains := c.gains(k, v); gains > 0 {
				freed += gains
				lost += v.total()
				victims = append(victims, v)
			}
		}
	}
	if freed < k.tasks || lost >= k.total() {
		return false
	}
	for _, v := range victims {
		v.chosen = false
		c.free += v.tasks
		if v.above {
			c.dropped = append(c.dropped, v)
		}
	}
	c.chosen = slices.DeleteFunc(c.chosen, func(v *claimant) bool { return !v.chosen })
	if c.take(k); !k.picky {
		c.reclaim()
	}
	return true
}

// reclaim chooses again, by falling worth, those dropped from the foreground for which there is room.
func (c *contest) reclaim() {
	c.dropped = slices.DeleteFunc(c.dropped, func(v *claimant) bool { return v.chosen })
	slices.SortFunc(c.dropped, (*claimant).compare)
	for _, v := range c.dropped {
		if v.tasks <= c.free {
			c.take(v)
		}
	}
}

// yields reports whether a chosen job can be replaced by the other. A young one can only by one that came before it and
// has waited for so long that it could itself be moved. Otherwise wide jobs might wait forever.
func (c *contest) yields(v, k *claimant) bool {
	return !v.fixed && (!v.young || k.ID < v.ID && c.pays(k.Job, k.FlowTime(c.now)))
}

// gains returns the number of processors that the job may count on if it replaces the other.
func (c *contest) gains(k, v *claimant) int {
	switch {
	case !k.picky:
		return v.tasks
	case !v.above:
		return 0
	}
	return c.suited(k, c.places(v.placement))
}

// idleFor counts the processors that suit the job and have nothing in the foreground.
func (c *contest) idleFor(k *claimant) int {
	return c.suited(k, func(yield func(int) bool) {
		for i := range c.sites {
			if c.sites[i].tasks[cluster.Foreground] == 0 && !yield(i) {
				return
			}
		}
	})
}

// suited counts the tasks of the job that those of the processors could take that suit it.
func (c *contest) suited(k *claimant, processors iter.Seq[int]) (count int) {
	var on map[cluster.NodeID]int
	if c.slotted {
		on = map[cluster.NodeID]int{}
	}
	for i := range processors {
		s := &c.sites[i]
		if !c.suits(k, s) || on != nil && on[s.node.ID] >= fitting(k.Job, k.charge, s.node, c.rooms[s.node.ID].offer.Memory) {
			continue
		}
		if count++; on != nil {
			on[s.node.ID]++
		}
	}
	return count
}

// suits reports whether the processor takes tasks of the job, if nothing else is there.
func (c *contest) suits(k *claimant, s *site) bool {
	return s.open && s.suffices(k.Job) && k.charge <= c.rooms[s.node.ID].offer.Memory &&
		(k.allows == nil || k.allows(s.node))
}
