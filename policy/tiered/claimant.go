package tiered

import (
	"cmp"
	"math/bits"

	"aliquot/cluster"
)

// claimant is a job that competes for places.
type claimant struct {
	*holder
	request
	worth   uint64             // of a place in the foreground to each of its tasks
	above   bool               // it was in the foreground
	fixed   bool               // it can lose its place to nobody
	young   bool               // it has not done enough work to be moved
	picky   bool               // not every open node suits it
	chosen  bool               // it is to be in the foreground
	lifted  *cluster.Placement // in the foreground, which it gave up; nil: none
	covered bool               // it is in the background, and some of its nodes have a foreground task
}

// compare orders claimants by falling worth. Ties go to those in the foreground, then to the earlier.
func (k *claimant) compare(o *claimant) int {
	switch {
	case k.worth != o.worth:
		return cmp.Compare(o.worth, k.worth)
	case k.above != o.above && k.above:
		return -1
	case k.above != o.above:
		return 1
	}
	return cmp.Compare(k.ID, o.ID)
}

// total returns the worth of places in the foreground to all tasks of the job.
func (k *claimant) total() uint64 { return k.worth * uint64(k.tasks) }

// claimant returns the claim of a job.
func (c *contest) claimant(h *holder) *claimant {
	j, v := h.job, c.view
	k := &claimant{holder: h, request: c.demand(j)}
	k.above = h.placement != nil && h.placement.Tier == cluster.Foreground && !h.leaving
	k.picky = k.allows != nil || c.spread(j.Spec) || j.Spec.Need > c.small.CPU || k.charge > c.small.Memory
	k.fixed = k.above && (!v.Candidate(j) || v.Stuck(j))
	k.young = k.above && j.Spec.Class != cluster.BackgroundClass && !c.pays(j, j.VirtualTime(c.now))
	k.worth = worth(j.FlowTime(c.now), j.VirtualTime(c.now), k.tasks)
	if k.above {
		k.worth = min(mostWorth, k.worth*hysteresis)
	}
	return k
}

// demand is the request of a job whose estimate does not matter.
func (c *contest) demand(j *cluster.Job) request {
	r := c.request(j)
	r.lasts = 0
	return r
}

// pays reports whether the job may be resumed or moved once more: all that costs at most the policy's part of the time.
func (c *contest) pays(j *cluster.Job, time cluster.Time) bool {
	cost := c.view.Cost(j)
	hi, lo := bits.Mul64(uint64(max(cost.ResumeTime, cost.MoveTime))*uint64(cost.Moves+1), uint64(cluster.Whole))
	most, rest := bits.Mul64(uint64(time), uint64(c.pay))
	return hi < most || hi == most && lo <= rest
}

// eager reports whether the job may go to the foreground of other nodes. One that runs in the background waits until it
// can pay for that.
func (c *contest) eager(k *claimant) bool {
	return k.Spec.Class != cluster.BackgroundClass && c.view.Candidate(k.Job) &&
		(k.placement == nil || !c.view.Stuck(k.Job) && (k.leaving || c.pays(k.Job, k.FlowTime(c.now))))
}
