package packing

import (
	"slices"

	"aliquot/packing/linear"
)

// A program maximises Σ gain·raise with 0 ≤ raise ≤ most, where the raises fit into the room of every
// pool.
type program struct {
	items []int
	pools []int     // short pools of these items, ascending: the rows
	room  []float64 // by row: the rest of the pool
	gain  []float64 // by item of the program, as are the next
	most  []float64
	use   [][]use
}

// A use is the part of a row's pool that a yield of 1 takes.
type use struct {
	row int
	per float64
}

func (a *average) program(items []int) *program {
	l := &program{items: items}
	for _, i := range items {
		for _, t := range a.taps[i] {
			if a.short[t.pool] {
				l.pools = append(l.pools, t.pool)
			}
		}
	}
	slices.Sort(l.pools)
	l.pools = slices.Compact(l.pools)
	for _, q := range l.pools {
		l.room = append(l.room, a.spare[q])
	}
	for _, i := range items {
		l.gain = append(l.gain, a.weights[i])
		l.most = append(l.most, a.tops[i]-a.yields[i])
		l.use = append(l.use, a.uses(l, i))
	}
	return l
}

// uses lists an item's use of the rows, in ascending order.
func (a *average) uses(l *program, i int) (uses []use) {
	taps := slices.SortedFunc(slices.Values(a.taps[i]), func(s, t tap) int { return s.pool - t.pool })
	for _, t := range taps {
		row, short := slices.BinarySearch(l.pools, t.pool)
		switch last := len(uses) - 1; {
		case !short:
		case last >= 0 && uses[last].row == row:
			uses[last].per += t.per
		default:
			uses = append(uses, use{row, t.per})
		}
	}
	return uses
}

// gainScale lifts the gains far above the solver's absolute tolerance of 1e-7, so that it
// distinguishes gains that differ only by the preference.
const gainScale = 1e6

// maximum returns the raises of a best answer, in the order of the items.
func (l *program) maximum() ([]float64, error) {
	p := linear.Program{Columns: make([]linear.Column, len(l.items)), Limits: slices.Repeat([]float64{1}, len(l.pools))}
	scale := max(1, slices.Max(l.gain))
	for k, uses := range l.use {
		entries := make([]linear.Entry, len(uses))
		for at, u := range uses {
			entries[at] = linear.Entry{Row: u.row, Value: u.per / l.room[u.row]}
		}
		p.Columns[k] = linear.Column{Gain: l.gain[k] / scale * gainScale, Most: l.most[k], Entries: entries}
	}
	return p.Maximum()
}
