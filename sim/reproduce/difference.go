package reproduce

import (
	"cmp"
	"math"
	"slices"
)

// Difference sums up how a table's means, or the numbers of a part's sentences, compare with the report's.
type Difference struct {
	Title    string
	Run      int          // numbers that both we and the report have
	Far      int          // of these, numbers that differ by more than a third and by more than chance
	Ratio    float64      // median of our numbers over the report's
	Together bool         // the middle eight tenths of the ratios lie close to each other
	Farthest []Comparison // at most three of the far numbers, the farthest from the report's first
	Apart    []Comparison // if ratios lie together: the three that are farthest from their median
}

// Comparison is one number of ours and the report's.
type Comparison struct {
	Algorithm, Words string
	Ours, Published  float64
	Ratio            float64
	far              bool
}

// together is the greatest ratio of the ninth to the first decile of ratios that still counts as one common factor.
// fewest is the least number of ratios for that judgement.
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
		all = appendDifference(all, titles[p][0]+"; numbers of the text", comparisons(b.Claims(p)))
	}
	return all
}

// comparisons returns the means of a table. It omits the standard EASY, for which the report has no numbers.
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

// appendDifference appends the sum of the comparisons, if there are any.
func appendDifference(all []Difference, title string, cs []Comparison) []Difference {
	if len(cs) == 0 {
		return all
	}
	byRatio := slices.SortedStableFunc(slices.Values(cs), func(a, b Comparison) int {
		return cmp.Compare(a.Ratio, b.Ratio)
	})
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

// farthest returns at most three comparisons whose ratios are farthest from middle, in either direction.
func farthest(cs []Comparison, middle float64) []Comparison {
	distance := func(c Comparison) float64 { return math.Abs(math.Log(c.Ratio / middle)) }
	sorted := slices.SortedStableFunc(slices.Values(cs), func(a, b Comparison) int {
		return cmp.Compare(distance(b), distance(a))
	})
	return sorted[:min(3, len(sorted))]
}
