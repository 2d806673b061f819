package tiered

import (
	"math"
	"slices"

	"aliquot/cluster"
)

// contest is one decision of Attained.
type contest struct {
	*decision
	pay   cluster.Parts
	all   []*claimant // by falling worth
	below []int       // by node: 1 + the index in all of the job in the background there; 0: none
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

// refuseWide refuses a job with more tasks than there are nodes, up or not, that could take one.
func (c *contest) refuseWide(j *cluster.Job) {
	if able, known := c.possible(j); j.Started == 0 && known > 0 && able < j.Live() {
		c.Refuse(j, cluster.WhyTooFewNodes, int64(able), int64(j.Live()))
	}
}

// gather lists the jobs by worth.
func (c *contest) gather() {
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

// choose chooses jobs for the foreground by their number of tasks alone: those that keep their places, then by worth.
// A wide job that does not fit beside better ones may still replace them.
func (c *contest) choose() {
	free := c.open
	for _, k := range c.all {
		if k.fixed || k.young {
			k.chosen = true
			free -= k.tasks
		}
	}
	for _, k := range c.all {
		if c.claims(k) && k.tasks <= free {
			k.chosen = true
			free -= k.tasks
		}
	}
	for i, k := range c.all {
		if c.claims(k) && k.tasks <= c.open {
			free = c.replace(i, free)
		}
	}
}

// claims reports whether the job asks for a place in the foreground that it has not been given.
func (c *contest) claims(k *claimant) bool {
	return !k.chosen && (k.above && k.Spec.Class != cluster.BackgroundClass || c.eager(k))
}

// replace chooses a job instead of chosen ones of the least worth, if its places are worth more to it than theirs to
// them. It returns the number of free places afterwards.
func (c *contest) replace(i, free int) int {
	k, lost, last := c.all[i], uint64(0), len(c.all)
	freed := free
	for last > 0 && freed < k.tasks {
		if last--; c.yields(c.all[last], k) {
			freed += c.all[last].tasks
			lost += c.all[last].total()
		}
	}
	if freed < k.tasks || lost >= k.total() {
		return free
	}
	for _, v := range c.all[last:] {
		if c.yields(v, k) {
			v.chosen = false
		}
	}
	k.chosen = true
	free = freed - k.tasks
	for _, v := range c.all[last:] {
		if v.above && !v.chosen && v.tasks <= free {
			v.chosen = true
			free -= v.tasks
		}
	}
	return free
}

// yields reports whether a chosen job can be replaced by the other. A young one can only by one that came before it and
// has waited for so long that it could itself be moved. Otherwise wide jobs might wait forever.
func (c *contest) yields(v, k *claimant) bool {
	return v.chosen && !v.fixed && (!v.young || k.ID < v.ID && c.pays(k.Job, k.FlowTime(c.now)))
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

// survey notes which jobs are, or may be, in the background of which nodes.
func (c *contest) survey() {
	c.below = make([]int, len(c.sites))
	for i, k := range c.all {
		p := k.placement
		if k.lifted != nil {
			p = k.lifted
		} else if p == nil || p.Tier == cluster.Foreground {
			continue
		}
		for _, n := range live(p.Nodes) {
			c.below[n] = i + 1
			k.covered = k.covered || c.sites[n].tasks[cluster.Foreground] > 0
		}
	}
}
