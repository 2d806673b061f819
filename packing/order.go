package packing

import (
	"cmp"
	"math"
	"slices"
)

// A row is what MCB8's lists need to know of an item that is free to go anywhere.
type row struct {
	item, count  int32 // count of what is placed as one: tasks, or all of them together
	age          int32 // 0 for the last submitted, larger the earlier
	need, minCPU float64
	memory       float64 // first rigid requirement, 0 if there is none, of what is placed as one
	rigid        float64 // the same as a fraction of the mean node
}

// A size is what an item takes at the present level, as seen by a list.
type size struct {
	lead, other   float64 // amounts in the leading dimension, and in that over which the list has a tree
	first, second float64 // fractions of the mean node: of the leading dimension, and the largest of the others
	home          bool    // the item belongs to the list
}

// An order is the free items in the order in which one of the lists takes them.
type order struct {
	dim   int // the dimension that leads
	rows  []row
	sizes []size
	keys  []key // scratch, as are the next
	spare []key
	run   []row
	parts []size
}

// sort sorts the free items of a packer by the leading dimension at a level.
func (o *order) sort(k *packer, level float64) {
	o.sizes, o.keys = resized(o.sizes, len(k.rows)), resized(o.keys, len(k.rows))
	o.rows = append(o.rows[:0], k.rows...)
	o.level(k, level)
	for rank := range o.rows {
		o.keys[rank] = key{o.sizes[rank].lead, int32(rank)}
	}
	o.keys, o.spare = sortKeys(o.keys, o.spare)
	for at, e := range o.keys {
		o.rows[at] = k.rows[e.rank]
	}
	o.level(k, level)
}

// rise brings the rows to a level. Scaling needs keeps their order, except among items that a
// smallest share, or rounding, makes equal there: these are sorted anew. With lines, or where
// smallest shares differ, there may be nothing to keep.
func (o *order) rise(k *packer, level float64) {
	o.level(k, level)
	if !o.tidy() {
		o.sort(k, level)
		o.tidy()
	}
}

// level computes what every row takes.
func (o *order) level(k *packer, level float64) {
	if !k.classic {
		o.look(k)
		return
	}
	mean := k.mean[0]
	for at := range o.rows {
		r := &o.rows[at]
		cpu := level * r.need
		if k.special {
			it := &k.p.Items[r.item]
			cpu = it.demand(level) * float64(it.unit())
		} else if cpu < r.minCPU || cpu > r.need {
			cpu = min(max(cpu, r.minCPU), r.need)
		}
		fraction := fraction(cpu, mean)
		if o.dim == 0 {
			o.sizes[at] = size{cpu, r.memory, fraction, r.rigid, fraction > r.rigid}
		} else {
			o.sizes[at] = size{r.memory, cpu, r.rigid, fraction, r.rigid >= fraction}
		}
	}
}

// look takes the sizes from the packer's table.
func (o *order) look(k *packer) {
	other := partner(o.dim)
	for at := range o.rows {
		v := k.amounts.row(int(o.rows[at].item))
		dim, first, second := leading(v, k.mean)
		if dim != o.dim { // it waits in another list
			first, second = fraction(v[o.dim], k.mean[o.dim]), 0
		}
		o.sizes[at] = size{v[o.dim], v[other], first, second, dim == o.dim}
	}
}

// partner is the dimension over which a list has a tree.
func partner(dim int) int {
	if dim == 0 {
		return 1
	}
	return 0
}

// tidy sorts equals in the first requirement; false if the rows are not sorted by that.
func (o *order) tidy() bool {
	last := math.Inf(1)
	for at := 0; at < len(o.rows); at++ {
		first := o.sizes[at].first
		switch {
		case first > last:
			return false
		case first == last && at > 0 && !o.follows(at):
			at = o.mend(at)
		}
		last = first
	}
	return true
}

// follows says whether a row is right behind the one before, which is equal in the first requirement.
func (o *order) follows(at int) bool {
	if a, b := o.sizes[at-1].second, o.sizes[at].second; a != b {
		return a > b
	}
	return o.rows[at-1].age < o.rows[at].age
}

// mend sorts the rows around one that are equal in the first requirement, and returns the last.
func (o *order) mend(at int) int {
	from, to := at, at+1
	for from > 0 && o.sizes[from-1].first == o.sizes[at].first {
		from--
	}
	for to < len(o.rows) && o.sizes[to].first == o.sizes[at].first {
		to++
	}
	rows, sizes := o.rows[from:to], o.sizes[from:to]
	o.keys, o.run, o.parts = resized(o.keys, len(rows)), append(o.run[:0], rows...), append(o.parts[:0], sizes...)
	for rank := range rows {
		o.keys[rank] = key{sizes[rank].second, int32(rank)}
	}
	slices.SortFunc(o.keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(o.run[a.rank].age, o.run[b.rank].age))
	})
	for at, e := range o.keys {
		rows[at], sizes[at] = o.run[e.rank], o.parts[e.rank]
	}
	return to - 1
}

// drop takes an item's row out.
func (o *order) drop(item int32) {
	o.rows, o.sizes = without(o.rows, item), o.sizes[:len(o.rows)-1]
}

func without(rows []row, item int32) []row {
	at := slices.IndexFunc(rows, func(r row) bool { return r.item == item })
	return slices.Delete(rows, at, at+1)
}

// demand is what all tasks demand of the leading dimension, and the number of those that demand more than a half.
func (o *order) demand(half float64) (sum float64, halves int) {
	for at, size := range o.sizes {
		sum += float64(o.rows[at].count) * size.lead
		if size.lead > half {
			halves += int(o.rows[at].count)
		}
	}
	return sum, halves
}
