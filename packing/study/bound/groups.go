package bound

import (
	"cmp"
	"math"
	"slices"
)

// groups partition the nodes; the nodes of a group have one price per dimension. Any partition gives a
// bound. If the nodes of each group have the same capacity and the same allowed tasks, the bound is as
// good as with one price per node.
type groups struct {
	of      []int32     // by node: its group
	has     []float64   // by group and dimension: capacity of all its nodes
	largest []float64   // by group and dimension: largest capacity of a node
	lists   [][]bool    // the different lists of allowed nodes; the first is nil, for all
	reach   [][]float64 // by list and group: number of the group's nodes on the list
	list    []int32     // by place in kept: its list
}

// mostGroups limits the number of prices. Further differences between nodes are ignored.
const mostGroups = 24

// group partitions the nodes by capacity, then by allowed tasks, heavier lists first, then by pinned
// tasks, while there are groups left. It returns nil if the search is stopped meanwhile.
func (in *instance) group() *groups {
	g := &groups{of: make([]int32, len(in.p.Nodes))}
	count := in.byCapacity(g.of)
	for _, list := range g.gather(in) {
		if in.Ended || in.Seen(len(g.of)) {
			return nil
		}
		allowed := g.lists[list]
		count = g.split(count, func(n int) bool { return allowed[n] })
	}
	for _, at := range in.pinned {
		for _, pin := range in.p.Items[in.kept[at]].Pinned {
			if count == mostGroups {
				break
			}
			if in.Seen(len(g.of)) {
				return nil
			}
			count = g.split(count, func(n int) bool { return n == pin })
		}
	}
	if !g.measure(in, count) {
		return nil
	}
	return g
}

// byCapacity gives nodes of the same capacity the same group. If there are too many, it groups nodes
// of similar leanness. It returns the number of groups. If the search is stopped meanwhile, the groups
// are meaningless.
func (in *instance) byCapacity(of []int32) int {
	nodes := make([]int, len(of))
	for n := range nodes {
		nodes[n] = n
	}
	lean := make([]float64, len(of))
	for n := range lean {
		lean[n] = in.lean(n)
	}
	if in.Seen(len(of)) {
		return 0
	}
	slices.SortStableFunc(nodes, func(a, b int) int {
		return cmp.Or(cmp.Compare(lean[a], lean[b]), slices.Compare(in.node(a), in.node(b)))
	})
	if in.Seen(len(of)) {
		return 0
	}
	kinds := 0
	for at, n := range nodes {
		if at == 0 || !slices.Equal(in.node(n), in.node(nodes[at-1])) {
			kinds++
		}
		of[n] = int32(kinds - 1)
	}
	if most := int32(mostGroups / 2); kinds > int(most) {
		for n := range of {
			of[n] = int32(int(of[n]) * int(most) / kinds)
		}
		return int(most)
	}
	return kinds
}

func (in *instance) node(n int) []float64 {
	width := len(in.sizes)
	return in.capacity[n*width : (n+1)*width]
}

// lean returns the ratio of a node's first dimension to the sum of the others.
func (in *instance) lean(n int) float64 {
	v, rest := in.node(n), 0.0
	for d := 1; d < len(v); d++ {
		rest += part(v[d], in.most[d])
	}
	return math.Atan2(part(v[0], in.most[0]), rest)
}

// gather finds the different lists of allowed nodes, and orders them by their tasks. If the search is
// stopped meanwhile, some are missing.
func (g *groups) gather(in *instance) (order []int) {
	g.lists, g.list = [][]bool{nil}, make([]int32, len(in.kept))
	weight := []float64{0}
	same, alike := map[*bool]int32{}, map[uint64][]int32{}
	for at, i := range in.kept {
		if in.Seen(1) {
			break
		}
		it := &in.p.Items[i]
		if len(it.Allowed) == 0 || it.Pinned != nil {
			continue
		}
		list, ok := same[&it.Allowed[0]]
		if !ok {
			list = g.find(it.Allowed, alike)
			same[&it.Allowed[0]] = list
			in.Seen(len(it.Allowed))
		}
		if g.list[at] = list; int(list) == len(weight) {
			weight = append(weight, 0)
		}
		weight[list] += in.counts[at]
	}
	for list := range g.lists[1:] {
		order = append(order, list+1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	return order
}

// find returns the list with the same nodes, adding it if there is none.
func (g *groups) find(allowed []bool, alike map[uint64][]int32) int32 {
	hash := uint64(14695981039346656037) // FNV-1a
	for n, may := range allowed {
		if may {
			hash = (hash ^ uint64(n)) * 1099511628211
		}
	}
	for _, list := range alike[hash] {
		if slices.Equal(g.lists[list], allowed) {
			return list
		}
	}
	list := int32(len(g.lists))
	g.lists, alike[hash] = append(g.lists, allowed), append(alike[hash], list)
	return list
}

// split divides each group by a mark of its nodes, unless that makes too many groups. It returns their
// number.
func (g *groups) split(count int, marked func(n int) bool) int {
	groups, marks := int32(0), make([][2]int32, count) // by group: the new ones, plus 1
	for n, group := range g.of {
		m := &marks[group][index(marked(n))]
		if *m == 0 {
			groups++
			*m = groups
		}
	}
	if groups > mostGroups {
		return count
	}
	for n, group := range g.of {
		g.of[n] = marks[group][index(marked(n))] - 1
	}
	return int(groups)
}

func index(is bool) int {
	if is {
		return 1
	}
	return 0
}

// measure adds up the capacities of the groups, and the parts of them on the lists. It returns false
// if the search is stopped meanwhile.
func (g *groups) measure(in *instance, count int) bool {
	if in.Ended {
		return false
	}
	width := len(in.sizes)
	g.has, g.largest = make([]float64, count*width), make([]float64, count*width)
	for n, group := range g.of {
		for d, c := range in.node(n) {
			at := int(group)*width + d
			g.has[at] += c
			g.largest[at] = max(g.largest[at], c)
		}
	}
	for _, list := range g.lists {
		if in.Seen(len(g.of)) {
			return false
		}
		reach := make([]float64, count)
		for n, group := range g.of {
			if list == nil || list[n] {
				reach[group]++
			}
		}
		g.reach = append(g.reach, reach)
	}
	return true
}

// part returns the fraction of a whole. Nothing of nothing is 0.
func part(x, whole float64) float64 {
	if x == 0 {
		return 0
	}
	return x / whole
}
