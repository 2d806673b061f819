package packing

import (
	"fmt"
	"math"
	"slices"
)

// A Mapping gives, per item, the node index of each of its tasks; nil if the item is not mapped.
type Mapping [][]int

// Load returns Λ, the highest sum of needs over CPU capacity of any node: 0 on idle nodes,
// +Inf if a node without CPU has a task that needs some.
func (p *Problem) Load(m Mapping) (Λ float64) {
	need := make([]float64, len(p.Nodes))
	for i, nodes := range m {
		for _, n := range nodes {
			need[n] += p.Items[i].Need
		}
	}
	for n := range p.Nodes {
		if need[n] > 0 {
			Λ = max(Λ, need[n]/p.Nodes[n].CPU)
		}
	}
	return Λ
}

// slop is the relative error allowed in sums of shares that come from a division.
const slop = 1e-9

// Feasible returns nil if the mapping with these yields meets all demands of the problem, otherwise an
// error that names the first violation. CPU may exceed a capacity, or fall short of a smallest share,
// by a relative 1e-9. Rigid quantities may exceed a capacity by the largest rounding error of their
// sum, which is zero for whole numbers.
func (p *Problem) Feasible(m Mapping, yields []float64) error {
	if len(m) != len(p.Items) || len(yields) != len(p.Items) {
		return fmt.Errorf("%d items, but a mapping of %d and yields of %d", len(p.Items), len(m), len(yields))
	}
	for i := range p.Items {
		if err := p.feasibleItem(&p.Items[i], m[i], yields[i]); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	used, task := vectors{p.width(), make([]float64, len(p.Nodes)*p.width())}, make([]float64, p.width())
	tasks := make([]int, len(p.Nodes))
	for i, nodes := range m {
		if nodes != nil {
			p.Items[i].take(task, yields[i]*p.Items[i].Need, yields[i])
		}
		for _, n := range nodes {
			add(used.row(n), 1, task)
			tasks[n]++
		}
	}
	for n, node := range p.Nodes {
		if err := node.holds(used.row(n), tasks[n]); err != nil {
			return fmt.Errorf("node %d: %w", n, err)
		}
	}
	return nil
}

func (p *Problem) feasibleItem(it *Item, nodes []int, yield float64) error {
	if nodes == nil {
		if yield != 0 {
			return fmt.Errorf("is not mapped, but has a yield of %v", yield)
		}
		return nil
	}
	if len(nodes) != it.Count {
		return fmt.Errorf("%d of %d tasks are mapped, must be all or none", len(nodes), it.Count)
	}
	for task, n := range nodes {
		if n < 0 || n >= len(p.Nodes) {
			return fmt.Errorf("task %d is mapped to node %d of %d", task, n, len(p.Nodes))
		}
		if !it.allows(n) {
			return fmt.Errorf("task %d is mapped to node %d, where it is not allowed", task, n)
		}
	}
	if it.Spread && it.Pinned == nil && len(slices.Compact(slices.Sorted(slices.Values(nodes)))) < len(nodes) {
		return fmt.Errorf("is mapped to nodes %v, but its tasks are to be spread", nodes)
	}
	if it.unit() > 1 && slices.ContainsFunc(nodes, func(n int) bool { return n != nodes[0] }) {
		return fmt.Errorf("is mapped to nodes %v, but its tasks are to be together", nodes)
	}
	if it.Pinned != nil && !slices.Equal(nodes, it.Pinned) {
		return fmt.Errorf("is mapped to nodes %v, but pinned to %v", nodes, it.Pinned)
	}
	if top := it.topOn(nodes); math.IsNaN(yield) || yield < it.floor()*(1-slop) || yield > top {
		return fmt.Errorf("yield is %v, must be within [%v, %v]", yield, it.floor(), top)
	}
	return nil
}

// ulp is the largest error per number, relative to the capacity, of adding up the same numbers in
// another order.
const ulp = 0x1p-52

func (n Node) holds(used []float64, tasks int) error {
	if used[0] > n.CPU*(1+slop) {
		return fmt.Errorf("tasks take %v of %v CPU", used[0], n.CPU)
	}
	for d, capacity := range n.Rigid {
		if rounding := min(0.5, float64(tasks)*ulp*capacity); used[1+d] > capacity+rounding { // whole numbers exceed it by 1
			return fmt.Errorf("tasks require %v of %v in rigid dimension %d", used[1+d], capacity, d)
		}
	}
	for d, capacity := range n.Fluid {
		if used := used[1+len(n.Rigid)+d]; used > capacity*(1+slop) {
			return fmt.Errorf("tasks take %v of %v in fluid dimension %d", used, capacity, d)
		}
	}
	return nil
}
