package packing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// preference is the relative weight by which the earliest submitted item is preferred to the latest.
// It decides between equals and nothing else.
const preference = 1e-5

// nothing is a fraction of a node's CPU that is too small for a row of the program.
const nothing = 1e-7

// Average returns the yields in [0,1] that maximise the sum of weight times yield for a fixed mapping.
// Every mapped item gets at least its demand at the given level; an item that is not mapped gets 0.
// Without weights (nil) all items count alike: with the level 1/max(1,Λ) this is linear program (2) of
// the report, section 4.6. To maximise the average of (v + yield·T)/(f + T) for the stretch, use the
// weights T/(f+T).
//
// Among several best answers the item with the lowest label is preferred, then the lowest index: of n
// mapped items, the one with k before it weighs 1 + 10⁻⁵·(1 - k/n) times its weight. The sum is thus
// within a relative 10⁻⁵ of the best.
//
// A demand of a fluid dimension other than CPU may be convex above the item's starting yield. It is
// then replaced by the lowest line from there that is never below it, so the answer is feasible but
// not necessarily the best.
//
// Average returns an error if the level is not finite, if a weight is not between 0 and 1e100, if the
// items' demands at the level exceed a node by more than the rounding of their lines, or if the solver
// gives up.
func Average(p *Problem, m Mapping, level float64, weights []float64) ([]float64, error) {
	a, err := newAverage(p, m, level, weights)
	if err != nil {
		return nil, fmt.Errorf("maximise the average yield: %w", err)
	}
	a.settle()
	for _, items := range a.components() {
		if err := a.solve(items); err != nil {
			return nil, fmt.Errorf("maximise the average yield of %d items that share nodes: %w", len(items), err)
		}
	}
	return a.yields, nil
}

// An average is the state of the program while its parts are solved.
type average struct {
	p       *Problem
	m       Mapping
	yields  []float64 // by item: so far
	tops    []float64 // by item: its highest yield
	weights []float64 // by item, the preference included
	free    []bool    // by item: its yield can still be raised
	pools   []float64 // capacity of every fluid dimension of every node, CPU first
	taps    [][]tap   // by item: its use of them
	spare   []float64 // by pool: the rest at these yields
	short   []bool    // by pool: spare is less than its free items can use
}

// A tap is one task's additional use of a pool for a yield of 1.
type tap struct {
	pool int
	per  float64
}

func newAverage(p *Problem, m Mapping, level float64, weights []float64) (*average, error) {
	if math.IsNaN(level) || math.IsInf(level, 0) {
		return nil, fmt.Errorf("level is %v, must be finite", level)
	}
	a := &average{
		p: p, m: m,
		yields: make([]float64, len(p.Items)), tops: make([]float64, len(p.Items)), free: make([]bool, len(p.Items)),
		taps: make([][]tap, len(p.Items)),
	}
	for _, node := range p.Nodes {
		a.pools = append(append(a.pools, node.CPU), node.Fluid...)
	}
	a.spare, a.short = slices.Clone(a.pools), make([]bool, len(a.pools))
	for i, nodes := range m {
		if nodes != nil {
			a.begin(i, level)
		}
	}
	for q, spare := range a.spare {
		if capacity := a.pools[q]; !(spare >= -slop*capacity || spare >= -a.rounding(q, level)) {
			dims := len(a.pools) / len(p.Nodes)
			what := "CPU"
			if d := q % dims; d > 0 {
				what = fmt.Sprintf("in fluid dimension %d", d-1)
			}
			return nil, fmt.Errorf("node %d: at level %v tasks take %v of %v %s", q/dims, level, capacity-spare, capacity, what)
		}
	}
	return a, a.weigh(weights)
}

// rounding returns by how much the tasks may exceed a pool at a level that MaxMin has brought them to. Shortly before
// a decision the lines of stretches are so steep that yields are small differences of large numbers, with only a few
// correct digits.
func (a *average) rounding(q int, level float64) float64 {
	tasks, sum, dims := 0, 0.0, len(a.pools)/len(a.p.Nodes)
	for i, nodes := range a.m {
		it, line := &a.p.Items[i], a.p.Items[i].Line.straight()
		per := it.Need
		if d := q % dims; d > 0 {
			per = it.Fluid[d-1].Slope
		}
		for _, n := range nodes {
			if n == q/dims {
				tasks++
				sum += per * (math.Abs(line.Slope*level) + math.Abs(line.Base))
			}
		}
	}
	return float64(tasks) * ulp * sum
}

// begin gives an item its demand at a level.
func (a *average) begin(i int, level float64) {
	it, dims := &a.p.Items[i], len(a.pools)/len(a.p.Nodes)
	a.tops[i] = it.topOn(a.m[i])
	yield, cpu := it.granted(level), it.demand(level)
	if yield > a.tops[i] {
		yield, cpu = a.tops[i], a.tops[i]*it.Need
	}
	a.yields[i], a.free[i] = yield, yield < a.tops[i]
	for _, n := range a.m[i] {
		a.spare[n*dims] -= cpu
		if it.Need > 0 {
			a.taps[i] = append(a.taps[i], tap{n * dims, it.Need})
		}
		for d, demand := range it.Fluid {
			q := n*dims + 1 + d
			a.spare[q] -= demand.at(yield)
			if per := demand.steepest(yield, a.tops[i]); per > 0 {
				a.taps[i] = append(a.taps[i], tap{q, per})
			}
		}
	}
}

