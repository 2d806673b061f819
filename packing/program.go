package packing

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanl/clp"
)

// A program is to maximise Σ gain·raise with 0 ≤ raise ≤ most, such that the raises take no more
// than the room of any node.
type program struct {
	items []int
	nodes []int     // short nodes of these items, ascending: the rows
	room  []float64 // by row: CPU that is left there
	gain  []float64 // by item of the program, as are the next
	most  []float64
	use   [][]use
}

// A use is the CPU that a yield of 1 takes on the node of a row.
type use struct {
	row int
	cpu float64
}

func (a *average) program(items []int) *program {
	l := &program{items: items}
	for _, i := range items {
		for _, n := range a.m[i] {
			if a.short[n] {
				l.nodes = append(l.nodes, n)
			}
		}
	}
	slices.Sort(l.nodes)
	l.nodes = slices.Compact(l.nodes)
	for _, n := range l.nodes {
		l.room = append(l.room, a.spare[n])
	}
	for _, i := range items {
		l.gain = append(l.gain, a.weights[i])
		l.most = append(l.most, 1-a.yields[i])
		l.use = append(l.use, a.uses(l, i))
	}
	return l
}

// uses lists what an item takes of the rows, which ascend.
func (a *average) uses(l *program, i int) (uses []use) {
	for _, n := range slices.Sorted(slices.Values(a.m[i])) {
		row, short := slices.BinarySearch(l.nodes, n)
		switch last := len(uses) - 1; {
		case !short:
		case last >= 0 && uses[last].row == row:
			uses[last].cpu += a.p.Items[i].Need
		default:
			uses = append(uses, use{row, a.p.Items[i].Need})
		}
	}
	return uses
}

// gainScale lifts the gains far above the solver's absolute tolerance of 1e-7, so
// that it tells them apart where they differ by the preference alone.
const gainScale = 1e6

// maximum solves the program with the primal simplex method, which starts from no raise at all
// and so from a feasible answer.
// Reference: J. Forrest et al., COIN-OR Linear Programming (CLP).
func (l *program) maximum() ([]float64, error) {
	matrix, columns := clp.NewPackedMatrix(), make([]clp.Bounds, len(l.items))
	matrix.SetDimensions(len(l.nodes), 0)
	rows, scale := make([]clp.Bounds, len(l.nodes)), 1.0
	for row := range rows {
		rows[row] = clp.Bounds{Lower: math.Inf(-1), Upper: 1}
	}
	for _, gain := range l.gain {
		scale = max(scale, gain)
	}
	gains := make([]float64, len(l.items))
	for k, uses := range l.use {
		column := make([]clp.Nonzero, len(uses))
		for at, u := range uses {
			column[at] = clp.Nonzero{Index: u.row, Value: u.cpu / l.room[u.row]}
		}
		matrix.AppendColumn(column)
		columns[k], gains[k] = clp.Bounds{Lower: 0, Upper: l.most[k]}, l.gain[k]/scale*gainScale
	}
	simplex := clp.NewSimplex()
	simplex.LoadProblem(matrix, columns, gains, rows, nil)
	simplex.SetOptimizationDirection(clp.Maximize)
	simplex.SetMaxIterations(100 * (len(rows) + len(columns) + 10))
	if status := simplex.Primal(clp.NoValuesPass, clp.NoStartFinishOptions); status != clp.Optimal {
		return nil, fmt.Errorf("the solver ends with status %d after %d rows", status, len(rows))
	}
	raises := simplex.PrimalColumnSolution()
	if slices.ContainsFunc(raises, math.IsNaN) {
		return nil, fmt.Errorf("the solver's answer is no number, with %d rows", len(rows))
	}
	return raises, nil
}
