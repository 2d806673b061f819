package stable

import (
	"sync"

	"aliquot/packing"
	"aliquot/packing/assign"
)

// Options say how much yield may be given up for fewer moves. The zero Options give up none.
type Options struct {
	Tolerance float64 // as a fraction of the yield that MCB8 reaches, within [0,1)
	Budget    int     // of pairs of a task and a node, or another task, that mending at a level looks at, assigning, and going home; 0 stands for 2²⁸
}

// A Result is a mapping close to the one in force.
type Result struct {
	Mapping packing.Mapping
	Yield   float64 // the least of a mapped item
	Best    float64 // that of MCB8's mapping
	Moved   float64 // memory of tasks that change nodes
	Dropped []int   // items that are not mapped: those that MCB8 gives up, in that order
	Anew    bool    // mending came to no end: the packing is MCB8's
}

const steps = 1 << 28

// Search maps the items, of which those in now are mapped so far. order lists all from the highest to the lowest
// priority, as for [packing.Search], which says who is given up. As mending may come to no end at one level and succeed at
// a higher one, or move less there, it is tried without loss too, and half way: what moves least is taken, so that a
// tolerance never moves more than none.
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

// Plans are the results for several tolerances, from the least to the greatest, until one moves nothing. MCB8 is asked
// once. There are none if it gives an item up, all of which are mapped in now.
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

// fresh is MCB8's packing with as many tasks at home as can be. It is the same at every tolerance, so it is made once, when it
// is asked for.
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

// near mends the mapping until it is as good as MCB8's, which has the best least yield, less the tolerance.
func (o Options) near(p *packing.Problem, now packing.Mapping, anew packing.Result, best float64, fresh func() packing.Mapping) Result {
	r := Result{Best: best, Dropped: anew.Dropped}
	mended, ok := mend(p, now, anew.Mapping, best*(1-o.Tolerance), o.budget())
	if !ok {
		mended, r.Anew = fresh(), true
	}
	r.Mapping, r.Yield, r.Moved = mended, Least(p, mended), assign.Moved(p, now, mended)
	return r
}

// Least is the least yield that the mapping can give to all that it maps; 1 if it maps nothing.
func Least(p *packing.Problem, m packing.Mapping) float64 {
	least := 1.0
	for i, y := range packing.MaxMin(p, m) {
		if m[i] != nil {
			least = min(least, y)
		}
	}
	return least
}

// mend maps the items that anew maps so that all nodes hold the level; false if that comes to no end.
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
