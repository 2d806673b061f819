package bound

import (
	"math"
	"slices"
)

// A market sells the capacity of the nodes, all of it for 1. If the tasks together cost more than 1,
// each where it is cheapest, they do not fit, even if they may be split. This is the dual of the
// linear relaxation, and the best prices give the same bound.
//
// A task goes to no group in which no node has room for it alone, and no more tasks of an item go to a
// group than fit there without the other items. So the bound may be better than that of the plain
// relaxation.
//
// References: A. Geoffrion, "Lagrangean relaxation for integer programming", Mathematical Programming
// Study 2, 1974; J. Kelley, "The cutting-plane method for solving convex programs", SIAM Journal 8,
// 1960 (how prices are found); W. Ben-Ameur, J. Neto, "Acceleration of cutting-plane and column
// generation algorithms", Networks 49, 2007 (halfway).
type market struct {
	*instance
	*groups
	prices []float64 // by group and dimension: of the group's whole capacity; their sum is 1
	unit   []float64 // the same for one unit of quantity
	load   []float64 // by group and dimension: the fraction that the tasks use
	full   []bool    // scratch, by group
	looks  int       // remaining evaluations of an item's cost in a group
}

// tries limits the prices tried at a level, and rounds the levels; near is the error at which a price
// is not worth another try.
const (
	tries  = 120
	rounds = 12
	near   = 1e-4
)

// looksEach and looksAnyway give the number of evaluations: for each item, and in addition.
const looksEach, looksAnyway = 2000, 20_000_000

// priced returns the lowest level that prices refute, or the highest. If all nodes are alike to all
// tasks it tries no prices, because sums give the same bound.
func (in *instance) priced(low, high float64) float64 {
	g := in.group()
	if g == nil || len(g.reach[0]) < 2 && !in.choosy {
		return high
	}
	return in.market(g).lowest(low, high)
}

func (in *instance) market(g *groups) *market {
	rows := len(g.has)
	m := &market{instance: in, groups: g, prices: make([]float64, rows), unit: make([]float64, rows),
		load: make([]float64, rows), full: make([]bool, len(g.reach[0]))}
	m.looks = looksAnyway + looksEach*len(in.kept)
	m.set(slices.Repeat([]float64{1 / float64(rows)}, rows))
	return m
}

func (m *market) set(prices []float64) {
	copy(m.prices, prices)
	for at, p := range prices {
		m.unit[at] = p / m.has[at]
		if math.IsNaN(m.unit[at]) || math.IsInf(m.unit[at], 1) { // no task can use a capacity of (almost) nothing
			m.unit[at] = 0
		}
	}
}

// lowest returns the lowest level that prices refute, or the highest if there are none.
func (m *market) lowest(low, high float64) float64 {
	step := (high - low) * 1e-6
	for level, round := high, 0; ; round++ {
		if round == rounds || m.over() || !m.improvePrices(level-step) {
			return level
		}
		next := m.fall(low, level-step)
		if next <= low || level-next < near*(level-low) {
			return next
		}
		level = next
	}
}

// improvePrices searches for prices at which the tasks cost more than 1 at a level, and reports whether it
// found some. It tries prices halfway between the best so far and those that would be best against the
// placements so far.
func (m *market) improvePrices(level float64) bool {
	g, best := newGame(len(m.prices)), slices.Clone(m.prices)
	dearest := m.cost(level)
	theirs, halfway := make([]float64, len(best)), true
	for range tries {
		if math.IsInf(dearest, 1) || m.over() {
			break
		}
		g.add(m.load)
		value := g.solve(theirs)
		if !exceeds(value, 1) || value-dearest < near || value-dearest < (dearest-1)/4 {
			break
		}
		if halfway {
			for r := range theirs {
				theirs[r] = (theirs[r] + best[r]) / 2
			}
		}
		m.set(theirs)
		cost := m.cost(level)
		halfway = cost > dearest || !halfway
		if cost > dearest {
			dearest = cost
			copy(best, m.prices)
		}
	}
	m.set(best)
	return exceeds(dearest, 1)
}

// fall returns the lowest level between two that the prices refute. They must refute the higher one.
func (m *market) fall(low, refuted float64) float64 {
	if exceeds(m.cost(low), 1) {
		return low
	}
	open := low
	for range 45 {
		if m.over() || refuted-open < near*near*(refuted-low) {
			break
		}
		if middle := open + (refuted-open)/2; exceeds(m.cost(middle), 1) {
			refuted = middle
		} else {
			open = middle
		}
	}
	return refuted
}

// over reports whether to stop: no evaluations are left, or the search is stopped.
func (m *market) over() bool { return m.looks <= 0 || m.Ended }

// cost returns the cost of all tasks at a level, each where it is cheapest; +Inf if one has no room
// anywhere. It also adds up their use there.
func (m *market) cost(level float64) (sum float64) {
	m.rise(level)
	clear(m.load)
	m.looks -= len(m.kept) * len(m.full)
	for at, list := range m.list {
		if m.Seen(len(m.full)) {
			return sum // a partial sum refutes nothing that the full one would not
		}
		if it := &m.p.Items[m.kept[at]]; it.Pinned != nil {
			for _, n := range it.Pinned {
				sum += m.buy(at, int(m.of[n]), 1)
			}
			continue
		}
		c, ok := m.place(at, m.reach[list])
		if !ok {
			return math.Inf(1)
		}
		sum += c
	}
	return sum
}

// place puts the units of an item where they are cheapest, and returns the cost. It returns false if
// some have no room.
func (m *market) place(at int, reach []float64) (sum float64, ok bool) {
	filled := false
	for left := m.counts[at]; left > 0; {
		group := m.cheapest(at, reach)
		if group < 0 {
			clear(m.full)
			return 0, false
		}
		units := left
		if left > 1 {
			if units = min(left, reach[group]*m.each(at, group)); units < left {
				m.full[group], filled = true, true
			}
		}
		sum += m.buy(at, group, units)
		left -= units
	}
	if filled {
		clear(m.full)
	}
	return sum, true
}

// cheapest returns the cheapest group for a unit of an item, among those that are not full, allow it
// and have a node with room for it; -1 if there is none.
func (m *market) cheapest(at int, reach []float64) int {
	group, least, width := -1, math.Inf(1), len(m.sizes)
	for g, nodes := range reach {
		if nodes == 0 || m.full[g] {
			continue
		}
		cost, fits := 0.0, true
		for d, size := range m.sizes {
			cost += m.unit[g*width+d] * size[at]
			fits = fits && !exceeds(size[at], m.largest[g*width+d])
		}
		if fits && cost < least {
			group, least = g, cost
		}
	}
	return group
}

// each returns the number of units of an item that fit on one node of a group.
func (m *market) each(at, group int) float64 {
	units, width := math.Inf(1), len(m.sizes)
	if m.p.Items[m.kept[at]].Spread {
		units = 1
	}
	for d, size := range m.sizes {
		if size[at] > 0 {
			units = min(units, math.Floor(m.largest[group*width+d]*(1+2*slop)/size[at]))
		}
	}
	return max(units, 1)
}

// buy puts some units of an item into a group, and returns the cost.
func (m *market) buy(at, group int, units float64) (cost float64) {
	width := len(m.sizes)
	for d, size := range m.sizes {
		x := group*width + d
		cost += m.unit[x] * size[at] * units
		if m.has[x] > 0 {
			m.load[x] += size[at] * units / m.has[x]
		}
	}
	return cost
}
