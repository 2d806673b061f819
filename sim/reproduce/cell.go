package reproduce

import (
	"math"

	"aliquot/sim/sweep"
)

// Cell is one number of a table: ours and the report's.
type Cell struct {
	Source, Algorithm string
	Set               Set
	Words             string // the measure, in the report's words
	Statistic         string // mean, deviation or maximum
	Ours              sweep.Distribution
	paper             float64
	known             bool
}

// cell looks up both numbers.
func (b Book) cell(source string, set Set, algorithm, words, statistic string) Cell {
	c := Cell{Source: source, Set: set, Algorithm: algorithm, Words: words, Statistic: statistic}
	c.Ours = b.over(set, algorithm, usual, measure(words))
	c.paper, c.known = published(source, set, algorithm, words+" "+statistic)
	return c
}

// Run reports whether our number exists.
func (c Cell) Run() bool { return c.Ours.N > 0 }

// Value returns our number.
func (c Cell) Value() float64 {
	switch c.Statistic {
	case "deviation":
		return c.Ours.Deviation
	case "maximum":
		return c.Ours.Max()
	}
	return c.Ours.Mean
}

// Published returns the report's number; nil if it has none.
func (c Cell) Published() *float64 {
	if !c.known {
		return nil
	}
	return &c.paper
}

// Ratio returns our number over the report's; nil if either is missing, or if the report's is zero and ours is not.
func (c Cell) Ratio() *float64 {
	ratio := c.Value() / c.paper
	switch {
	case !c.Run() || !c.known || c.paper == 0 && c.Value() != 0:
		return nil
	case c.paper == 0:
		ratio = 1
	}
	return &ratio
}

// A mean differs from the report's if it is off by a third and, where the report gives a deviation, by more than two
// standard errors.
const (
	farRatio  = 4. / 3
	farErrors = 2
)

// Far reports whether our mean differs from the report's by more than a third and by more than chance explains: both
// means come from samples of heavy-tailed values.
func (c Cell) Far() bool {
	r := c.Ratio()
	if c.Statistic != "mean" || r == nil || *r < farRatio && *r > 1/farRatio {
		return false
	}
	deviation, ok := published(c.Source, c.Set, c.Algorithm, c.Words+" deviation")
	if !ok {
		return true
	}
	ours := c.Ours.Deviation / math.Sqrt(float64(c.Ours.N))
	theirs := deviation / math.Sqrt(float64(c.Set.size()))
	return math.Abs(c.Value()-c.paper) > farErrors*math.Hypot(ours, theirs)
}
