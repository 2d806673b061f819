package check

import (
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// windows verifies that a policy of reservations keeps to what the jobs asked for: a job whose work was done started when
// it was ready, or later, had nodes for no longer than it reserved, and ended at its deadline or before.
func (c *checker) windows(result sim.Result) {
	if !batchOf(fmt.Sprint(c.setup.Policy)).windows {
		return
	}
	for _, o := range result.Jobs {
		if o.Started < max(o.Submit, o.Ready) || o.Late() || o.Ended > o.Started+reserved(o.Job) {
			c.fail("job %d was ready at %v, reserved %v and had to end at %v; it ran from %v to %v", o.ID, o.Ready,
				reserved(o.Job), o.Deadline, o.Started, o.Ended)
		}
	}
}

// reserved returns the duration that the job reserves.
func reserved(j workload.Job) cluster.Time {
	if j.Estimate != 0 {
		return j.Estimate
	}
	return j.Runtime
}

// missed verifies that a job that was cut took longer than it reserved, or that a node changed before.
func (c *checker) missed(s sim.Stopped) {
	if s.Runtime > reserved(s.Job) && s.Ended == s.Started+reserved(s.Job) && (s.Deadline == 0 || s.Ended <= s.Deadline) {
		return
	}
	if !slices.ContainsFunc(c.events, func(e event) bool { return e.Kind.AboutNode() && e.At <= s.Ended }) {
		c.fail("job %d was cut at %v, but it started at %v, reserved %v and takes %v", s.ID, s.Ended, s.Started,
			reserved(s.Job), s.Runtime)
	}
}
