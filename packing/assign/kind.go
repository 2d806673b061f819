package assign

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"aliquot/packing"
)

// A kind is a set of items that packing cannot tell apart, so their tasks may exchange places.
type kind struct {
	items  []int
	weight float64 // memory of a task
}

// kinds groups the items that are mapped. An item whose tasks may not move independently is a kind of
// its own.
func kinds(p *packing.Problem, next packing.Mapping) (list []kind) {
	known := map[string]int{}
	var key []byte
	for i := range p.Items {
		if next[i] == nil {
			continue
		}
		it := &p.Items[i]
		if it.Pinned != nil || it.Spread || it.Together {
			list = append(list, kind{[]int{i}, weight(p, i)})
			continue
		}
		key = appendKey(key[:0], it)
		k, ok := known[string(key)]
		if !ok {
			k = len(list)
			known[string(key)] = k
			list = append(list, kind{nil, weight(p, i)})
		}
		list[k].items = append(list[k].items, i)
	}
	return list
}

// appendKey appends all properties of an item that packing considers.
func appendKey(key []byte, it *packing.Item) []byte {
	number := func(x float64) { key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x)) }
	own := []float64{it.Need, it.MinCPU, it.Line.Slope, it.Line.Base, it.Line.Idle, it.Top}
	for _, x := range append(own, it.Rigid...) {
		number(x)
	}
	for _, d := range it.Fluid {
		number(d.Slope)
		number(d.Base)
		number(d.Least)
		number(d.Most)
	}
	for _, top := range it.Tops {
		number(top)
	}
	if it.Allowed != nil {
		key = append(key, byte(len(it.Fluid)), byte(len(it.Tops)))
	}
	for n, ok := range it.Allowed {
		if n%8 == 0 {
			key = append(key, 0)
		}
		if ok {
			key[len(key)-1] |= 1 << (n % 8)
		}
	}
	return key
}

// A share is the number of tasks of a kind on a node.
type share struct{ kind, count int32 }

// content holds a node's shares by kind.
type content []share

// contents returns the shares of each node in a mapping.
func contents(nodes int, kinds []kind, m packing.Mapping) []content {
	list := make([]content, nodes)
	for k := range kinds {
		for _, i := range kinds[k].items {
			for _, n := range m[i] {
				if last := len(list[n]) - 1; last >= 0 && list[n][last].kind == int32(k) {
					list[n][last].count++
				} else {
					list[n] = append(list[n], share{int32(k), 1})
				}
			}
		}
	}
	return list
}

func (c content) key(key []byte) []byte {
	for _, s := range c {
		key = binary.LittleEndian.AppendUint32(key, uint32(s.kind))
		key = binary.LittleEndian.AppendUint32(key, uint32(s.count))
	}
	return key
}

// A pair is a node and the memory of a part's tasks that would stay if the part were assigned to it.
type pair struct {
	node   int32
	memory float64
}

// A row is a part's pairs, by node.
type row []pair

// merge sorts the pairs by node and sums those of a node up.
func (r row) merge() row {
	slices.SortStableFunc(r, func(a, b pair) int { return cmp.Compare(a.node, b.node) })
	merged := r[:0]
	for _, p := range r {
		if last := len(merged) - 1; last >= 0 && merged[last].node == p.node {
			merged[last].memory += p.memory
		} else {
			merged = append(merged, p)
		}
	}
	return merged
}
