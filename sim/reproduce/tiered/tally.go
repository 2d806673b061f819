package tiered

import (
	"fmt"

	"aliquot/sim/sweep"
)

// tally counts comparisons of two variants by their outcome. A comparison is open if the interval of the ratio holds 1:
// chance may explain the difference.
type tally struct{ better, worse, open int }

// compare compares two variants by measures of which less is better, at each place.
func (b Book) compare(places []place, v, over Variant, measures ...sweep.Measure) (t tally) {
	for _, at := range places {
		for _, m := range measures {
			switch r := b.ratio(at, v, over, m); {
			case r.N == 0:
			case r.High() < 1:
				t.better++
			case r.Low() > 1:
				t.worse++
			default:
				t.open++
			}
		}
	}
	return t
}

func (t tally) plus(o tally) tally {
	return tally{t.better + o.better, t.worse + o.worse, t.open + o.open}
}

// count returns the number of comparisons.
func (t tally) count() int { return t.better + t.worse + t.open }

// String returns the tally in words; empty without comparisons.
func (t tally) String() string {
	if t.count() == 0 {
		return ""
	}
	return fmt.Sprintf("better at %d of %d points, worse at %d", t.better, t.count(), t.worse)
}