// steepest returns the slope of the lowest line from the yield to the highest one that the demand does
// not exceed.
func (d Demand) steepest(yield, top float64) float64 {
	_, to := d.rises()
	if to = min(to, top); to <= yield {
		return 0
	}
	return (d.at(to) - d.at(yield)) / (to - yield)
}

// weigh converts weights into those of the program, in which earlier items count slightly more.
func (a *average) weigh(weights []float64) error {
	a.weights = make([]float64, len(a.p.Items))
	var byAge []int
	for i := range a.m {
		if a.m[i] != nil {
			byAge = append(byAge, i)
		}
	}
	slices.SortFunc(byAge, func(i, j int) int {
		return cmp.Or(cmp.Compare(a.p.Items[i].Label, a.p.Items[j].Label), cmp.Compare(i, j))
	})
	for k, i := range byAge {
		weight := 1.0
		if weights != nil {
			weight = weights[i]
		}
		if !isQuantity(weight) {
			return fmt.Errorf("item %d: weight is %v, must be between 0 and 1e+100", i, weight)
		}
		a.weights[i] = weight * (1 + preference*(1-float64(k)/float64(len(byAge))))
	}
	return nil
}

// settle raises every item that no node limits to its highest yield, and fixes the items on nodes with nothing left.
func (a *average) settle() {
	use := make([]float64, len(a.spare))
	for i, taps := range a.taps {
		for _, t := range taps {
			a.free[i] = a.free[i] && a.spare[t.pool] > nothing*a.pools[t.pool]
		}
	}
	for i, taps := range a.taps {
		for _, t := range taps {
			if a.free[i] {
				use[t.pool] += (a.tops[i] - a.yields[i]) * t.per
			}
		}
	}
	for q := range use {
		a.short[q] = use[q] > a.spare[q]
	}
	for i, taps := range a.taps {
		if a.free[i] && !slices.ContainsFunc(taps, func(t tap) bool { return a.short[t.pool] }) {
			a.raise(i, a.tops[i]-a.yields[i])
			a.free[i] = false
		}
	}
}

func (a *average) raise(i int, yield float64) {
	a.yields[i] = min(a.tops[i], a.yields[i]+yield)
	for _, t := range a.taps[i] {
		a.spare[t.pool] -= yield * t.per
	}
}

// components lists the free items by the short pools that they share, directly or through others.
func (a *average) components() [][]int {
	root := all(len(a.spare))
	find := func(n int) int {
		for ; root[n] != n; n = root[n] {
			root[n] = root[root[n]]
		}
		return n
	}
	for i, taps := range a.taps {
		for k, last := 0, -1; a.free[i] && k < len(taps); k++ {
			if n := taps[k].pool; a.short[n] {
				if last >= 0 {
					root[find(n)] = find(last)
				}
				last = n
			}
		}
	}
	place, components := make(map[int]int), [][]int(nil)
	for i, taps := range a.taps {
		if !a.free[i] {
			continue
		}
		n := find(taps[slices.IndexFunc(taps, func(t tap) bool { return a.short[t.pool] })].pool)
		k, known := place[n]
		if !known {
			k = len(components)
			place[n], components = k, append(components, nil)
		}
		components[k] = append(components[k], i)
	}
	return components
}

// solve raises the items of one component. With a single short pool, the items that gain most for
// their CPU go first; otherwise a linear program decides.
func (a *average) solve(items []int) error {
	l := a.program(items)
	if len(l.pools) == 1 {
		a.raiseBest(l)
		return nil
	}
	raises, err := l.maximum()
	if err != nil {
		return err
	}
	a.fit(l, raises)
	for k, i := range l.items {
		a.raise(i, raises[k])
	}
	return nil
}

func (a *average) raiseBest(l *program) {
	order := all(len(l.items))
	slices.SortFunc(order, func(j, k int) int {
		return cmp.Or(cmp.Compare(l.gain[k]*l.use[j][0].per, l.gain[j]*l.use[k][0].per), cmp.Compare(j, k))
	})
	q := l.pools[0]
	for _, k := range order {
		a.raise(l.items[k], max(0, min(l.most[k], a.spare[q]/l.use[k][0].per)))
	}
}

// fit removes the excess over a pool that the solver's tolerance allowed.
func (a *average) fit(l *program, raises []float64) {
	used := make([]float64, len(l.pools))
	for k, uses := range l.use {
		raises[k] = max(0, min(raises[k], l.most[k]))
		for _, u := range uses {
			used[u.row] += raises[k] * u.per
		}
	}
	for k, uses := range l.use {
		part := 1.0
		for _, u := range uses {
			part = min(part, l.room[u.row]/max(used[u.row], l.room[u.row]))
		}
		raises[k] *= part
	}
}
