package backfill

import (
	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// never is later than every event.
const never = calendar.Never

// lasting returns how long work takes if a task with the given need has the given share. work is the time at full
// speed. The result is rounded up as the state's clock rounds, with the remainder over from before.
func lasting(work cluster.Time, need, share cluster.CPU, over int64) cluster.Time {
	if time, ever := (cluster.Clock{Share: share, Remainder: over}).Reaches(work, need); ever {
		return time
	}
	return never
}

// next is the expected remaining time of a job that should have ended already: one instant.
const next = cluster.Microsecond

// ends returns the expected end of a job that holds nodes, given its expected processing time. A job that makes no
// progress yet is expected to progress with that share from now on. A job that is past its end, or whose processing
// time is unknown, counts as ending in the next instant.
func ends(j *cluster.Job, processing cluster.Time, share cluster.CPU, now cluster.Time) cluster.Time {
	c := j.Clock
	if c.Share <= 0 {
		c.At, c.Share, c.Steal = now, share, 0
	}
	if at, ever := c.Reaches(processing, j.Spec.Need); ever {
		return max(at, now+next)
	}
	return never
}
