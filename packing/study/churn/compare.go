package churn

import (
	"fmt"
	"io"
	"text/tabwriter"

	"aliquot/packing"
	"aliquot/packing/assign"
	"aliquot/packing/stable"
	"aliquot/packing/study/instance"
)

// Tolerance is the part of MCB8's yield that stable packing may give up in the comparison.
const Tolerance = 0.01

// budget limits the pairs that an assignment examines: a second or two.
const budget = 1 << 26

// Row summarises a sequence. Moved memory is in nodes, summed over the steps.
type Row struct {
	Family   instance.Family `json:"-"`
	Steps    int             `json:"steps"`
	Anew     float64         `json:"mcb8"`     // moved by MCB8
	Assigned float64         `json:"assigned"` // …its parts on the nodes where most of each is
	Bound    float64         `json:"atLeast"`  // …at least, whatever the assignment
	Home     float64         `json:"home"`     // …and its tasks at home where that costs no yield
	Lossless float64         `json:"lossless"` // …by stable packing that gives up no yield
	Stable   float64         `json:"stable"`   // …that may give up the Tolerance
	Loss     float64         `json:"loss"`     // of the least yield, as a fraction of MCB8's in the mean of the steps
	Mended   int             `json:"mended"`   // steps that stable packing repaired instead of packing anew
}

// Families returns the families of the comparison.
func Families() (list []instance.Family) {
	for _, nodes := range []int{128, 1000} {
		for _, memory := range []float64{0.5, 0.7, 0.9} {
			list = append(list,
				instance.Family{Nodes: nodes, Tasks: 10 * nodes, PerJob: 1, Memory: memory, Need: 2},
				instance.Family{Nodes: nodes, Tasks: 10 * nodes, PerJob: 5, Memory: memory, Need: 2},
				instance.Family{Nodes: nodes, Tasks: 10 * nodes, PerJob: 5, Memory: memory, Need: 5},
				instance.Family{Nodes: nodes, Tasks: 5 * nodes / 2, PerJob: 1, Memory: memory, Need: 2},
				instance.Family{Nodes: nodes, PerJob: 1, Memory: memory, Discrete: true},
				instance.Family{Nodes: nodes, PerJob: 5, Memory: memory, Discrete: true})
		}
	}
	return list
}

// Compare measures a number of steps of a seed's sequence, after the first one, which fills the
// cluster. It measures fewer if stop, which it calls before every step, returns true.
func Compare(f instance.Family, seed uint64, steps int, stop func() bool) Row {
	r, s := Row{Family: f}, Begin(f, seed)
	first, _, priorities := s.Step()
	s.Adopt(packing.Search(first, priorities).Mapping)
	for ; r.Steps < steps && !stop(); r.Steps++ {
		p, now, order := s.Step()
		anew := packing.Search(p, order).Mapping
		assigned := assign.Parts(p, now, anew, budget)
		lossless := stable.Options{}.Search(p, now, order)
		kept := stable.Options{Tolerance: Tolerance}.Search(p, now, order)
		r.Anew += assign.Moved(p, now, anew) / instance.Unit
		r.Assigned += assigned.Moved / instance.Unit
		r.Home += assign.Moved(p, now, stable.Home(p, now, assigned.Mapping, budget)) / instance.Unit
		r.Bound += assigned.Bound / instance.Unit
		r.Lossless += lossless.Moved / instance.Unit
		r.Stable += kept.Moved / instance.Unit
		r.Loss += 1 - kept.Yield/kept.Best
		if !kept.Anew {
			r.Mended++
		}
		s.Adopt(kept.Mapping)
	}
	r.Loss /= float64(max(1, r.Steps))
	return r
}

// Write prints a table of the rows.
func Write(w io.Writer, rows []Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "MEMORY MOVED, IN NODES\tMCB8\tASSIGNED\tAT LEAST\tHOME\tSTABLE, NO LOSS\tSTABLE\tLOSS\tMENDED")
	for _, r := range rows {
		fmt.Fprintf(t, "%v\t%.0f\t%s\t%s\t%s\t%s\t%s\t%.2f%%\t%d/%d\n", r.Family, r.Anew,
			r.less(r.Assigned), r.less(r.Bound), r.less(r.Home), r.less(r.Lossless), r.less(r.Stable), 100*max(0, r.Loss),
			r.Mended, r.Steps)
	}
	t.Flush()
}

// less formats how much less is moved than by MCB8.
func (r Row) less(moved float64) string {
	if r.Anew == 0 {
		return "–"
	}
	return fmt.Sprintf("%+.1f%%", 100*(moved/r.Anew-1))
}
