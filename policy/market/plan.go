package market

import (
	"cmp"
	"slices"
)

// Plan places every task of a workflow.
type Plan struct {
	Cost     Price
	Makespan Time // from the present to the last end
	Places   []Place
}

// Place is the site and the start of a task, with the slots that it takes or the price of its query.
type Place struct {
	Site  int
	Start Time
	Parts []Part // processors of slots, if slots are advertised
	Delay Price  // price for the delay of others, if slots are queried
}

// Part is a number of processors of a slot.
type Part struct{ Slot, Procs int }

// measure sets the makespan of a plan.
func (p *Plan) measure(w *Workflow) {
	p.Makespan = 0
	for i, place := range p.Places {
		p.Makespan = max(p.Makespan, place.Start+w.Tasks[i].Run)
	}
}

// dominates reports whether a plan is at least as good as another in cost and makespan.
func (p *Plan) dominates(other *Plan) bool {
	return p.Cost <= other.Cost && p.Makespan <= other.Makespan
}

// Front are plans by rising cost and falling makespan. None dominates another.
type Front []Plan

// Add puts a plan into the front and takes out those that it beats. It reports false if another is as good.
func (f *Front) Add(p Plan) bool {
	if slices.ContainsFunc(*f, func(old Plan) bool { return old.dominates(&p) }) {
		return false
	}
	*f = slices.DeleteFunc(*f, func(old Plan) bool { return p.dominates(&old) })
	at, _ := slices.BinarySearchFunc(*f, p, func(a, b Plan) int { return cmp.Compare(a.Cost, b.Cost) })
	*f = slices.Insert(*f, at, p)
	return true
}

// covers reports whether a plan of the front is at least as good as these numbers.
func (f Front) covers(cost Price, makespan Time) bool {
	return slices.ContainsFunc(f, func(p Plan) bool { return p.Cost <= cost && p.Makespan <= makespan })
}

// Hypervolume returns the area that the front dominates, up to a cost and a makespan, as a part of the rectangle
// between these and the given least values. Plans beyond the limits count nothing.
func (f Front) Hypervolume(least, most Plan) float64 {
	area, before := 0., float64(most.Makespan)
	for _, p := range f {
		if p.Cost > most.Cost || float64(p.Makespan) >= before {
			continue
		}
		area += float64(float64(most.Cost-p.Cost) * (before - float64(p.Makespan)))
		before = float64(p.Makespan)
	}
	return area / (float64(most.Cost-least.Cost) * float64(most.Makespan-least.Makespan))
}
