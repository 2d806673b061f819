package packing

import (
	"math/big"
	"slices"
)

// plainMaxMin finds the level at which the first node is full, and stops there all items that would take more of it,
// until none is left. It calculates exactly: every number that is drawn is one of the machine's, and where a demand
// reaches its most just when a node is full, the smallest error would decide.
func plainMaxMin(p *Problem, m Mapping) []float64 {
	f := plainFilling{p, m, make([]*big.Rat, len(p.Items))}
	for level, next := f.level(); level.Cmp(lastLevel) < 0; level, next = f.level() {
		for n := range p.Nodes {
			for d := range 1 + len(p.Nodes[0].Fluid) {
				if f.free(n, d, level).Sign() == 0 {
					f.stop(n, d, level, next)
				}
			}
		}
	}
	yields := make([]float64, len(p.Items))
	for i := range yields {
		yields[i], _ = f.at(i, lastLevel).Float64()
	}
	return yields
}

// The levels lie outside the range of the drawn lines.
var firstLevel, lastLevel = big.NewRat(-8, 1), big.NewRat(8, 1)

// A plainFilling has the yields of the items that have stopped; nil for those that rise.
type plainFilling struct {
	*Problem
	m       Mapping
	stopped []*big.Rat
}

// level returns the highest level for which there is enough of everything, and one above it up to which nothing bends.
func (f plainFilling) level() (level, next *big.Rat) {
	bends := f.bends()
	for k, b := range bends[1:] {
		a := bends[k]
		level = b
		for n := range f.Nodes {
			for d := range 1 + len(f.Nodes[0].Fluid) {
				if lack := f.free(n, d, b); lack.Sign() < 0 {
					// free falls in a line from a to b.
					room := f.free(n, d, a)
					part := quotient(room, difference(room, lack))
					level = smaller(level, sum(a, product(part, difference(b, a))))
				}
			}
		}
		if level.Cmp(b) < 0 {
			return level, b
		}
	}
	return lastLevel, nil
}

// bends returns the levels, in order, at which an item's yield or demand of a dimension may bend.
func (f plainFilling) bends() []*big.Rat {
	levels := []*big.Rat{firstLevel, lastLevel}
	for _, it := range f.Items {
		line := it.Line.straight()
		yields := []*big.Rat{rat(it.floor()), rat(1)}
		for _, d := range it.Fluid {
			if d.Slope > 0 {
				yields = append(yields, quotient(rat(d.Least-d.Base), rat(d.Slope)), quotient(rat(d.Most-d.Base), rat(d.Slope)))
			}
		}
		for _, y := range yields {
			if line.Slope > 0 {
				levels = append(levels, quotient(difference(y, rat(line.Base)), rat(line.Slope)))
			}
		}
	}
	slices.SortFunc(levels, (*big.Rat).Cmp)
	levels = slices.CompactFunc(levels, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	return slices.DeleteFunc(levels, func(l *big.Rat) bool { return l.Cmp(firstLevel) < 0 || l.Cmp(lastLevel) > 0 })
}

// free returns what is left of a dimension of a node. Where the smallest shares exceed it, these count as all of it.
func (f plainFilling) free(n, d int, level *big.Rat) *big.Rat {
	all := rat(append([]float64{f.Nodes[n].CPU}, f.Nodes[n].Fluid...)[d])
	least, used := new(big.Rat), new(big.Rat)
	for i, nodes := range f.m {
		for _, to := range nodes {
			if to == n {
				least.Add(least, f.takes(i, d, firstLevel))
				used.Add(used, f.takes(i, d, level))
			}
		}
	}
	if least.Cmp(all) > 0 {
		all = least
	}
	return difference(all, used)
}

// stop stops the items that would take more of a dimension of a node above a level.
func (f plainFilling) stop(n, d int, level, next *big.Rat) {
	for i, nodes := range f.m {
		if slices.Contains(nodes, n) && f.takes(i, d, next).Cmp(f.takes(i, d, level)) > 0 {
			f.stopped[i] = f.at(i, level)
		}
	}
}

// takes returns what a task takes of a dimension: 0 is CPU.
func (f plainFilling) takes(i, d int, level *big.Rat) *big.Rat {
	it, yield := f.Items[i], f.at(i, level)
	switch {
	case d == 0:
		return product(yield, rat(it.Need))
	case it.Fluid == nil:
		return new(big.Rat)
	}
	flow := it.Fluid[d-1]
	amount := larger(sum(product(rat(flow.Slope), yield), rat(flow.Base)), rat(flow.Least))
	if flow.Most > 0 {
		return smaller(amount, rat(max(flow.Most, flow.Least)))
	}
	return amount
}

// at returns the yield of an item at a level.
func (f plainFilling) at(i int, level *big.Rat) *big.Rat {
	switch it := f.Items[i]; {
	case f.m[i] == nil:
		return new(big.Rat)
	case f.stopped[i] != nil:
		return f.stopped[i]
	default:
		line := it.Line.straight()
		rising := sum(product(rat(line.Slope), level), rat(line.Base))
		return smaller(rat(1), larger(rising, rat(it.floor())))
	}
}

func rat(x float64) *big.Rat            { return new(big.Rat).SetFloat64(x) }
func sum(a, b *big.Rat) *big.Rat        { return new(big.Rat).Add(a, b) }
func difference(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func product(a, b *big.Rat) *big.Rat    { return new(big.Rat).Mul(a, b) }
func quotient(a, b *big.Rat) *big.Rat   { return new(big.Rat).Quo(a, b) }

func smaller(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}
