package tiered

import (
	"math"
	"slices"

	"aliquot/cluster"
)

// contest is one decision of Attained.
type contest struct {
	*decision
	pay      cluster.Parts
	all      []*claimant   // by falling worth
	chosen   []*claimant   // for the foreground, by falling worth
	dropped  []*claimant   // that were in the foreground and are not chosen, or were not for a while
	weakest  *claimant     // of chosen, that is replaced first; nil: none can be but young ones
	youngest cluster.JobID // of chosen, the latest young one; 0: none
	free     int           // open processors that no chosen job counts on
	small    cluster.Offer // least CPU, and least part of a node's memory, that an open processor offers
	below    []int         // by processor: 1 + the index in all of the job in the background there; 0: none
}

// decide chooses the jobs for the foreground, then places them: first those that stay or can rise where they are.
func (c *contest) decide() {
	c.relieve()
	c.adjust()
	for _, id := range c.news.Submitted {
		c.refuseWide(c.view.Job(id))
	}
	c.gather()
	c.choose()
	c.lift()
	c.survey()
	c.advance()
	c.restore()
	c.descend()
	c.harvest()
	c.explainRest()
}

// gather lists the jobs by worth.
func (c *contest) gather() {
	c.small = cluster.Offer{CPU: math.MaxInt64, Memory: math.MaxInt64}
	for n := range c.sites {
		if s := &c.sites[n]; s.open {
			part := c.rooms[s.node.ID].offer.Memory / cluster.Bytes(s.node.Description.Slots())
			c.small = cluster.Offer{CPU: min(c.small.CPU, s.cpu), Memory: min(c.small.Memory, part)}
		}
	}
	for i := range c.held {
		c.all = append(c.all, c.claimant(&c.held[i]))
	}
	for j := range c.view.Waiting(func() int { return math.MaxInt }) {
		if c.view.Candidate(j) && !c.Refused(j.ID) {
			c.all = append(c.all, c.claimant(&holder{job: j}))
		}
	}
	slices.SortFunc(c.all, (*claimant).compare)
}

// lift takes the jobs that were not chosen from the foreground, where the store has room for them.
func (c *contest) lift() {
	for _, k := range c.all {
		if k.above && !k.chosen && c.pausable(k.Job) {
			k.lifted = k.placement
			c.pause(k.holder)
		}
	}
}

// survey notes which jobs are, or may be, in the background of which processors.
func (c *contest) survey() {
	c.below = make([]int, len(c.sites))
	for i, k := range c.all {
		p := k.placement
		if k.lifted != nil {
			p = k.lifted
		} else if p == nil || p.Tier == cluster.Foreground {
			continue
		}
		for at := range c.places(p) {
			c.below[at] = i + 1
			k.covered = k.covered || c.sites[at].tasks[cluster.Foreground] > 0
		}
	}
}
