package packing

import (
	"slices"

	"aliquot/packing/linear"
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

// maximum returns the raises of a best answer, in the order of the items.
func (l *program) maximum() ([]float64, error) {
	p := linear.Program{Columns: make([]linear.Column, len(l.items)), Limits: slices.Repeat([]float64{1}, len(l.nodes))}
	scale := max(1, slices.Max(l.gain))
	for k, uses := range l.use {
		entries := make([]linear.Entry, len(uses))
		for at, u := range uses {
			entries[at] = linear.Entry{Row: u.row, Value: u.cpu / l.room[u.row]}
		}
		p.Columns[k] = linear.Column{Gain: l.gain[k] / scale * gainScale, Most: l.most[k], Entries: entries}
	}
	return p.Maximum()
}
