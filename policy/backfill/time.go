package backfill

import (
	"math/bits"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// never is after everything that will happen.
const never = calendar.Never

// lasting is how long work takes that would take so long at full speed, when a task that needs
// so much has a share, as the state's clock counts: rounded up, with what is left over from before.
func lasting(work cluster.Time, need, share cluster.CPU, over int64) cluster.Time {
	if work == never || share >= need {
		return work
	}
	high, low := bits.Mul64(uint64(work), uint64(need))
	low, borrow := bits.Sub64(low, uint64(over), 0)
	low, carry := bits.Add64(low, uint64(share)-1, 0)
	if high = high - borrow + carry; high >= uint64(share) {
		return never
	}
	if time, _ := bits.Div64(high, low, uint64(share)); time < uint64(never) {
		return cluster.Time(time)
	}
	return never
}

// next is when a job is expected to end that should have ended before: the next instant.
const next = cluster.Microsecond

// ends returns when a job that holds nodes is expected to end, given its expected processing time. A job that makes no
// progress yet is expected to make it with that share from now on. One that is past its end, or of unknown processing time,
// counts as ending next instant.
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
