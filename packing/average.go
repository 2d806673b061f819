package packing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// preference is how much more the yield of the earliest submitted item counts than that of
// the latest, relative to its weight: enough to decide between equals, and no more.
const preference = 1e-5

// nothing is the fraction of a node's CPU that is not worth a row of the program.
const nothing = 1e-7

// Average returns the yields in [0,1] that maximise the sum of weight times yield for a fixed
// mapping, where every mapped item gets at least what it demands at a level; 0 for items that are
// not mapped. Without weights (nil) all count alike: with the level 1/max(1,Λ) this is
// linear program (2) of the report, section 4.6. Maximising the average of (v + yield·T)/(f + T)
// for the stretch takes weights of T/(f+T).
//
// Where several answers are best, the item with the lowest label is preferred, then that of the
// lowest index: of n mapped items, the one with k before it weighs 1 + 10⁻⁵·(1 - k/n) times
// its weight. The sum is thus within a relative 10⁻⁵ of the best.
//
// An error says that the level is not finite or a weight not between 0 and 1e100, that what the items
// demand at the level exceeds a node, or that the solver gave up.
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

// An average is the program while parts of it are being solved.
type average struct {
	p       *Problem
	m       Mapping
	yields  []float64 // by item: so far
	weights []float64 // by item, the preference included
	free    []bool    // by item: its yield is to be raised still
	spare   []float64 // by node: CPU that the yields leave
	short   []bool    // by node: spare is less than what its free items can use
}

func newAverage(p *Problem, m Mapping, level float64, weights []float64) (*average, error) {
	if math.IsNaN(level) || math.IsInf(level, 0) {
		return nil, fmt.Errorf("level is %v, must be finite", level)
	}
	a := &average{
		p: p, m: m,
		yields: make([]float64, len(p.Items)), free: make([]bool, len(p.Items)),
		spare: make([]float64, len(p.Nodes)), short: make([]bool, len(p.Nodes)),
	}
	for n := range p.Nodes {
		a.spare[n] = p.Nodes[n].CPU
	}
	for i, nodes := range m {
		if nodes != nil {
			a.begin(i, level)
		}
	}
	for n, spare := range a.spare {
		if capacity := p.Nodes[n].CPU; !(spare >= -slop*capacity) {
			return nil, fmt.Errorf("node %d: at level %v tasks take %v of %v CPU", n, level, capacity-spare, capacity)
		}
	}
	return a, a.weigh(weights)
}

// begin gives an item what it demands at a level.
func (a *average) begin(i int, level float64) {
	it := &a.p.Items[i]
	a.yields[i] = 1
	if it.Need > 0 {
		a.yields[i] = it.demand(level) / it.Need
	}
	a.free[i] = a.yields[i] < 1
	for _, n := range a.m[i] {
		a.spare[n] -= it.demand(level)
	}
}

// weigh turns weights into those of the program, in which earlier items count a little more.
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

// settle raises to 1 whatever no node holds back, and gives up on items of nodes with nothing left.
func (a *average) settle() {
	use := make([]float64, len(a.spare))
	for i, nodes := range a.m {
		for _, n := range nodes {
			a.free[i] = a.free[i] && a.spare[n] > nothing*a.p.Nodes[n].CPU
		}
	}
	for i, nodes := range a.m {
		for _, n := range nodes {
			if a.free[i] {
				use[n] += a.room(i)
			}
		}
	}
	for n := range use {
		a.short[n] = use[n] > a.spare[n]
	}
	for i, nodes := range a.m {
		if a.free[i] && !slices.ContainsFunc(nodes, func(n int) bool { return a.short[n] }) {
			a.raise(i, 1-a.yields[i])
			a.free[i] = false
		}
	}
}

// room is the CPU by which one task of an item can be raised.
func (a *average) room(i int) float64 { return (1 - a.yields[i]) * a.p.Items[i].Need }

func (a *average) raise(i int, yield float64) {
	a.yields[i] = min(1, a.yields[i]+yield)
	for _, n := range a.m[i] {
		a.spare[n] -= yield * a.p.Items[i].Need
	}
}

// components lists the free items by the short nodes that they share, directly or through others.
func (a *average) components() [][]int {
	root := all(len(a.spare))
	find := func(n int) int {
		for ; root[n] != n; n = root[n] {
			root[n] = root[root[n]]
		}
		return n
	}
	for i, nodes := range a.m {
		for k, last := 0, -1; a.free[i] && k < len(nodes); k++ {
			if n := nodes[k]; a.short[n] {
				if last >= 0 {
					root[find(n)] = find(last)
				}
				last = n
			}
		}
	}
	place, components := make(map[int]int), [][]int(nil)
	for i, nodes := range a.m {
		if !a.free[i] {
			continue
		}
		n := find(nodes[slices.IndexFunc(nodes, func(n int) bool { return a.short[n] })])
		k, known := place[n]
		if !known {
			k = len(components)
			place[n], components = k, append(components, nil)
		}
		components[k] = append(components[k], i)
	}
	return components
}

// solve raises the items of one component: on a single short node those go first that gain most
// for their CPU, otherwise a linear program decides.
func (a *average) solve(items []int) error {
	l := a.program(items)
	if len(l.nodes) == 1 {
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
		return cmp.Or(cmp.Compare(l.gain[k]*l.use[j][0].cpu, l.gain[j]*l.use[k][0].cpu), cmp.Compare(j, k))
	})
	n := l.nodes[0]
	for _, k := range order {
		a.raise(l.items[k], max(0, min(l.most[k], a.spare[n]/l.use[k][0].cpu)))
	}
}

// fit takes back what the solver's tolerance gave beyond the capacity of a node.
func (a *average) fit(l *program, raises []float64) {
	used := make([]float64, len(l.nodes))
	for k, uses := range l.use {
		raises[k] = max(0, min(raises[k], l.most[k]))
		for _, u := range uses {
			used[u.row] += raises[k] * u.cpu
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
