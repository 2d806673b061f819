package reserve

import (
	"fmt"

	"aliquot/sim/reproduce"
)

// tally counts differences by their sign. A difference is open if its interval holds 0: chance may explain it.
type tally struct{ more, less, open int }

// tallyOf counts differences; none if one of them was not run.
func tallyOf(differences []reproduce.Mean) (t tally) {
	for _, d := range differences {
		switch {
		case d.N == 0:
			return tally{}
		case d.Low() > 0:
			t.more++
		case d.High() < 0:
			t.less++
		default:
			t.open++
		}
	}
	return t
}

// differences lists by how much more of a measure a policy has than another, at each point.
func (b Book) differences(at []Point, policy, than string, m measure) (list []reproduce.Mean) {
	for _, p := range at {
		list = append(list, b.gain(cell{p, policy}, cell{p, than}, m))
	}
	return list
}

// count returns the number of comparisons.
func (t tally) count() int { return t.more + t.less + t.open }

// words returns the tally in words; empty without comparisons.
func (t tally) words(more, less string) string {
	if t.count() == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %d of %d comparisons, %s in %d", more, t.more, t.count(), less, t.less)
}
