package cluster

import (
	"cmp"
	"math"
	"slices"
)

// Promisable is the CPU of all nodes together that promises can count on from a time on, until the next one in a list.
type Promisable struct {
	From Time // in microseconds
	CPU  CPU
}

// Promisable lists the CPU that promises can count on from now on. A node that is down, drains or is in maintenance
// then gives none; one that takes no new VMs gives what is promised there.
func (s *State) Promisable() []Promisable {
	changes := []Promisable{{From: s.Now}}
	change := func(at Time, by CPU) { changes = append(changes, Promisable{max(s.Now, at), by}) }
	b := s.promisedBookings()
	for n := range s.Nodes() {
		switch {
		case n.gone():
		case n.shut():
			was := CPU(0)
			for _, x := range b.levels(n, s.Now, math.MaxInt64) {
				change(x.at, x.cpu-was)
				was = x.cpu
			}
		default:
			whole := n.Capacity().CPU
			change(s.Now, whole)
			for _, w := range n.Maintenance {
				change(w.From, -whole)
				change(w.Until, whole)
			}
		}
	}
	slices.SortStableFunc(changes, func(x, y Promisable) int { return cmp.Compare(x.From, y.From) })
	return summed(changes)
}

// summed adds up changes in order of time, one entry for each time at which the sum changes.
func summed(changes []Promisable) (list []Promisable) {
	sum := CPU(0)
	for i, c := range changes {
		sum += c.CPU
		if i+1 < len(changes) && changes[i+1].From == c.From {
			continue
		}
		if len(list) == 0 || list[len(list)-1].CPU != sum {
			list = append(list, Promisable{c.From, sum})
		}
	}
	return list
}
