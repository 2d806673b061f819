package reproduce

import (
	"math"

	"aliquot/sim/sweep"
)

// Cell is one number of a table, ours beside the report's.
type Cell struct {
	Source, Algorithm string
	Set               Set
	Words             string // the measure, in the report's words
	Statistic         string // mean, deviation or maximum
	Ours              sweep.Distribution
	paper             float64
	known             bool
}

// cell looks both numbers up.
func (b Book) cell(source string, set Set, algorithm, words, statistic string) Cell {
	c := Cell{Source: source, Set: set, Algorithm: algorithm, Words: words, Statistic: statistic}
	c.Ours = b.over(set, algorithm, usual, measure(words))
	c.paper, c.known = published(source, set, algorithm, words+" "+statistic)
	return c
}

// Run says whether there is a number of ours.
func (c Cell) Run() bool { return c.Ours.N > 0 }

// Value is our number.
func (c Cell) Value() float64 {
	switch c.Statistic {
	case "deviation":
		return c.Ours.Deviation
	case "maximum":
		return c.Ours.Max()
	}
	return c.Ours.Mean
}

// Published is the report's number and whether it has one.
func (c Cell) Published() *float64 {
	if !c.known {
		return nil
	}
	return &c.paper
}

// Ratio is ours over the report's; nil if either is missing or the report's is zero and ours is not.
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

// What counts as another number than the report's: a mean that is off by a third, and by more than two standard
// errors where the report gives its deviation.
const (
	farRatio  = 4. / 3
	farErrors = 2
)

// Far says whether a mean of ours differs from the report's by more than a third, and by more than chance explains:
// both means come from samples of heavy-tailed values.
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
