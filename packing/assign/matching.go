package assign

import (
	"container/heap"
	"math"
)

// A matching assigns the parts to the nodes of a class. The prices of a part and a node together are
// never less than the memory that stays if the part is on that node, and equal to it for a matched
// pair. Unmatched vertices have price 0, so the prices sum to the memory that stays in place.
type matching struct {
	nodes  []int // of the class; its parts have the same numbers
	rows   []row // by part: pairs with nodes by place in the class
	part   []int // by node: its part; -1: none
	node   []int // by part
	prices       // dual variables
	search
}

// prices are the dual variables of parts and nodes.
type prices struct{ ofPart, ofNode []float64 }

// newMatching returns a matching for the parts and nodes of a class, given the contents of the nodes
// before and of the parts after.
func newMatching(nodes []int, kinds []kind, before, after []content) *matching {
	m := &matching{nodes: nodes, rows: make([]row, len(nodes))}
	m.part, m.node = filled(len(nodes), -1), filled(len(nodes), -1)
	m.ofPart, m.ofNode = make([]float64, len(nodes)), make([]float64, len(nodes))
	m.search.init(len(nodes))
	m.same(kinds, before, after)
	m.fill(kinds, before, after)
	return m
}

// same matches parts to nodes with exactly the same content before. The memory that stays is a sum of
// minima, so no other node is better for such a part, and no other part for such a node.
func (m *matching) same(kinds []kind, before, after []content) {
	having, key := map[string][]int{}, []byte(nil)
	for at := len(m.nodes) - 1; at >= 0; at-- {
		key = before[m.nodes[at]].key(key[:0])
		having[string(key)] = append(having[string(key)], at)
	}
	for k, part := range m.nodes {
		key = after[part].key(key[:0])
		if list := having[string(key)]; len(key) > 0 && len(list) > 0 {
			m.match(k, list[len(list)-1])
			m.ofPart[k] = common(kinds, after[part], after[part])
			having[string(key)] = list[:len(list)-1]
		}
	}
}

// fill lists the pairs of the other parts and nodes that have something in common.
func (m *matching) fill(kinds []kind, before, after []content) {
	type place struct{ at, count int32 }
	having := make([][]place, len(kinds))
	for at, n := range m.nodes {
		if m.part[at] >= 0 {
			continue
		}
		for _, s := range before[n] {
			having[s.kind] = append(having[s.kind], place{int32(at), s.count})
		}
	}
	for k, part := range m.nodes {
		if m.node[k] >= 0 {
			continue
		}
		for _, s := range after[part] {
			for _, h := range having[s.kind] {
				m.rows[k] = append(m.rows[k], pair{h.at, kinds[s.kind].weight * float64(min(s.count, h.count))})
			}
		}
		m.rows[k] = m.rows[k].merge()
		for _, q := range m.rows[k] {
			m.ofPart[k] = max(m.ofPart[k], q.memory)
		}
	}
}

func filled(n, value int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = value
	}
	return list
}

// solve matches the parts, and returns the sum of the prices: an upper bound on the memory that stays.
func (m *matching) solve(budget *int) (most float64) {
	for k := range m.rows {
		m.settle(k)
	}
	for k := range m.rows {
		if m.node[k] < 0 && m.ofPart[k] > 0 && *budget > 0 {
			m.augment(k, budget)
		}
	}
	for k := range m.rows {
		m.settle(k)
		most += m.ofPart[k] + m.ofNode[k]
	}
	return most
}

// settle matches a part to the free node where most of it stays, if that is worth the part's price.
func (m *matching) settle(k int) {
	if m.node[k] >= 0 {
		return
	}
	best, memory := -1, 0.0
	for _, q := range m.rows[k] {
		if m.part[q.node] < 0 && q.memory > memory {
			best, memory = int(q.node), q.memory
		}
	}
	if best >= 0 && (memory == m.ofPart[k] || m.spent) {
		m.match(k, best)
	}
}

func (m *matching) match(k, n int) { m.part[n], m.node[k] = k, n }

