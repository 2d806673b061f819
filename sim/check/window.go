package check

import (
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
)

// windows verifies what a policy of reservations gave standard jobs. A job whose work was done started when it was
// ready, or later, had nodes for no longer than it reserved, and ended at its deadline or before.
func (c *checker) windows(result sim.Result) {
	c.reservations(result, result.Summary().Reservations)
	c.early(result)
	if !batchOf(fmt.Sprint(c.setup.Policy)).windows {
		return
	}
	for _, o := range result.Jobs {
		if o.Class == cluster.StandardClass &&
			(o.Started < max(o.Submit, o.Ready) || o.Late() || o.Ended > o.Started+o.Reserved()) {
			c.fail("job %d was ready at %v, reserved %v and had to end at %v; it ran from %v to %v", o.ID, o.Ready,
				o.Reserved(), o.Deadline, o.Started, o.Ended)
		}
	}
}

// early verifies that a policy of deadlines on shares starts no standard job before it is ready, unless the job had
// begun before the stream.
func (c *checker) early(result sim.Result) {
	if !shares(fmt.Sprint(c.setup.Policy)) {
		return
	}
	for _, o := range result.Jobs {
		_, before := c.setup.Initials[o.ID]
		if !before && o.Class == cluster.StandardClass && o.Started < max(o.Submit, o.Ready) {
			c.fail("job %d was ready at %v and started at %v", o.ID, o.Ready, o.Started)
		}
	}
}

// missed verifies that a job that was cut took longer than it reserved, or that a node changed before. Where moves take
// time, the pauses of others may have delayed it.
func (c *checker) missed(s sim.Stopped) {
	if s.Runtime > s.Reserved() && s.Ended == s.Started+s.Reserved() && !s.Late() || c.trips != nil {
		return
	}
	if shares(fmt.Sprint(c.setup.Policy)) && s.Runtime > s.Reserved() && s.Ended >= s.Started+s.Reserved() {
		return
	}
	if !slices.ContainsFunc(c.events, func(e event) bool { return e.At <= s.Ended }) {
		c.fail("job %d was cut at %v, but it started at %v, reserved %v and takes %v", s.ID, s.Ended, s.Started,
			s.Reserved(), s.Runtime)
	}
}

// reservations verifies the part of the summary about jobs with deadlines.
func (c *checker) reservations(result sim.Result, got *sim.Reservations) {
	refused, want, slow := map[int64]bool{}, sim.Reservations{}, 0.0
	for _, s := range result.Skipped {
		refused[s.ID] = true
	}
	for _, o := range result.Jobs {
		slow += float64(o.Ended-max(o.Ready, o.Submit)) / float64(o.Runtime)
		if o.Deadline != 0 && o.Ended > o.Deadline {
			want.Missed++
		}
	}
	for _, s := range result.Stopped {
		if s.Cut || s.Deadline != 0 && s.Ended > s.Deadline {
			want.Missed++
		}
	}
	var all, accepted [3]float64 // jobs, work, wide jobs
	deadlines := false
	for _, j := range c.stream {
		wide := 0.0
		if 4*j.Tasks >= len(c.setup.Nodes) {
			wide = 1
		}
		for i, x := range [3]float64{1, float64(j.Tasks) * float64(j.Need) * j.Runtime.Seconds(), wide} {
			if all[i] += x; !refused[j.ID] {
				accepted[i] += x
			}
		}
		deadlines = deadlines || j.Deadline != 0
	}
	if deadlines != (got != nil) {
		c.fail("jobs have deadlines: %v, and the summary counts reservations: %v", deadlines, got != nil)
	}
	if got == nil {
		return
	}
	if got.Missed != want.Missed {
		c.fail("%d missed jobs are told, but there are %d", got.Missed, want.Missed)
	}
	c.compare([]comparison{
		{"the accepted part of the jobs", got.Accepted, accepted[0] / all[0]},
		{"the accepted part of the work", got.AcceptedWork, accepted[1] / all[1]},
		{"the accepted part of the wide jobs", got.AcceptedWide, accepted[2] / max(1, all[2])},
		{"the average slowdown", got.AvgSlowdown, slow / float64(max(1, len(result.Jobs)))},
	})
}
