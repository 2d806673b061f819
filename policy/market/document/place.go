package document

import (
	"cmp"
	"slices"

	"aliquot/policy/market"
)

// Place is the place of a task, for people.
type Place struct {
	Name       string
	Site       int64
	Start, End market.Time
	Parts      []int64 // slots, each followed by processors; or the price for the delay of others
}

// Places returns the places of a plan's tasks in order of their starts.
func (in *Instance) Places(p Plan) (places []Place) {
	tasks := in.tasks()
	for i, t := range p.Tasks {
		start := market.Time(t[1])
		places = append(places, Place{tasks[i].Name, t[0], start, start + tasks[i].Run, t[2:]})
	}
	slices.SortStableFunc(places, func(a, b Place) int { return cmp.Compare(a.Start, b.Start) })
	return places
}

func (in *Instance) tasks() []market.Task {
	if in.Advertised != nil {
		return in.Advertised.Tasks
	}
	return in.Queried.Tasks
}
