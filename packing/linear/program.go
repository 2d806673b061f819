package linear

import (
	"fmt"
	"math"
	"slices"
)

// A Program maximises Σ Gain·x over its columns with 0 ≤ x ≤ Most, such that Σ Value·x of each row is
// at most its limit. All numbers are finite; limits and Most are at least 0.
type Program struct {
	Columns []Column
	Limits  []float64 // by row
}

// A Column is one variable: its gain, its upper bound, and its use of the rows.
type Column struct {
	Gain, Most float64
	Entries    []Entry // no row twice
}

// An Entry is the use of a row by one unit of a column's variable.
type Entry struct {
	Row   int
	Value float64
}

// Maximum returns the variables of a best answer, by column. It keeps the bounds within CLP's
// tolerance of 1e-7. It fails if the solver gives up.
func (p *Program) Maximum() ([]float64, error) {
	if len(p.Columns) == 0 {
		return nil, nil
	}
	x, status := p.arrays().primal()
	if status != 0 {
		return nil, fmt.Errorf("the solver ends with status %d after %d rows", status, len(p.Limits))
	}
	if slices.ContainsFunc(x, math.IsNaN) {
		return nil, fmt.Errorf("the solver's answer is not a number, with %d rows", len(p.Limits))
	}
	return x, nil
}
