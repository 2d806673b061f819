package bound

import (
	"math"
	"slices"
)

// A market sells what the nodes have, all of it for 1. If the tasks, each going where it is cheapest, cost more than 1
// together, they do not fit, even if they may be split: this is the dual of the linear relaxation, and the best prices tell
// as much as the relaxation does.
//
// A task goes to no group of nodes of which none has room for it alone, nor do more tasks of an item than they have
// room for without the other items. So it may tell more than the plain relaxation.
//
// References: A. Geoffrion, "Lagrangean relaxation for integer programming", Mathematical Programming Study 2, 1974;
// J. Kelley, "The cutting-plane method for solving convex programs", SIAM Journal 8, 1960 (how prices are found);
// W. Ben-Ameur, J. Neto, "Acceleration of cutting-plane and column generation algorithms", Networks 49, 2007 (halfway).
type market struct {
	*instance
	*groups
	prices []float64 // by group and dimension: of all that the group has of it; their sum is 1
	unit   []float64 // the same for one unit of quantity
	load   []float64 // by group and dimension: the part of it that the tasks take
	full   []bool    // scratch, by group
	looks  int       // at what an item costs in a group, that are left
}

// tries is how many prices are tried at a level, and rounds at how many levels; near is the error of a price that
// is not worth another try.
const (
	tries  = 120
	rounds = 12
	near   = 1e-4
)

// looks are how many looks there are for each item, and in any case.
const looksEach, looksAnyway = 2000, 20_000_000

// priced is the lowest level that prices refute, or the highest. Where all nodes are alike to all tasks there are none: the
// sums say the same.
func (in *instance) priced(low, high float64) float64 {
	g := in.group()
	if g == nil || len(g.reach[0]) < 2 && !in.choosy {
		return high
	}
	return in.market(g).lowest(low, high)
}

func (in *instance) market(g *groups) *market {
	rows := len(g.has)
	m := &market{instance: in, groups: g, prices: make([]float64, rows), unit: make([]float64, rows), load: make([]float64, rows), full: make([]bool, len(g.reach[0]))}
	m.looks = looksAnyway + looksEach*len(in.kept)
	m.set(slices.Repeat([]float64{1 / float64(rows)}, rows))
	return m
}

func (m *market) set(prices []float64) {
	copy(m.prices, prices)
	for at, p := range prices {
		m.unit[at] = p / m.has[at]
		if math.IsNaN(m.unit[at]) || math.IsInf(m.unit[at], 1) { // of nothing, or next to it, nobody can buy any
			m.unit[at] = 0
		}
	}
}

// lowest is the lowest level that prices were found to refute, or the highest if there are none.
func (m *market) lowest(low, high float64) float64 {
	step := (high - low) * 1e-6
	for level, round := high, 0; ; round++ {
		if round == rounds || m.over() || !m.haggle(level-step) {
			return level
		}
		next := m.fall(low, level-step)
		if next <= low || level-next < near*(level-low) {
			return next
		}
		level = next
	}
}

// haggle looks for prices at which the tasks cost more than 1 at a level, and says whether it found some. It tries
// prices halfway between the dearest so far and those that would be best if tasks could choose among the placements so far only.
func (m *market) haggle(level float64) bool {
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

// fall is the lowest level between two that the prices are found to refute; they refute the higher one.
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

// over says whether it is enough: looks are used up, or there is to be an end.
func (m *market) over() bool { return m.looks <= 0 || m.Ended }

// cost is what all tasks cost at a level, each where that is least; +Inf if one has no room anywhere. It adds up what they
// take there.
func (m *market) cost(level float64) (sum float64) {
	m.rise(level)
	clear(m.load)
	m.looks -= len(m.kept) * len(m.full)
	for at, list := range m.list {
		if m.Seen(len(m.full)) {
			return sum // which refutes nothing that all of it would not
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

// place sends the units of an item where they are cheapest, and returns what that costs; false if not all have room.
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

// cheapest is the group of nodes, not yet full, where a unit of an item costs least of those where it may go and one fits;
// -1 if there is none.
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

// each is how many units of an item fit on one node of a group that has room for one.
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

// buy takes some units of an item to a group, and returns what that costs.
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