// assign gives each part its node: the matched one, its own if that is free, or the next free one.
func (m *matching) assign(home []int) {
	for k := range m.rows {
		if m.node[k] < 0 && m.part[k] < 0 {
			m.match(k, k)
		}
	}
	free := 0
	for k := range m.rows {
		if m.node[k] < 0 {
			for m.part[free] >= 0 {
				free++
			}
			m.match(k, free)
		}
		home[m.nodes[k]] = m.nodes[m.node[k]]
	}
}

// search is a shortest-path search from one part, along unmatched pairs to nodes and along matched
// pairs back to parts. The length of a path is the loss in the sum of prices.
type search struct {
	distance []float64 // by node
	via      []int     // by node: the part from which it is reached
	seen     []int     // nodes with a distance
	done     []int     // those with a final distance
	queue    queue
	spent    bool // the budget is used up
}

func (s *search) init(n int) {
	s.distance, s.via = make([]float64, n), make([]int, n)
	for k := range s.distance {
		s.distance[k] = math.Inf(1)
	}
}

// augment matches part k along the path with the least loss: to a free node, or to a part that becomes
// unmatched, which may be k itself.
func (m *matching) augment(k int, budget *int) {
	end, last, length := -1, k, m.ofPart[k] // end of the best path: a free node, or else the part that is left out
	if !m.reach(k, 0, length, budget) {
		return
	}
	for m.queue.Len() > 0 {
		e := heap.Pop(&m.queue).(entry)
		if e.distance >= length {
			break
		}
		if e.distance > m.distance[e.node] {
			continue
		}
		if m.part[e.node] < 0 {
			end, length = e.node, e.distance
			break
		}
		m.done = append(m.done, e.node)
		next := m.part[e.node]
		if l := e.distance + m.ofPart[next]; l < length {
			last, length = next, l
		}
		if !m.reach(next, e.distance, length, budget) {
			m.forget()
			return
		}
	}
	m.reprice(k, length)
	m.flip(k, end, last)
	m.forget()
}

// reach updates the nodes that are nearer through part k. It returns false if the budget is used up.
func (m *matching) reach(k int, distance, most float64, budget *int) bool {
	if *budget -= len(m.rows[k]); *budget <= 0 {
		m.spent = true
		return false
	}
	for _, q := range m.rows[k] {
		d := max(distance, distance+m.ofPart[k]+m.ofNode[q.node]-q.memory) // rounding
		if d < m.distance[q.node] && d < most {
			if math.IsInf(m.distance[q.node], 1) {
				m.seen = append(m.seen, int(q.node))
			}
			m.distance[q.node], m.via[q.node] = d, k
			heap.Push(&m.queue, entry{d, int(q.node)})
		}
	}
	return true
}

// reprice lowers the prices so that they are tight on the pairs of the path.
func (m *matching) reprice(k int, length float64) {
	m.ofPart[k] = max(0, m.ofPart[k]-length)
	for _, n := range m.done {
		if by := length - m.distance[n]; by > 0 {
			next := m.part[n]
			m.ofPart[next] = max(0, m.ofPart[next]-by)
			m.ofNode[n] += by
		}
	}
}

// flip changes the matching along the path that ends at a free node, or at the part that is left out.
func (m *matching) flip(k, end, last int) {
	n := end
	if n < 0 {
		if last == k {
			return
		}
		n = m.node[last]
		m.node[last] = -1
	}
	for {
		part := m.via[n]
		before := m.node[part]
		m.match(part, n)
		if part == k {
			return
		}
		n = before
	}
}

func (s *search) forget() {
	for _, n := range s.seen {
		s.distance[n] = math.Inf(1)
	}
	s.seen, s.done, s.queue = s.seen[:0], s.done[:0], s.queue[:0]
}

// An entry is a node with the distance at which it was reached.
type entry struct {
	distance float64
	node     int
}

// queue orders entries by distance, ties by node.
type queue []entry

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	return q[i].distance < q[j].distance || q[i].distance == q[j].distance && q[i].node < q[j].node
}
func (q *queue) Push(x any) { *q = append(*q, x.(entry)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
