package portfolio

import (
	"math"
	"math/bits"
	"slices"

	"aliquot/packing"
	"aliquot/packing/radix"
)

// A selection is a set of items to map.
type selection struct {
	items   []int
	kinds   []kind
	members []int32   // items, grouped by kind
	size    []float64 // by kind and dimension: one task's use at the level
	share   []float64 // the same as fractions of the mean node
	fixed   []int     // pinned items
	tasks   int       // number of free tasks
	bound   bool      // some kind is restricted to some nodes or must be spread
}

// A kind is a set of identical tasks.
type kind struct {
	item  int32 // the first of them
	age   int32 // 0 for the last submitted
	count int32 // of all members: tasks, or items whose tasks must be together
	first int32 // its first member
	some  int32 // number of members
}

// member lists the items of a kind.
func (sel *selection) member(k int) []int32 {
	kind := &sel.kinds[k]
	return sel.members[kind.first : kind.first+kind.some]
}

// choose sets the items to map. It returns false, without any change, if the search is stopped
// meanwhile.
func (in *tableau) choose(items []int) bool {
	byAge := in.byAge(items)
	sel := selection{items: items, kinds: make([]kind, 0, len(items))}
	of, known := make([]int32, len(items)), newIndex(len(items))
	for age, key := range byAge {
		if in.pace.Seen(1) {
			return false
		}
		of[age] = sel.add(in.p, key.Rank, int32(age), known)
	}
	if in.pace.Ended {
		return false
	}
	sel.gather(byAge, of)
	sel.size, sel.share = make([]float64, len(sel.kinds)*in.width), make([]float64, len(sel.kinds)*in.width)
	in.selection = sel
	return true
}

// byAge lists items from the last submitted. If the search is stopped meanwhile, they are in no order.
func (in *tableau) byAge(items []int) []radix.Key {
	chosen, keys := make([]bool, len(in.p.Items)), make([]radix.Key, 0, len(items))
	for _, i := range items {
		chosen[i] = true
	}
	for i := len(chosen) - 1; i >= 0; i-- {
		if chosen[i] && !in.pace.Seen(1) {
			keys = append(keys, radix.Key{Number: ^in.p.Items[i].Label, Rank: int32(i)})
		}
	}
	keys, _ = radix.Sort(keys, nil, in.pace.ask)
	return keys
}

// add adds an item to its kind, which it creates if necessary, and returns the kind; -1 for pinned
// items.
func (sel *selection) add(p *packing.Problem, i, age int32, known *index) int32 {
	it := &p.Items[i]
	if it.Pinned != nil {
		sel.fixed = append(sel.fixed, int(i))
		return -1
	}
	units, k := int32(it.Count/it.Unit()), int32(len(sel.kinds))
	sel.tasks += int(units)
	if it.Allowed == nil && it.Fluid == nil && !it.Spread && !it.Together {
		k = known.find(it, k, func(k int32) *packing.Item { return &p.Items[sel.kinds[k].item] })
	}
	if int(k) == len(sel.kinds) {
		sel.kinds = append(sel.kinds, kind{item: i, age: age})
		sel.bound = sel.bound || it.Allowed != nil || it.Spread
	}
	sel.kinds[k].count += units
	sel.kinds[k].some++
	return k
}

// gather lists the members of every kind.
func (sel *selection) gather(items []radix.Key, of []int32) {
	from := int32(0)
	for k := range sel.kinds {
		kind := &sel.kinds[k]
		kind.first, from = from, from+kind.some
		kind.some = 0
	}
	sel.members = make([]int32, from)
	for at, k := range of {
		if k >= 0 {
			kind := &sel.kinds[k]
			sel.members[kind.first+kind.some] = items[at].Rank
			kind.some++
		}
	}
}

// An index finds the kind of identical tasks. Being one flat table of numbers, it distinguishes a
// million different tasks in a tenth of a second.
type index struct {
	places []int32 // kinds plus 1, near the place given by their sizes; 0: none
	shift  int
}

func newIndex(items int) *index {
	width := bits.Len(uint(2*items + 1))
	return &index{make([]int32, 1<<width), 64 - width}
}

// find returns the kind of an item's tasks. If they are new, it records next as their kind.
func (x *index) find(it *packing.Item, next int32, first func(kind int32) *packing.Item) int32 {
	place := x.place(it)
	for ; x.places[place] > 0; place = (place + 1) % len(x.places) {
		if k := x.places[place] - 1; alike(first(k), it) {
			return k
		}
	}
	x.places[place] = next + 1
	return next
}

// place returns the first place to look for an item. Reference: D. Knuth, "The Art of Computer
// Programming", volume 3, section 6.4 (multiplicative hashing).
func (x *index) place(it *packing.Item) int {
	hash := mixed(0, it.Need)
	for _, quantity := range it.Rigid {
		hash = mixed(hash, quantity)
	}
	for _, quantity := range [...]float64{it.MinCPU, it.Line.Slope, it.Line.Base, it.Line.Idle} {
		hash = mixed(hash, quantity)
	}
	return int(hash >> x.shift)
}

func mixed(hash uint64, quantity float64) uint64 {
	const golden = 0x9e3779b97f4a7c15
	return (bits.RotateLeft64(hash, 23) ^ math.Float64bits(quantity)) * golden
}

// alike reports whether tasks of two items, both free to go anywhere, are identical.
func alike(a, b *packing.Item) bool {
	return a.Need == b.Need && a.MinCPU == b.MinCPU && a.Line == b.Line && slices.Equal(a.Rigid, b.Rigid)
}
