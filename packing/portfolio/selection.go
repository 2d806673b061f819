package portfolio

import (
	"math"
	"math/bits"
	"slices"

	"aliquot/packing"
	"aliquot/packing/radix"
)

// A selection is the items that are to be mapped.
type selection struct {
	items   []int
	kinds   []kind
	members []int32   // items: those of the first kind, and so on
	size    []float64 // by kind and dimension: what one task takes at the level
	share   []float64 // the same as fractions of the mean node
	fixed   []int     // items that are pinned
	tasks   int       // that are free
	bound   bool      // some kind may not go everywhere or has to be spread
}

// A kind is identical tasks.
type kind struct {
	item  int32 // the first of them
	age   int32 // 0 for the last submitted
	count int32 // of all members: tasks, or items whose tasks are to be together
	first int32 // its first member
	some  int32 // members
}

// member lists the items of a kind.
func (sel *selection) member(k int) []int32 {
	kind := &sel.kinds[k]
	return sel.members[kind.first : kind.first+kind.some]
}

// choose sets the items that are to be mapped; false if there was to be an end before, and all is as it was.
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

// byAge lists items from the last submitted; in no order once there is to be an end.
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

// add takes an item, as one of a kind that is known already if there is such, and returns the kind; -1 for pinned ones.
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

// An index finds the kind of tasks that are identical to others. A table of as many numbers as that is what lets a million
// distinct tasks be told apart in a tenth of a second.
type index struct {
	places []int32 // kinds plus 1, near where their sizes say; 0: none
	shift  int
}

func newIndex(items int) *index {
	width := bits.Len(uint(2*items + 1))
	return &index{make([]int32, 1<<width), 64 - width}
}

// find is the kind of the tasks of an item, or the next one, which it is from now on.
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

// place is where to look for an item first. Reference: D. Knuth, "The Art of Computer Programming", volume 3, section 6.4
// (multiplicative hashing).
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

// alike says whether tasks of two items, both free to go anywhere, are identical.
func alike(a, b *packing.Item) bool {
	return a.Need == b.Need && a.MinCPU == b.MinCPU && a.Line == b.Line && slices.Equal(a.Rigid, b.Rigid)
}
