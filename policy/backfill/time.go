package backfill

import (
	"math/bits"

	"aliquot/cluster"
)

// after is a time that much later, or never.
func after(at, lasts cluster.Time) cluster.Time {
	if lasts >= never-at {
		return never
	}
	return at + lasts
}

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

// ends is when a job that holds nodes is expected to end. One past its estimate, or without
// one, counts as ending next instant.
func ends(j *cluster.Job, share cluster.CPU, now cluster.Time) cluster.Time {
	from, over := now, j.Clock.Remainder
	if j.Clock.Share > 0 {
		from, share = j.Clock.At, j.Clock.Share
	}
	if work := j.Spec.Estimate - j.Clock.Virtual; work > 0 {
		return max(after(from, lasting(work, j.Spec.Need, share, over)), now+next)
	}
	return now + next
}
