package hetero

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
)

// Experience is the experiential database: the history of each pair. Predictions are its means.
type Experience struct{ cells map[Pair]Cell }

// mostPairs is the greatest number of pairs with a history.
const mostPairs = 100_000

// Pairs lists all pairs with a history, in order.
func (e *Experience) Pairs() []Pair { return slices.SortedFunc(maps.Keys(e.cells), Pair.Compare) }

// Of returns the history of a pair, and false if it has none.
func (e *Experience) Of(p Pair) (Cell, bool) {
	c, known := e.cells[p]
	return c, known
}

// Observe adds the time of a completed run. It refuses one that cannot be true: zero, negative, or a year or more.
func (e *Experience) Observe(p Pair, t Ticks) error {
	if t < 1 || t > Longest {
		return fmt.Errorf("a run of %d ms is no experience: it must be from 1 ms to less than a year", t)
	}
	return e.Add(p, once(t))
}

// Add adds a history to that of a pair.
func (e *Experience) Add(p Pair, c Cell) error {
	if err := c.Check(); err != nil {
		return err
	}
	if before, known := e.cells[p]; known {
		if c = before.plus(c); c.Count > most {
			return fmt.Errorf("the count of %s %s %s would be %d, more than %d", p.Type, p.Kind(), p.Resource, c.Count, most)
		}
	}
	if _, known := e.cells[p]; !known && len(e.cells) == mostPairs {
		return fmt.Errorf("there would be more than %d pairs of a type and a resource", mostPairs)
	}
	if e.cells == nil {
		e.cells = map[Pair]Cell{}
	}
	e.cells[p] = c
	return nil
}

// Predict returns the table that experience alone would give: the mean of a type on the very machine or cluster, else
// of all runs on its class. A pair without history is not allowed.
func (e *Experience) Predict(s *Site, types []string) *Table {
	t := NewTable(s, types)
	classes := e.classes(s)
	mean := func(p Pair, class string) Ticks {
		if c, known := e.cells[p]; known {
			return c.Mean()
		}
		p.Resource = class
		if all, known := classes[p]; known {
			return all.mean()
		}
		return Never
	}
	for k, name := range types {
		for m, machine := range s.Machines {
			if !machine.Down {
				t.Sequential[k][m] = mean(Pair{name, false, machine.Name}, machine.Class)
			}
		}
		for c, cluster := range s.Clusters {
			if s.Open(c) {
				t.Parallel[k][c] = mean(Pair{name, true, cluster.Name}, cluster.Class)
			}
		}
	}
	return t
}

// classes returns the history by class: of the class itself, and of all its machines or clusters.
func (e *Experience) classes(s *Site) map[Pair]pool {
	class := map[Pair]string{} // by kind and name
	for _, m := range s.Machines {
		class[Pair{"", false, m.Name}] = m.Class
	}
	for _, c := range s.Clusters {
		class[Pair{"", true, c.Name}] = c.Class
	}
	sums := map[Pair]pool{}
	for p, c := range e.cells {
		if of, known := class[Pair{"", p.Parallel, p.Resource}]; known {
			p.Resource = of
		}
		sums[p] = sums[p].plus(c)
	}
	return sums
}

// pool adds up histories. Their times may add up to more than 64 bits hold.
type pool struct{ count, high, low uint64 }

func (l pool) plus(c Cell) pool {
	low, carry := bits.Add64(l.low, uint64(c.Sum), 0)
	return pool{l.count + uint64(c.Count), l.high + carry, low}
}

// mean returns the mean time, rounded to the nearest tick. It lies between those of the histories.
func (l pool) mean() Ticks {
	low, carry := bits.Add64(l.low, l.count/2, 0)
	mean, _ := bits.Div64(l.high+carry, low, l.count)
	return Ticks(mean)
}
