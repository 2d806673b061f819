package reserve

import (
	"math/bits"

	"aliquot/cluster"
)

// Rule chooses among the possible starts of a job.
type Rule uint8

// The rules, by their names in the paper.
const (
	FF    Rule = iota // first fit: the earliest start
	PEB               // PE_B, PE best fit: the fewest free nodes
	PEW               // PE_W, PE worst fit: the most free nodes
	DuB               // Du_B, duration best fit: the shortest rectangle
	DuW               // Du_W, duration worst fit: the longest rectangle
	PEDuB             // PEDu_B, PE-duration best fit: the smallest rectangle
	PEDuW             // PEDu_W, PE-duration worst fit: the largest rectangle
)

var ruleNames = [...]string{"FF", "PE_B", "PE_W", "Du_B", "Du_W", "PEDu_B", "PEDu_W"}

// Rules lists all rules.
var Rules = []Rule{FF, PEB, PEW, DuB, DuW, PEDuB, PEDuW}

// String returns the rule's name in the paper.
func (r Rule) String() string { return ruleNames[r] }

// rectangle is the availability rectangle of a start, as far as the rule needs it.
type rectangle struct {
	nodes int          // that are free for the duration
	lasts cluster.Time // how long all of them are free around it; not set for FF, PE_B and PE_W
}

// lasting reports whether the rule compares the lengths of rectangles.
func (r Rule) lasting() bool { return r >= DuB }

// better reports whether the rule prefers a rectangle over another. An earlier start wins over an equal one.
func (r Rule) better(a, b rectangle) bool {
	switch r {
	case PEB:
		return a.nodes < b.nodes
	case PEW:
		return a.nodes > b.nodes
	case DuB:
		return a.lasts < b.lasts
	case DuW:
		return a.lasts > b.lasts
	case PEDuB:
		return a.smaller(b)
	case PEDuW:
		return b.smaller(a)
	}
	return false
}

// smaller reports whether the area of a is below that of b. Areas may exceed 64 bits.
func (a rectangle) smaller(b rectangle) bool {
	high, low := bits.Mul64(uint64(a.nodes), uint64(a.lasts))
	otherHigh, otherLow := bits.Mul64(uint64(b.nodes), uint64(b.lasts))
	return high < otherHigh || high == otherHigh && low < otherLow
}
