package packing

import (
	"math"
	"slices"
)

// Shares keeps the max-min fair yields of a mapping up to date while items come and go. What one item changes
// begins at the level at which one of its nodes can be full: whoever has stopped below is left alone, and so is who
// shares no node with those that have not, directly or through others.
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
	for _, n := range nodes {
		s.at[n] = append(s.at[n], int32(i))
	}
	level := min(s.bound(old), s.bound(nodes))
	for _, n := range old {
		at := slices.Index(s.at[n], int32(i))
		s.at[n] = slices.Delete(s.at[n], at, at+1)
	}
	s.m[i], s.yields[i] = nodes, 0
	s.gather(i, old, level)
	s.fill()
	return len(s.items)
}

// bound is a level below which none of some nodes is full, whether or not the item that changes is there: what
// stops below it stays as it is, and the others need no more than if they rose to it.
func (s *Shares) bound(nodes []int) (level float64) {
	level = math.Inf(1)
	for _, n := range nodes {
		level = min(level, s.lowest(n))
	}
	return level
}

// lowest is such a level of one node, raised as long as more turn out to stop below. Where yields are not levels
// nothing is said.
func (s *Shares) lowest(n int) float64 {
	if len(s.p.Nodes[n].Fluid) > 0 {
		return math.Inf(-1)
	}
	level := math.Inf(-1)
	for {
		spare, need := s.p.Nodes[n].CPU, 0.0
		for _, i := range s.at[n] {
			it := &s.p.Items[i]
			switch {
			case it.Line != Line{}:
				return math.Inf(-1)
			case s.stopped(int(i), level):
				spare -= s.yields[i] * it.Need
			default: // at most the level, or what its smallest share is above
				spare -= it.floor() * it.Need
				need += it.Need
			}
		}
		next := spare / need
		if !(next > level) {
			return level
		}
		level = next
	}
}

// stopped says whether an item has stopped clearly below a level, above its smallest share.
func (s *Shares) stopped(i int, level float64) bool {
	yield := s.yields[i]
	return s.m[i] != nil && yield < level*(1-slop) && yield > s.p.Items[i].floor()*(1+slop) && s.p.Items[i].Line == Line{}
}

// gather lists the items that may get another yield when one has changed, and the nodes that they share.
func (s *Shares) gather(changed int, old []int, level float64) {
	s.items, s.nodes = s.items[:0], s.nodes[:0]
	if s.m[changed] != nil {
		s.take(changed)
	}
	for _, n := range old {
		s.visit(n)
	}
	for nodes, items := 0, 0; items < len(s.items) || nodes < len(s.nodes); {
		for ; items < len(s.items); items++ {
			for _, n := range s.m[s.items[items]] {
				s.visit(n)
			}
		}
		for ; nodes < len(s.nodes); nodes++ {
			for _, i := range s.at[s.nodes[nodes]] {
				if s.item[i] == 0 && !s.stopped(int(i), level) {
					s.take(int(i))
				}
			}
		}
	}
}

func (s *Shares) take(i int) {
	s.items = append(s.items, int32(i))
	s.item[i] = int32(len(s.items))
}

func (s *Shares) visit(n int) {
	if s.node[n] == 0 {
		s.nodes = append(s.nodes, int32(n))
		s.node[n] = int32(len(s.nodes))
	}
}

// fill divides anew what the nodes have left beside the items that stay as they are.
func (s *Shares) fill() {
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
	for _, i := range s.items {
		s.item[i] = 0
	}
	for _, n := range s.nodes {
		s.node[n] = 0
	}
}
