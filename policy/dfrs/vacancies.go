package dfrs

import (
	"cmp"
	"math"
	"slices"

	"aliquot/cluster"
)

// vacancies is a search tree over the nodes. It finds the node with room for a task that would be loaded least with it,
// in little more than its height: a search skips a subtree whose nodes would all be loaded more than a node already
// found, or whose greatest free memory or CPU is too small. The tree is laid out as a heap: the children of place i are
// 2i and 2i+1. Its leaves are sorted by the CPU that nodes offer, the largest first, because the bound is exact for
// nodes of one size; nodes that offer none come last.
type vacancies struct {
	width int // number of leaves, a power of two
	tree  []vacancy
	order []int    // place of the node at each leaf
	leaf  []int    // leaf of each node
	sizes []extent // as tree

	need   float64 // the current search, as are the fields below
	charge cluster.Bytes
	least  cluster.CPU
	taken  []int // tasks by node: a node with any is skipped; nil: none is
	found  int
	load   float64 // load of the best node found, with the task
}

// vacancy is the best of the nodes below a place of the tree: least load, most free memory and CPU.
type vacancy struct {
	load   float64
	memory cluster.Bytes
	cpu    cluster.CPU
}

var nowhere = vacancy{math.Inf(1), math.MinInt64, math.MinInt64}

// extent tells what CPU the nodes below a place of the tree offer.
type extent struct {
	most  cluster.CPU   // of a node; 0: none offers anything
	mixed bool          // they differ
	fast  cluster.Speed // of the fastest node; at most that of the reference
	slow  bool          // a node is slower than the reference
}

func (o extent) or(p extent) extent {
	return extent{max(o.most, p.most), o.mixed || p.mixed || o.most != p.most && o.most != 0 && p.most != 0,
		max(o.fast, p.fast), o.slow || p.slow}
}

// extent returns the node's own.
func (n *node) extent() extent {
	fast := min(n.speed.Known(), cluster.ReferenceSpeed)
	return extent{most: n.offer.CPU, fast: fast, slow: fast < cluster.ReferenceSpeed}
}

// vacancy returns the node's own.
func (n *node) vacancy() vacancy {
	s := vacancy{math.Inf(1), n.offer.Memory - n.memory, n.offer.CPU - n.least}
	if n.offer.CPU > 0 {
		s.load = n.loadWith(0)
	}
	return s
}

// ordered reports whether the leaves are in the order of these nodes: a policy sees the same sizes again and again.
func (s *vacancies) ordered(nodes []node) bool {
	for leaf, n := range s.order {
		if n >= len(nodes) || nodes[n].extent() != s.sizes[s.width+leaf] {
			return false
		}
	}
	return len(s.order) == len(nodes) && len(nodes) > 0
}

// sort fixes the order of the leaves.
func (s *vacancies) sort(nodes []node) {
	for s.width = 1; s.width < len(nodes); s.width *= 2 {
	}
	s.order, s.leaf = s.order[:0], append(s.leaf[:0], make([]int, len(nodes))...)
	for n := range nodes {
		s.order = append(s.order, n)
	}
	bySize := func(n, m int) int {
		one, other := nodes[n].extent(), nodes[m].extent()
		return cmp.Or(cmp.Compare(other.most, one.most), cmp.Compare(other.fast, one.fast), n-m)
	}
	if !slices.IsSortedFunc(s.order, bySize) {
		slices.SortFunc(s.order, bySize)
	}
	s.sizes = append(s.sizes[:0], make([]extent, 2*s.width)...)
	for leaf, n := range s.order {
		s.leaf[n], s.sizes[s.width+leaf] = leaf, nodes[n].extent()
	}
	for i := s.width - 1; i > 0; i-- {
		s.sizes[i] = s.sizes[2*i].or(s.sizes[2*i+1])
	}
}

// grow builds the tree.
func (s *vacancies) grow(nodes []node) {
	if !s.ordered(nodes) {
		s.sort(nodes)
	}
	s.tree = append(s.tree[:0], make([]vacancy, 2*s.width)...)
	for leaf := range s.width {
		s.tree[s.width+leaf] = nowhere
		if leaf < len(nodes) {
			s.tree[s.width+leaf] = nodes[s.order[leaf]].vacancy()
		}
	}
	for i := s.width - 1; i > 0; i-- {
		s.tree[i] = s.tree[2*i].or(s.tree[2*i+1])
	}
}

// change updates the tree after a task was mapped to the node, or taken off it.
func (s *vacancies) change(n int, to vacancy) {
	i := s.width + s.leaf[n]
	s.tree[i] = to
	for i /= 2; i > 0; i /= 2 {
		best := s.tree[2*i].or(s.tree[2*i+1])
		if s.tree[i] == best {
			return
		}
		s.tree[i] = best
	}
}

func (s vacancy) or(o vacancy) vacancy {
	return vacancy{min(s.load, o.load), max(s.memory, o.memory), max(s.cpu, o.cpu)}
}

// rounding is more than what the bound of nodes of unlike sizes may be too large by, as a fraction of it.
const rounding = 1e-12

// with returns the least load below a place of the tree with the task of the current search: exactly for nodes of one
// size, at most that for others.
func (s *vacancies) with(i int) float64 {
	if s.need == 0 {
		return s.tree[i].load
	}
	return s.withNeed(i)
}

func (s *vacancies) withNeed(i int) float64 {
	load, most := s.tree[i].load, float64(s.sizes[i].most)
	switch {
	case math.IsInf(load, 1):
		return load
	case s.sizes[i].mixed:
		load = (load + s.need/most) * (1 - rounding)
	default:
		load = (math.Round(load*most) + s.need) / most
	}
	if s.sizes[i].slow {
		need := cluster.CPU(s.need)
		if most := s.sizes[i].fast.Ceiling(need); most < need {
			load = max(load, s.need/float64(most))
		}
	}
	return load
}

// find returns the node with room for a task of the job that would have the lowest load with it, the first of equals;
// -1: none.
func (s *vacancies) find(j *job, taken []int) int {
	s.charge, s.least, s.taken, s.found, s.load = j.charge, j.least, taken, -1, math.Inf(1)
	if s.need = 0; s.sizes[1].mixed || s.sizes[1].slow { // otherwise the task adds the same load everywhere
		s.need = float64(j.Spec.Need)
	}
	s.visit(1, 0, s.width)
	return s.found
}

// visit searches below a place of the tree, which covers that many leaves from the first on.
func (s *vacancies) visit(i, first, leaves int) {
	at := &s.tree[i]
	if at.memory < s.charge || at.cpu < s.least || !s.better(i, first) {
		return
	}
	if leaves == 1 {
		if n := s.order[first]; s.taken == nil || s.taken[n] == 0 {
			s.found, s.load = n, s.with(i)
		}
		return
	}
	leaves /= 2
	if s.with(2*i+1) < s.with(2*i) {
		s.visit(2*i+1, first+leaves, leaves)
		s.visit(2*i, first, leaves)
	} else {
		s.visit(2*i, first, leaves)
		s.visit(2*i+1, first+leaves, leaves)
	}
}

// better reports whether a node at or below the place may be loaded less than the best one found, or as much and come
// before it.
func (s *vacancies) better(i, first int) bool {
	load, inner := s.with(i), i < s.width
	return load < s.load || load == s.load &&
		(s.found < 0 || inner && (s.sizes[i].mixed || s.sizes[i].slow) || s.order[first] < s.found)
}
