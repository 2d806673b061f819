package packing

import (
	"cmp"
	"math"
	"slices"
)

// An order is the free items in the order in which one of MCB8's lists takes them, with what
// it needs to know of them, one row per item.
type order struct {
	rigidFirst bool // by the largest rigid requirement, not by CPU
	item       []int32
	count      []int32
	need       []float64
	minCPU     []float64
	memory     []float64 // first rigid requirement
	rigid      []float64 // largest rigid requirement, as a fraction of the mean node
	cpu        []share   // at the present level
	keys       []key     // scratch
}

// A share is CPU as an amount, and as a fraction of the mean node.
type share struct{ amount, fraction float64 }

// A key decides between items: by the first requirement, ties to the larger other one, then to the later
// submitted.
type key struct {
	first, other float64
	label        uint64
	item         int32
}

func larger(a, b key) int {
	switch {
	case a.first != b.first:
		return cmp.Compare(b.first, a.first)
	case a.other != b.other:
		return cmp.Compare(b.other, a.other)
	case a.label != b.label:
		return cmp.Compare(b.label, a.label)
	}
	return cmp.Compare(b.item, a.item)
}

// sort sorts the free items of a packer by their CPU as given, or by rigid requirement.
func (o *order) sort(k *packer, cpu func(it *Item) float64) {
	o.keys = o.keys[:0]
	for _, i := range k.free {
		it := &k.p.Items[i]
		e := key{cpu(it), k.rigid[i], it.Label, i}
		if o.rigidFirst {
			e.first, e.other = e.other, e.first
		}
		o.keys = append(o.keys, e)
	}
	slices.SortFunc(o.keys, larger)
	n := len(o.keys)
	o.item, o.count, o.cpu = resized(o.item, n), resized(o.count, n), resized(o.cpu, n)
	o.need, o.minCPU, o.memory, o.rigid = resized(o.need, n), resized(o.minCPU, n), resized(o.memory, n), resized(o.rigid, n)
	for row := range o.keys {
		i := o.keys[row].item
		it := &k.p.Items[i]
		o.item[row], o.count[row] = i, int32(it.Count)
		o.need[row], o.minCPU[row], o.memory[row], o.rigid[row] = it.Need, it.MinCPU, k.memory(i), k.rigid[i]
	}
}

// drop takes an item's row out.
func (o *order) drop(item int32) {
	row := slices.Index(o.item, item)
	o.item, o.count, o.cpu = slices.Delete(o.item, row, row+1), slices.Delete(o.count, row, row+1), o.cpu[1:]
	for _, column := range []*[]float64{&o.need, &o.minCPU, &o.memory, &o.rigid} {
		*column = slices.Delete(*column, row, row+1)
	}
}

// rise computes what one task of every row demands of CPU at a level; false if the order is
// another there. Scaling needs keeps it, but for three things: lines, smallest shares that
// bind, and needs that differ by so little that rounding makes their demands equal.
func (o *order) rise(k *packer, level float64) (same bool) {
	same = true
	last := share{fraction: math.Inf(1)}
	for row, need := range o.need {
		amount := min(max(level*need, o.minCPU[row]), need)
		if k.lines {
			amount = k.p.Items[o.item[row]].demand(level)
		}
		cpu := share{amount, fraction(amount, k.mean[0])}
		o.cpu[row] = cpu
		if cpu.fraction >= last.fraction && row > 0 {
			same = same && o.follows(row)
		}
		last = cpu
	}
	return same
}

// follows says whether a row, at the level that the rows have risen to, is right behind the one before.
// Equal items were sorted by label whatever the level.
func (o *order) follows(row int) bool {
	first, other := func(r int) float64 { return o.cpu[r].fraction }, func(r int) float64 { return o.rigid[r] }
	if o.rigidFirst {
		first, other = other, first
	}
	switch {
	case first(row) != first(row-1):
		return first(row) < first(row-1)
	case other(row) != other(row-1):
		return other(row) < other(row-1)
	}
	return o.need[row] == o.need[row-1] && o.minCPU[row] == o.minCPU[row-1]
}

// demand is the CPU that all tasks demand, and the number of tasks that demand more than a half.
func (o *order) demand(half float64) (sum float64, halves int) {
	for row, cpu := range o.cpu {
		sum += float64(o.count[row]) * cpu.amount
		if cpu.amount > half {
			halves += int(o.count[row])
		}
	}
	return sum, halves
}
