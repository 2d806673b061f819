package bound

import (
	"math"
	"slices"
)

// A game is played by prices against placements: one side splits a price of 1 among the rows, the
// other chooses the column that then costs least. The game grows by columns; its value falls with
// each, to that of the game with all of them.
//
// It is solved by the revised simplex method as a linear program: maximise Σ x such that no row of
// (columns + 1)·x is above 1. Reference: G. Dantzig, "Linear Programming and Extensions", 1963,
// chapter 13 (matrix games).
type game struct {
	columns [][]float64
	inverse [][]float64 // of the basis
	basis   []int       // by row: its basic column; -1 is a slack
	x       []float64   // by row: its amount
	duals   []float64   // by row
	enters  []float64   // scratch
}

func newGame(rows int) *game {
	g := &game{basis: slices.Repeat([]int{-1}, rows), x: slices.Repeat([]float64{1}, rows), duals: make([]float64, rows),
		enters: make([]float64, rows)}
	for r := range rows {
		g.inverse = append(g.inverse, make([]float64, rows))
		g.inverse[r][r] = 1
	}
	return g
}

// add adds a column of non-negative amounts.
func (g *game) add(column []float64) { g.columns = append(g.columns, slices.Clone(column)) }

// solve writes the best prices, and returns the cost of the cheapest column. If it ends early, because
// of rounding or cycling among ties, the prices are valid but not the best.
func (g *game) solve(prices []float64) (value float64) {
	for range 20 + 10*len(g.basis) {
		g.price()
		if !g.step() {
			break
		}
	}
	sum := 0.0
	for r, y := range g.duals {
		prices[r] = max(0, y)
		sum += prices[r]
	}
	if !(sum > 0) {
		for r := range prices {
			prices[r] = 1 / float64(len(prices))
		}
		return math.Inf(1)
	}
	for r := range prices {
		prices[r] /= sum
	}
	return 1/sum - 1
}

// price computes the dual variables of the basis.
func (g *game) price() {
	clear(g.duals)
	for r, column := range g.basis {
		if column < 0 {
			continue
		}
		for k, x := range g.inverse[r] {
			g.duals[k] += x
		}
	}
}

// step brings the column or slack that gains most into the basis. It returns false if none gains.
func (g *game) step() bool {
	const least = 1e-10
	gain, which, slack := least, -1, -1
	for j, column := range g.columns {
		cost := 0.0
		for r, y := range g.duals {
			cost += y * (column[r] + 1)
		}
		if 1-cost > gain {
			gain, which = 1-cost, j
		}
	}
	for r, y := range g.duals {
		if -y > gain {
			gain, which, slack = -y, -1, r
		}
	}
	if gain <= least {
		return false
	}
	for r, row := range g.inverse {
		if g.enters[r] = 0; slack >= 0 {
			g.enters[r] = row[slack]
			continue
		}
		for k, x := range row {
			g.enters[r] += x * (g.columns[which][k] + 1)
		}
	}
	return g.pivot(which)
}

// pivot lets a column enter the basis at the tightest row.
func (g *game) pivot(which int) bool {
	leaves, ratio := -1, math.Inf(1)
	for r, x := range g.enters {
		if x > 1e-11 && g.x[r]/x < ratio {
			leaves, ratio = r, g.x[r]/x
		}
	}
	if leaves < 0 {
		return false
	}
	row, pivot := g.inverse[leaves], g.enters[leaves]
	for k := range row {
		row[k] /= pivot
	}
	g.x[leaves] = ratio
	for r, factor := range g.enters {
		if r == leaves || factor == 0 {
			continue
		}
		g.x[r] = max(0, g.x[r]-factor*ratio)
		for k, x := range row {
			g.inverse[r][k] -= factor * x
		}
	}
	g.basis[leaves] = which
	return true
}
