package reserve

import (
	"fmt"

	"aliquot/sim/reproduce"
)

// tally counts differences by their sign. A difference is open if its interval holds 0: chance may explain it.
type tally struct{ more, less, open int }

// note counts a difference, unless it was not run.
func (t *tally) note(d reproduce.Mean) {
	switch {
	case d.N == 0:
	case d.Low() > 0:
		t.more++
	case d.High() < 0:
		t.less++
	default:
		t.open++
	}
}

// compare compares two policies at each point.
func (b Book) compare(at []Point, policy, than string, m measure) (t tally) {
	for _, p := range at {
		t.note(b.gain(cell{p, policy}, cell{p, than}, m))
	}
	return t
}

func (t tally) plus(o tally) tally { return tally{t.more + o.more, t.less + o.less, t.open + o.open} }

// count returns the number of comparisons.
func (t tally) count() int { return t.more + t.less + t.open }

// words returns the tally in words; empty without comparisons.
func (t tally) words(more, less string) string {
	if t.count() == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %d of %d comparisons, %s in %d", more, t.more, t.count(), less, t.less)
}
