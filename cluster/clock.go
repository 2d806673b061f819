package cluster

import (
	"math"
	"math/bits"
)

// Clock integrates a job's virtual time (RR-7659, section 4.1) and running time: the rate of progress is share/need
// less the part that is stolen. It is exact: the remainder of the integer division is carried along.
type Clock struct {
	Virtual   Time  // integral of the rate of progress up to At, in microseconds
	Remainder int64 // of the division by which Virtual was computed, in units of 1/need of a microsecond
	Running   Time  // wall time with a positive share up to At, in microseconds
	At        Time  // last settled, in microseconds
	Share     CPU   // cap in force of the slowest live task, in millicores; 0 while any of them makes no progress
	Steal     Parts // of Share that does not count as progress, from 0 to Whole
}

// at returns the clock moved forward to now, for a job of the given need.
func (c Clock) at(now Time, need CPU) Clock {
	d := now - c.At
	if d <= 0 {
		return c
	}
	c.At = now
	if c.Share > 0 {
		part, whole, unit := c.speed(need)
		hi, lo := bits.Mul64(uint64(d), part)
		lo, carry := bits.Add64(lo, uint64(c.Remainder)*unit, 0)
		q, r := bits.Div64(hi+carry, lo, whole)
		c.Virtual += Time(q)
		c.Remainder = int64(r)
		if unit > 1 {
			c.Remainder = int64(r / unit)
		}
		c.Running += d
	}
	return c
}

// speed returns the rate of progress as a fraction, for a job of the given need. Where nothing is stolen it is exactly
// share/need. Otherwise both are multiplied by the unit, so that a remainder has to be, too; the part of the next
// remainder below 1/need of a microsecond is dropped.
func (c Clock) speed(need CPU) (part, whole, unit uint64) {
	part, whole = uint64(min(c.Share, need)), uint64(need)
	if c.Steal == 0 {
		return part, whole, 1
	}
	return part * uint64(Whole-c.Steal), whole * uint64(Whole), uint64(Whole)
}

// Reaches returns the first microsecond, not before At, at which the virtual time of a job of the given need is at
// least virtual if its share stays; false: it never is.
func (c Clock) Reaches(virtual Time, need CPU) (Time, bool) {
	left := virtual - c.Virtual
	if left <= 0 {
		return c.At, true
	}
	part, whole, unit := c.speed(need)
	if c.Share <= 0 || part == 0 {
		return 0, false
	}
	// The least d with remainder + d·part ≥ left·whole.
	hi, lo := bits.Mul64(uint64(left), whole)
	lo, borrow := bits.Sub64(lo, uint64(c.Remainder)*unit, 0)
	lo, carry := bits.Add64(lo, part-1, 0)
	if hi = hi - borrow + carry; hi >= part {
		return 0, false
	}
	d, _ := bits.Div64(hi, lo, part)
	if d >= uint64(math.MaxInt64-c.At) {
		return 0, false
	}
	return c.At + Time(d), true
}

// pace returns the cap and the steal of the job's slowest live task. It returns 0 and 0 while any live task makes no
// progress. A cap above what the task can use on its node counts as that.
func (s *State) pace(j *Job, observed bool) (least CPU, steal Parts) {
	least, any := j.Spec.Need, false
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase == Done {
			continue
		}
		if t.Phase != Running || t.Frozen || t.Killed {
			return 0, 0
		}
		var stolen Parts
		if observed {
			stolen = t.steal()
		}
		cap := min(t.Observed, j.Spec.Need)
		if n := s.Node(t.Node); n != nil {
			cap = min(cap, n.Ceiling(j.Spec))
		}
		if !any || slower(cap, stolen, least, steal) {
			least, steal, any = cap, stolen, true
		}
	}
	if !any || least == 0 {
		return 0, 0
	}
	return least, steal
}

// slower reports whether one cap and steal make less progress than others, or as much with a smaller cap.
func slower(cap CPU, steal Parts, than CPU, thanSteal Parts) bool {
	a, b := int64(cap)*int64(Whole-steal), int64(than)*int64(Whole-thanSteal)
	return a < b || a == b && cap < than
}

// FlowTime returns the time since submission, or since the last job that it waited for ended. While it waits for
// others, it is zero.
func (j *Job) FlowTime(now Time) Time {
	if j.Waits > 0 {
		return 0
	}
	return max(0, now-max(j.Submitted, j.Eligible))
}

// VirtualTime returns the integral, since submission, of the rate of progress that the job could have had.
func (j *Job) VirtualTime(now Time) Time { return j.Clock.at(now, j.Spec.Need).Virtual }

// VirtualParts returns the virtual time in parts of a microsecond, rounded down.
func (j *Job) VirtualParts(parts int64, now Time) int64 {
	c := j.Clock.at(now, j.Spec.Need)
	return int64(c.Virtual)*parts + c.Remainder*parts/int64(j.Spec.Need)
}

// RunningTime returns the wall time during which all live tasks made progress.
func (j *Job) RunningTime(now Time) Time { return j.Clock.at(now, j.Spec.Need).Running }

// Priority returns the job's flow time / (virtual time)², in 1/s (RR-7659, section 4.1).
func (j *Job) Priority(now Time) float64 { return Priority(j.FlowTime(now), j.VirtualTime(now)) }

// Priority returns the priority of a job with the given flow time and virtual time. Before the first progress it is
// infinite.
func Priority(flow, virtual Time) float64 {
	vt := virtual.Seconds()
	if vt == 0 {
		return math.Inf(1)
	}
	return flow.Seconds() / (vt * vt)
}
