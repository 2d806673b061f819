package stable

import (
	"sync"

	"aliquot/packing"
	"aliquot/packing/assign"
)

// Options determine how much yield may be given up for fewer moves. The zero Options give up none.
type Options struct {
	Tolerance float64 // as a fraction of MCB8's yield, within [0,1)
	// limits the pairs of a task and a node or another task that repair, assignment and Home examine per level; 0 means
	// 2²⁸
	Budget int
}

// A Result is a mapping close to the present one.
type Result struct {
	Mapping packing.Mapping
	Yield   float64 // the least yield of a mapped item
	Best    float64 // the same of MCB8's mapping
	Moved   float64 // memory of tasks that change nodes
	Dropped []int   // items that are not mapped, in the order in which MCB8 gave them up
	Anew    bool    // the repair failed, so the packing is MCB8's
}

const steps = 1 << 28

// Search maps the items, given their present mapping. order lists all from the highest to the lowest
// priority, as for [packing.Search], which decides the items to give up. A repair may fail at one
// level and succeed at a higher one, or move less there. So Search also tries no loss and half of the
// tolerance, and takes the result that moves least: a tolerance never moves more than none.
func (o Options) Search(p *packing.Problem, now packing.Mapping, order []int) Result {
	anew := packing.Search(p, order)
	best := Least(p, anew.Mapping)
	fresh := o.fresh(p, now, anew.Mapping)
	r := Options{Budget: o.Budget}.near(p, now, anew, best, fresh)
	for _, tolerance := range []float64{o.Tolerance / 2, o.Tolerance} {
		if r.Moved == 0 || o.Tolerance == 0 {
			break
		}
		if next := (Options{tolerance, o.Budget}).near(p, now, anew, best, fresh); next.Moved < r.Moved {
			r = next
		}
	}
	return r
}

// Plans returns the results for several tolerances, from the least to the greatest, until one moves
// nothing. It calls MCB8 once. It returns none if MCB8 gives up an item; all items must be mapped in
// now.
func Plans(p *packing.Problem, now packing.Mapping, tolerances []float64) (plans []Result) {
	order := make([]int, len(p.Items))
	for i := range order {
		order[i] = i
	}
	anew := packing.Search(p, order)
	if len(anew.Dropped) > 0 {
		return nil
	}
	best, fresh := Least(p, anew.Mapping), Options{}.fresh(p, now, anew.Mapping)
	for _, tolerance := range tolerances {
		r := Options{Tolerance: tolerance}.near(p, now, anew, best, fresh)
		if r.Moved == 0 {
			break
		}
		plans = append(plans, r)
	}
	return plans
}

// fresh returns a function for MCB8's packing with as many tasks at home as possible. The result is
// the same at every tolerance, so it is computed once, on demand.
func (o Options) fresh(p *packing.Problem, now, anew packing.Mapping) func() packing.Mapping {
	return sync.OnceValue(func() packing.Mapping {
		return Home(p, now, assign.Parts(p, now, anew, o.budget()).Mapping, o.budget())
	})
}

func (o Options) budget() int {
	if o.Budget <= 0 {
		return steps
	}
	return o.Budget
}

// near repairs the mapping until it is as good as MCB8's best least yield, less the tolerance.
func (o Options) near(p *packing.Problem, now packing.Mapping, anew packing.Result, best float64,
	fresh func() packing.Mapping) Result {
	r := Result{Best: best, Dropped: anew.Dropped}
	mended, ok := mend(p, now, anew.Mapping, best*(1-o.Tolerance), o.budget())
	if !ok {
		mended, r.Anew = fresh(), true
	}
	r.Mapping, r.Yield, r.Moved = mended, Least(p, mended), assign.Moved(p, now, mended)
	return r
}

// Least returns the least yield that the mapping can give to its items; 1 if it maps nothing. An item that has all that
// it can have anywhere counts as 1.
func Least(p *packing.Problem, m packing.Mapping) float64 {
	least := 1.0
	for i, y := range packing.MaxMin(p, m) {
		if m[i] != nil && !p.Items[i].Satisfied(y) {
			least = min(least, y)
		}
	}
	return least
}

// mend maps the items that anew maps so that all nodes can hold the level. It returns false if the
// repair fails.
func mend(p *packing.Problem, now, anew packing.Mapping, level float64, budget int) (packing.Mapping, bool) {
	if len(p.Nodes) == 0 {
		return anew, true
	}
	b := newBoard(p, level, budget)
	b.lay(now, anew)
	for n := range b.on {
		if !b.relieve(n) {
			return nil, false
		}
	}
	if !b.insert() {
		return nil, false
	}
	return b.mapping(anew), true
}
