package reserve

import (
	"math/bits"
	"slices"

	"aliquot/policy/calendar"
)

// union is the union of the busy sets of a run of consecutive steps. The run moves forwards only. Steps up to the turn
// hold the union from them up to the turn, and one set holds the union from the turn on, so that each step is looked at
// twice however many runs it belongs to.
type union struct {
	steps      *calendar.Steps
	last, turn int
	suffixes   []uint64 // per step before the turn
	behind     []uint64 // union of the steps from the turn on
	words      int
}

func (u *union) reset(s *calendar.Steps) {
	u.steps, u.last, u.turn, u.words = s, 0, 0, len(s.Busy(0))
	u.suffixes = slices.Grow(u.suffixes[:0], len(s.At)*u.words)[:len(s.At)*u.words]
	u.behind = slices.Grow(u.behind[:0], u.words)[:u.words]
	clear(u.behind)
}

// suffix returns the union from a step, which is before the turn, up to the turn.
func (u *union) suffix(step int) []uint64 { return u.suffixes[step*u.words:][:u.words] }

// free returns the number of nodes that are free in all steps from first to before last.
func (u *union) free(first, last int) (count int) {
	u.move(first, last)
	behind := u.behind
	for i, w := range u.suffix(first)[:len(behind)] {
		count += bits.OnesCount64(^(w | behind[i]))
	}
	return count
}

// put returns the nodes that are free in the whole run, which begins with the step. It reuses the memory of a set.
func (u *union) put(first int, set calendar.Set) calendar.Set {
	set = slices.Grow(set[:0], u.words)[:u.words]
	for i, w := range u.suffix(first)[:len(set)] {
		set[i] = ^(w | u.behind[i])
	}
	return set
}

// move makes the run consist of the steps from first to before last. It must not be empty.
func (u *union) move(first, last int) {
	if first >= u.turn {
		u.flip(first, last)
		return
	}
	for ; u.last < last; u.last++ {
		unite(u.behind, u.steps.Busy(u.last))
	}
}

// flip moves the turn to the end of the run.
func (u *union) flip(first, last int) {
	u.turn, u.last = last, last
	clear(u.behind)
	copy(u.suffix(last-1), u.steps.Busy(last-1))
	for step := last - 2; step >= first; step-- {
		into := u.suffix(step)
		next, busy := u.suffix(step + 1)[:len(into)], u.steps.Busy(step)[:len(into)]
		for i := range into {
			into[i] = busy[i] | next[i]
		}
	}
}

// unite adds a set to another.
func unite(set, more []uint64) {
	more = more[:len(set)]
	for i := range set {
		set[i] |= more[i]
	}
}

// invert replaces a set by the nodes that are not in it.
func invert(set []uint64) {
	for i := range set {
		set[i] = ^set[i]
	}
}
