package reproduce

import (
	"cmp"
	"math"
	"slices"
)

// Difference is how a table's means, or the numbers of a part's sentences, lie to the report's.
type Difference struct {
	Title    string
	Run      int          // numbers that both have
	Far      int          // of them, how many differ by more than a third and than chance
	Ratio    float64      // the median of ours over the report's
	Together bool         // the middle eight tenths of the ratios lie close to each other
	Farthest []Comparison // at most three of the far ones, the farthest from the report's first
	Apart    []Comparison // where ratios lie together: the three that are farthest from their median
}

// Comparison is a number of ours beside the report's.
type Comparison struct {
	Algorithm, Words string
	Ours, Published  float64
	Ratio            float64
	far              bool
}

// together is how far apart the first and the ninth decile of ratios may be to count as one common factor, and
// fewest is how many ratios it takes to speak of one.
const (
	together = 1.5
	fewest   = 5
)

// differences sums up every table that has means of ours, and the sentences of every part.
func (b Book) differences() (all []Difference) {
	for _, p := range b.Scope.Parts {
		for _, t := range b.Tables(p) {
			all = appendDifference(all, titles[p][0]+"; "+t.Title, t.comparisons())
		}
		all = appendDifference(all, titles[p][0]+"; what the text says", comparisons(b.Claims(p)))
	}
	return all
}

// comparisons are the means of a table; those of the standard EASY, whose numbers the report has not, are left out.
func (t Table) comparisons() (all []Comparison) {
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			if r := c.Ratio(); c.Statistic == "mean" && r != nil && row.Algorithm != EASY {
				all = append(all, Comparison{c.Algorithm, c.Words, c.Value(), c.paper, *r, c.Far()})
			}
		}
	}
	return all
}

func comparisons(claims []Claim) (all []Comparison) {
	for _, c := range claims {
		if r := c.Ratio(); r != nil {
			all = append(all, Comparison{c.Algorithm, c.Words + ", " + c.Set.Title(), *c.Ours, c.Published, *r, c.Far()})
		}
	}
	return all
}

// appendDifference sums comparisons up, if there are any.
func appendDifference(all []Difference, title string, cs []Comparison) []Difference {
	if len(cs) == 0 {
		return all
	}
	byRatio := slices.SortedStableFunc(slices.Values(cs), func(a, b Comparison) int { return cmp.Compare(a.Ratio, b.Ratio) })
	at := func(part float64) float64 { return byRatio[int(part*float64(len(cs)-1)+0.5)].Ratio }
	d := Difference{Title: title, Run: len(cs), Ratio: at(0.5)}
	d.Together = d.Run >= fewest && at(0.1) > 0 && at(0.9)/at(0.1) <= together
	far := slices.DeleteFunc(slices.Clone(cs), func(c Comparison) bool { return !c.far })
	d.Far, d.Farthest = len(far), farthest(far, 1)
	if d.Together {
		d.Apart = farthest(cs, d.Ratio)
	}
	return append(all, d)
}

// farthest are the at most three whose ratios are farthest from a middle, either way.
func farthest(cs []Comparison, middle float64) []Comparison {
	distance := func(c Comparison) float64 { return math.Abs(math.Log(c.Ratio / middle)) }
	sorted := slices.SortedStableFunc(slices.Values(cs), func(a, b Comparison) int { return cmp.Compare(distance(b), distance(a)) })
	return sorted[:min(3, len(sorted))]
}
