package reproduce

import (
	"cmp"
	"math"
	"slices"
)

// Difference is how a table's means lie to the report's.
type Difference struct {
	Title    string
	Run      int     // means that both have
	Far      int     // of them, how many are off by more than a third and than chance
	Ratio    float64 // the median of ours over the report's
	Together bool    // the middle eight tenths of the ratios lie close to each other
	Farthest []Cell  // at most three of the far ones, the farthest first
}

// together is how far apart the first and the ninth decile of ratios may be to count as one common factor.
const together = 1.5

// differences sums every table up that has means of ours.
func (b Book) differences() (all []Difference) {
	for _, p := range b.Scope.Parts {
		for _, t := range b.Tables(p) {
			if d := t.difference(); d.Run > 0 {
				d.Title = titles[p][0] + "; " + t.Title
				all = append(all, d)
			}
		}
	}
	return all
}

func (t Table) difference() (d Difference) {
	var ratios []float64
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			r := c.Ratio()
			if c.Statistic != "mean" || r == nil || row.Algorithm == EASY {
				continue
			}
			ratios = append(ratios, *r)
			if c.Far() {
				d.Farthest = append(d.Farthest, c)
			}
		}
	}
	d.Run, d.Far = len(ratios), len(d.Farthest)
	if d.Run == 0 {
		return d
	}
	slices.Sort(ratios)
	at := func(part float64) float64 { return ratios[int(part*float64(d.Run-1)+0.5)] }
	d.Ratio, d.Together = at(0.5), at(0.1) > 0 && at(0.9)/at(0.1) <= together
	slices.SortStableFunc(d.Farthest, func(a, b Cell) int { return cmp.Compare(b.distance(), a.distance()) })
	d.Farthest = d.Farthest[:min(3, d.Far)]
	return d
}

// distance is how far the ratio is from 1, either way.
func (c Cell) distance() float64 {
	if c.Value() == 0 {
		return math.Inf(1)
	}
	return math.Abs(math.Log(c.Value() / c.paper))
}
