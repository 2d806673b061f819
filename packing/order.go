package packing

import "slices"

// A row is what MCB8's lists need to know of an item that is free to go anywhere.
type row struct {
	item, count  int32
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
	keys       []key   // scratch, as is the next
	spare      []key
}

// sort sorts the free items of a packer at a level; what one task demands there is in cpu then.
func (o *order) sort(k *packer, level float64) {
	o.rows, o.cpu = resized(o.rows, len(k.rows)), resized(o.cpu, len(k.rows))
	o.keys = resized(o.keys, len(k.rows))
	for rank := range k.rows {
		o.keys[rank] = o.key(&k.rows[rank], k.share(&k.rows[rank], level), rank)
	}
	o.keys, o.spare = sortKeys(o.keys, o.spare)
	for at := range o.keys {
		o.rows[at] = k.rows[o.keys[at].rank]
		o.cpu[at] = k.share(&o.rows[at], level)
	}
}

func (o *order) key(r *row, cpu share, rank int) key {
	if o.rigidFirst {
		return key{r.rigid, cpu.fraction, int32(rank)}
	}
	return key{cpu.fraction, r.rigid, int32(rank)}
}

// rise brings the rows to a level. Scaling needs keeps their order, except among items that a
// smallest share, or rounding, makes equal there. With lines, or where smallest shares
// differ, there may be nothing to keep.
func (o *order) rise(k *packer, level float64) {
	for at := range o.rows {
		o.cpu[at] = k.share(&o.rows[at], level)
	}
	for at := 1; at < len(o.rows); at++ {
		if !o.follows(k, at) {
			o.sort(k, level)
			return
		}
	}
}

// follows says whether a row is right behind the one before.
func (o *order) follows(k *packer, at int) bool {
	a, b := &o.rows[at-1], &o.rows[at]
	first, second := o.key(a, o.cpu[at-1], 0), o.key(b, o.cpu[at], 0)
	if first.first != second.first {
		return first.first > second.first
	}
	if first.other != second.other {
		return first.other > second.other
	}
	return k.later(a.item, b.item) < 0
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
