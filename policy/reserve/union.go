package reserve

import (
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

// move makes the run consist of the steps from first to before last. It must not be empty.
func (u *union) move(first, last int) {
	if first >= u.turn {
		u.flip(first, last)
		return
	}
	for ; u.last < last; u.last++ {
		for i, w := range u.steps.Busy(u.last) {
			u.behind[i] |= w
		}
	}
}

// flip moves the turn to the end of the run.
func (u *union) flip(first, last int) {
	u.turn, u.last = last, last
	clear(u.behind)
	copy(u.suffix(last-1), u.steps.Busy(last-1))
	for step := last - 2; step >= first; step-- {
		into, next := u.suffix(step), u.suffix(step+1)
		for i, w := range u.steps.Busy(step) {
			into[i] = w | next[i]
		}
	}
}
