package cluster

import "math/bits"

// Clock integrates a job's virtual time (RR-7659, section 4.1) and running time. It is
// exact: the remainder of the integer division is carried along.
type Clock struct {
	Virtual   Time // integral of the yield up to At
	Remainder int64
	Running   Time // wall time with a positive yield up to At
	At        Time
	Share     CPU // least cap in force of all live tasks; 0 while any of them makes no progress
}

// at returns the clock moved forward to now, for a job of the given need.
func (c Clock) at(now Time, need CPU) Clock {
	d := now - c.At
	if d <= 0 {
		return c
	}
	c.At = now
	if c.Share > 0 {
		hi, lo := bits.Mul64(uint64(d), uint64(min(c.Share, need)))
		lo, carry := bits.Add64(lo, uint64(c.Remainder), 0)
		q, r := bits.Div64(hi+carry, lo, uint64(need))
		c.Virtual += Time(q)
		c.Remainder = int64(r)
		c.Running += d
	}
	return c
}

// share is the least cap in force over the job's live tasks, 0 while one of them stands still.
func (j *Job) share() CPU {
	least, any := j.Spec.Need, false
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase == Done {
			continue
		}
		if t.Phase != Running || t.Frozen {
			return 0
		}
		least, any = min(least, t.Observed), true
	}
	if !any {
		return 0
	}
	return least
}

// FlowTime is the time since submission.
func (j *Job) FlowTime(now Time) Time { return max(0, now-j.Submitted) }

// VirtualTime is the integral of the job's yield since submission.
func (j *Job) VirtualTime(now Time) Time { return j.Clock.at(now, j.Spec.Need).Virtual }

// RunningTime is the wall time during which all live tasks made progress.
func (j *Job) RunningTime(now Time) Time { return j.Clock.at(now, j.Spec.Need).Running }
