package packing

import (
	"cmp"
	"math"
	"slices"
)

// A row is what MCB8's lists need to know of an item that is free to go anywhere.
type row struct {
	item, count  int32
	age          int32 // 0 for the last submitted, larger the earlier
	need, minCPU float64
	memory       float64 // first rigid requirement
	rigid        float64 // largest rigid requirement, as a fraction of the mean node
}

// A share is CPU as an amount, and as a fraction of the mean node.
type share struct{ amount, fraction float64 }

// An order is the free items in the order in which one of the lists takes them.
type order struct {
	rigidFirst bool // by the largest rigid requirement, not by CPU
	rows       []row
	cpu        []share // by row, at the present level
	keys       []key   // scratch, as are the next
	spare      []key
	run        []row
	shares     []share
}

// sort sorts the free items of a packer by their first requirement at a level.
func (o *order) sort(k *packer, level float64) {
	o.cpu, o.keys = resized(o.cpu, len(k.rows)), resized(o.keys, len(k.rows))
	o.rows = append(o.rows[:0], k.rows...)
	o.level(k, level)
	for rank := range o.rows {
		size := o.cpu[rank].amount
		if o.rigidFirst {
			size = o.rows[rank].rigid
		}
		if o.rigidFirst && k.capacity.width == 2 { // more often a whole number, which takes fewer steps to sort by
			size = o.rows[rank].memory
		}
		o.keys[rank] = key{size, int32(rank)}
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

// level computes what one task of every row demands.
func (o *order) level(k *packer, level float64) {
	mean := k.mean[0]
	for at := range o.rows {
		r := &o.rows[at]
		cpu := level * r.need
		if k.lines {
			cpu = k.p.Items[r.item].demand(level)
		} else if cpu < r.minCPU || cpu > r.need {
			cpu = min(max(cpu, r.minCPU), r.need)
		}
		o.cpu[at] = share{cpu, fraction(cpu, mean)}
	}
}

// tidy sorts equals in the first requirement; false if the rows are not sorted by that.
func (o *order) tidy() bool {
	last := math.Inf(1)
	for at := 0; at < len(o.rows); at++ {
		first := o.first(at)
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
	if a, b := o.other(at-1), o.other(at); a != b {
		return a > b
	}
	return o.rows[at-1].age < o.rows[at].age
}

func (o *order) first(at int) float64 {
	if o.rigidFirst {
		return o.rows[at].rigid
	}
	return o.cpu[at].fraction
}

func (o *order) other(at int) float64 {
	if o.rigidFirst {
		return o.cpu[at].fraction
	}
	return o.rows[at].rigid
}

// mend sorts the rows around one that are equal in the first requirement, and returns the last.
func (o *order) mend(at int) int {
	from, to := at, at+1
	for from > 0 && o.first(from-1) == o.first(at) {
		from--
	}
	for to < len(o.rows) && o.first(to) == o.first(at) {
		to++
	}
	rows, cpu := o.rows[from:to], o.cpu[from:to]
	o.keys, o.run, o.shares = resized(o.keys, len(rows)), append(o.run[:0], rows...), append(o.shares[:0], cpu...)
	for rank := range rows {
		o.keys[rank] = key{o.other(from + rank), int32(rank)}
	}
	slices.SortFunc(o.keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(o.run[a.rank].age, o.run[b.rank].age))
	})
	for at, e := range o.keys {
		rows[at], cpu[at] = o.run[e.rank], o.shares[e.rank]
	}
	return to - 1
}

// drop takes an item's row out.
func (o *order) drop(item int32) {
	o.rows, o.cpu = without(o.rows, item), o.cpu[:len(o.rows)-1]
}

func without(rows []row, item int32) []row {
	at := slices.IndexFunc(rows, func(r row) bool { return r.item == item })
	return slices.Delete(rows, at, at+1)
}

// demand is the CPU that all tasks demand, and the number of tasks that demand more than a half.
func (o *order) demand(half float64) (sum float64, halves int) {
	for at, cpu := range o.cpu {
		sum += float64(o.rows[at].count) * cpu.amount
		if cpu.amount > half {
			halves += int(o.rows[at].count)
		}
	}
	return sum, halves
}
