package linear

// #cgo pkg-config: clp
// #include <coin/Clp_C_Interface.h>
import "C"

import (
	"math"
	"unsafe"
)

// arrays hold a program in CLP's form: the entries of the columns one after the other.
type arrays struct {
	start, row         []C.int
	value              []C.double
	gain, least, most  []C.double // by column
	rowLeast, rowLimit []C.double // by row
}

func (p *Program) arrays() arrays {
	var a arrays
	for _, c := range p.Columns {
		a.start = append(a.start, C.int(len(a.row)))
		for _, e := range c.Entries {
			a.row, a.value = append(a.row, C.int(e.Row)), append(a.value, C.double(e.Value))
		}
		a.gain, a.most = append(a.gain, C.double(c.Gain)), append(a.most, C.double(c.Most))
	}
	a.start = append(a.start, C.int(len(a.row)))
	a.least = make([]C.double, len(p.Columns))
	for _, limit := range p.Limits {
		a.rowLeast, a.rowLimit = append(a.rowLeast, C.double(math.Inf(-1))), append(a.rowLimit, C.double(limit))
	}
	return a
}

// pivots bounds the simplex method.
func (a arrays) pivots() int { return 100 * (len(a.rowLimit) + len(a.gain) + 10) }

const maximise = -1

// primal returns CLP's answer and status; 0 is optimal.
func (a arrays) primal() ([]float64, int) {
	model := C.Clp_newModel()
	defer C.Clp_deleteModel(model)
	C.Clp_setLogLevel(model, 0)
	C.Clp_loadProblem(model, C.int(len(a.gain)), C.int(len(a.rowLimit)),
		first(a.start), first(a.row), first(a.value), first(a.least), first(a.most), first(a.gain), first(a.rowLeast),
		first(a.rowLimit))
	C.Clp_setOptimizationDirection(model, maximise)
	C.Clp_setMaximumIterations(model, C.int(a.pivots()))
	status := C.Clp_primal(model, 0)
	x := make([]float64, len(a.gain))
	copy(x, unsafe.Slice((*float64)(C.Clp_primalColumnSolution(model)), len(x)))
	return x, int(status)
}

func first[T any](s []T) *T { return unsafe.SliceData(s) }
