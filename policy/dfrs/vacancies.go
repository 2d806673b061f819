package dfrs

import (
	"math"

	"aliquot/cluster"
)

// vacancies is a search tree over the nodes. It finds the least loaded node with room for a task in little more than
// its height: a search skips a subtree whose least load is no less than that of a node already found, or whose
// greatest free memory or CPU is too small. The tree is laid out as a heap: the children of place i are 2i and 2i+1.
type vacancies struct {
	width int // number of leaves, a power of two
	tree  []vacancy

	charge cluster.Bytes // the current search, as are the fields below
	least  cluster.CPU
	taken  []int // tasks by node: a node with any is skipped; nil: none is
	found  int
	load   float64 // load of the best node found
}

// vacancy is the best of the nodes below a place of the tree: least load, most free memory and CPU.
type vacancy struct {
	load   float64
	memory cluster.Bytes
	cpu    cluster.CPU
}

var nowhere = vacancy{math.Inf(1), math.MinInt64, math.MinInt64}

// vacancy returns the node's own.
func (n *node) vacancy() vacancy {
	s := vacancy{math.Inf(1), n.offer.Memory - n.memory, n.offer.CPU - n.least}
	if n.offer.CPU > 0 {
		s.load = n.load()
	}
	return s
}

// grow builds the tree.
func (s *vacancies) grow(nodes []node) {
	for s.width = 1; s.width < len(nodes); s.width *= 2 {
	}
	s.tree = append(s.tree[:0], make([]vacancy, 2*s.width)...)
	for n := range s.width {
		s.tree[s.width+n] = nowhere
		if n < len(nodes) {
			s.tree[s.width+n] = nodes[n].vacancy()
		}
	}
	for i := s.width - 1; i > 0; i-- {
		s.tree[i] = s.tree[2*i].or(s.tree[2*i+1])
	}
}

// change updates the tree after a task was mapped to the node, or taken off it.
func (s *vacancies) change(n int, to vacancy) {
	i := s.width + n
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

// find returns the node with the lowest load, the first of equals, that has room for a task of the job; -1: none.
func (s *vacancies) find(j *job, taken []int) int {
	s.charge, s.least, s.taken, s.found, s.load = j.charge, j.least, taken, -1, math.Inf(1)
	s.visit(1, 0, s.width)
	return s.found
}

// visit searches below a place of the tree, which covers that many nodes from the first on.
func (s *vacancies) visit(i, first, nodes int) {
	at := &s.tree[i]
	if at.memory < s.charge || at.cpu < s.least || at.load > s.load || at.load == s.load && s.found >= 0 &&
		first > s.found {
		return
	}
	if nodes == 1 {
		if s.taken == nil || s.taken[first] == 0 {
			s.found, s.load = first, at.load
		}
		return
	}
	nodes /= 2
	if s.tree[2*i+1].load < s.tree[2*i].load {
		s.visit(2*i+1, first+nodes, nodes)
		s.visit(2*i, first, nodes)
	} else {
		s.visit(2*i, first, nodes)
		s.visit(2*i+1, first+nodes, nodes)
	}
}
