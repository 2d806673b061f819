package packing

import (
	"math"
	"slices"
)

// Shares keeps the max-min fair yields of a mapping up to date while items come and go. A change is worked out for
// the items of the nodes concerned as if all others kept what they have; then for those too that turn out to have
// lost their bottleneck, or to be that of another; and so on, until every item on a node concerned has one again:
// this is what makes yields max-min fair, wherever they came from.
//
// It refers to the problem, to which items may be appended, but whose nodes and other items must not change; it is not
// safe for concurrent use. Yields are those of [MaxMin] up to a relative 1e-9.
type Shares struct {
	p      *Problem
	m      Mapping
	yields []float64
	at     [][]int32 // by node: the items of its tasks

	part   Problem // scratch: what is filled anew, as are the next
	mapped Mapping
	places []int
	items  []int32
	nodes  []int32
	item   []int32 // by item: its place in part, plus 1
	node   []int32 // by node, likewise
	full   []bool  // by node of part: its CPU is used up
	most   []float64
}

// NewShares divides the CPU of a mapping.
func NewShares(p *Problem, m Mapping) *Shares {
	s := &Shares{p: p, m: slices.Clone(m), yields: MaxMin(p, m), at: make([][]int32, len(p.Nodes)), node: make([]int32, len(p.Nodes))}
	for i, nodes := range m {
		for _, n := range nodes {
			s.at[n] = append(s.at[n], int32(i))
		}
	}
	return s
}

// Yields is the yield of every item, 0 for those that are not mapped. It is good until the next change, and must not
// be changed.
func (s *Shares) Yields() []float64 { return s.yields }

// Place maps an item to some nodes, one for each of its tasks, or with nil to none, wherever it was before. It returns
// the number of items whose yields it had to find anew.
func (s *Shares) Place(i int, nodes []int) (filled int) {
	for len(s.m) < len(s.p.Items) {
		s.m, s.yields = append(s.m, nil), append(s.yields, 0)
	}
	s.item = lengthened(s.item, len(s.m))
	old := s.m[i]
	for _, n := range old {
		at := slices.Index(s.at[n], int32(i))
		s.at[n] = slices.Delete(s.at[n], at, at+1)
	}
	for _, n := range nodes {
		s.at[n] = append(s.at[n], int32(i))
	}
	s.m[i], s.yields[i] = nodes, 0
	s.begin(i, old)
	for more := true; more; {
		filled += len(s.items)
		s.fill()
		more = s.extend()
	}
	s.forget()
	return filled
}

// begin takes up the items on the nodes on which one comes or goes.
func (s *Shares) begin(changed int, old []int) {
	s.items, s.nodes = s.items[:0], s.nodes[:0]
	for _, nodes := range [][]int{old, s.m[changed]} {
		for _, n := range nodes {
			for _, i := range s.at[n] {
				s.take(int(i))
			}
		}
	}
	if len(s.p.Nodes[0].Fluid) > 0 { // with other bottlenecks than CPU, all of them
		for i, nodes := range s.m {
			if nodes != nil {
				s.take(i)
			}
		}
	}
}

// extend takes up more items where one has no bottleneck; false if there are none.
func (s *Shares) extend() bool {
	before := len(s.items)
	if len(s.p.Nodes[0].Fluid) > 0 {
		return false
	}
	for k, n := range s.nodes {
		s.survey(k, int(n))
	}
	for _, n := range s.nodes {
		for _, i := range s.at[n] {
			if s.rises(int(i)) && !s.held(int(i)) {
				s.yield(int(i))
			}
		}
	}
	return len(s.items) > before
}

// survey finds out whether a node is full, and how high the highest level is there that could be lowered.
func (s *Shares) survey(k, n int) {
	if k < len(s.full) {
		s.full[k], s.most[k] = false, math.Inf(-1)
	} else {
		s.full, s.most = append(s.full, false), append(s.most, math.Inf(-1))
	}
	used := 0.0
	for _, i := range s.at[n] {
		it := &s.p.Items[i]
		used += s.yields[i] * it.Need
		if s.yields[i] > it.floor()*(1+slop) {
			s.most[k] = max(s.most[k], s.level(int(i)))
		}
	}
	s.full[k] = used >= s.p.Nodes[n].CPU*(1-slop)
}

// level is that of an item whose yield follows it.
func (s *Shares) level(i int) float64 {
	line := s.p.Items[i].Line.straight()
	if line.Slope == 0 {
		return math.Inf(-1)
	}
	return (s.yields[i] - line.Base) / line.Slope
}

// rises says whether the item would take more.
func (s *Shares) rises(i int) bool {
	return s.yields[i] < 1 && s.p.Items[i].Need > 0 && s.p.Items[i].Line.straight().Slope > 0
}

// held says whether an item has a bottleneck. Nodes not concerned are as they were, and hold whom they held.
func (s *Shares) held(i int) bool {
	level := s.level(i)
	return slices.ContainsFunc(s.m[i], func(n int) bool {
		k := int(s.node[n]) - 1
		if k < 0 {
			k = len(s.nodes)
			s.survey(k, n)
		}
		return s.full[k] && s.most[k] <= level+slop*max(1, math.Abs(level))
	})
}

// yield takes up an item without a bottleneck; or if it is taken up already, those that keep it from rising.
func (s *Shares) yield(i int) {
	if s.item[i] == 0 {
		s.take(i)
		return
	}
	for _, n := range s.m[i] {
		if k := int(s.node[n]) - 1; k >= 0 && s.full[k] {
			for _, o := range s.at[n] {
				if s.level(int(o)) > s.level(i) {
					s.take(int(o))
				}
			}
		}
	}
}

// take takes up an item.
func (s *Shares) take(i int) {
	if s.item[i] != 0 {
		return
	}
	s.items = append(s.items, int32(i))
	s.item[i] = int32(len(s.items))
}

// fill divides what the nodes of the items that are taken up have left beside others.
func (s *Shares) fill() {
	s.visit()
	p := &s.part
	p.Nodes, p.Items, s.mapped, s.places = p.Nodes[:0], p.Items[:0], s.mapped[:0], s.places[:0]
	for _, n := range s.nodes {
		node := s.p.Nodes[n]
		for _, i := range s.at[n] {
			if s.item[i] == 0 {
				node.CPU -= s.yields[i] * s.p.Items[i].Need
			}
		}
		p.Nodes = append(p.Nodes, node)
	}
	for _, i := range s.items {
		from := len(s.places)
		for _, n := range s.m[i] {
			s.places = append(s.places, int(s.node[n])-1)
		}
		p.Items, s.mapped = append(p.Items, s.p.Items[i]), append(s.mapped, s.places[from:len(s.places):len(s.places)])
	}
	for k, yield := range MaxMin(p, s.mapped) {
		s.yields[s.items[k]] = yield
	}
}

// visit lists the nodes of the items that are taken up.
func (s *Shares) visit() {
	for _, i := range s.items {
		for _, n := range s.m[i] {
			if s.node[n] == 0 {
				s.nodes = append(s.nodes, int32(n))
				s.node[n] = int32(len(s.nodes))
			}
		}
	}
}

// forget puts everything down.
func (s *Shares) forget() {
	for _, i := range s.items {
		s.item[i] = 0
	}
	for _, n := range s.nodes {
		s.node[n] = 0
	}
}
