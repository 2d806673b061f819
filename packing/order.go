package packing

import (
	"math"
	"slices"
	"sort"

	"aliquot/packing/radix"
)

// A row is the part of a free item that MCB8's lists need.
type row struct {
	item, count  int32 // count is the number of units
	age          int32 // 0 for the last submitted item, larger for earlier ones
	need, minCPU float64
	memory       float64 // first rigid requirement of one unit, 0 if there is none
	rigid        float64 // the same as a fraction of the mean node
}

// A part is an item's use at the present level, seen by one list.
type part struct {
	lead, other      float64 // amounts in the leading dimension, and in the dimension of the list's tree
	first, second    float64 // fractions of the mean node: of the leading dimension, and the largest of the others or +Inf
	item, count, age int32   // as in its row
}

// home reports whether the item belongs to the list of a dimension: the one with the largest fraction,
// the last of equals.
func (p *part) home(dim int) bool { return p.first > p.second || p.first == p.second && dim > 0 }

// before reports whether a list takes the item before another.
func (p *part) before(o *part) bool {
	if p.first != o.first {
		return p.first > o.first
	}
	return p.second > o.second || p.second == o.second && p.age < o.age
}

// An order holds the free items in the order of one of the lists.
type order struct {
	dim   int    // the dimension that leads
	rows  []row  // by need or requirement first, later as at some earlier level
	parts []part // by row, or of a block of them
	tied  []span // scratch
}

// list fills a list at a level. It returns the sum of the demand of the leading dimension, and the
// number of units that demand more than half of it.
func (o *order) list(k *packer, level, half float64, l *list) (sum float64, halves int) {
	l.dim = o.dim
	sum, halves, wrong := o.pass(k, level, half, l)
	for wrong >= 0 {
		o.sort(k, level, wrong)
		sum, halves, wrong = o.pass(k, level, half, l) // which may find a row that belongs still further ahead
	}
	return sum, halves
}

// block is the number of rows that a pass sorts before it continues.
const block = 256

// pass appends the rows to the list block by block. Needs scale with the level, so the rows keep the
// order of the previous level, except where a smallest share or rounding makes items equal or no
// longer equal. It returns the row from which on the disorder is too large, or -1: with lines, or with
// different smallest shares, there may be no order to keep. Once the search is to end, the list no
// longer matters.
func (o *order) pass(k *packer, level, half float64, l *list) (sum float64, halves, wrong int) {
	o.parts = resized(o.parts, min(block, len(o.rows)))
	l.begin(len(o.rows))
	last, steps := part{first: math.Inf(1), second: math.Inf(1), age: -1}, 0
	for from := 0; from < len(o.rows); from += block {
		rows := o.rows[from:min(from+block, len(o.rows))]
		if k.Seen(len(rows)) {
			return 0, 0, -1
		}
		if k.classic && !k.special {
			if some, more, ok := o.quick(k, level, half, rows, &last, l); ok {
				sum, halves = sum+some, halves+more
				continue
			}
		}
		parts := o.parts[:len(rows)]
		o.look(k, level, rows, parts)
		if steps += arrange(rows, parts); steps > block*block+2*len(o.rows) {
			return 0, 0, 0
		}
		if parts[0].before(&last) {
			return 0, 0, o.place(k, level, from, parts[0])
		}
		some, more := demand(parts, half)
		sum, halves = sum+some, halves+more
		last = parts[len(parts)-1]
		l.add(parts, k.single)
	}
	l.end()
	return sum, halves, -1
}

// quick appends rows that are already in order without copying them first. Otherwise it returns false
// and leaves the list as it was. Items of the two lists alternate unpredictably, so each item is
// written in any case and then counted only if it belongs here, which avoids a branch.
func (o *order) quick(k *packer, level, half float64, rows []row, last *part, l *list) (sum float64,
	halves int, ok bool) {
	entries, members := len(l.lead), len(l.items)
	lead, other := l.lead[:entries+len(rows)], l.other.values[:entries+len(rows)]
	left, begins, items := l.left[:entries+len(rows)], l.first[:entries+len(rows)], l.items[:members+len(rows)]
	mean, dim, single, ragged, wrong := k.mean[0], o.dim, k.single, l.ragged, 0
	first, second, age := last.first, last.second, last.age
	for at := range rows {
		r := &rows[at]
		cpu := level * r.need
		if cpu < r.minCPU || cpu > r.need {
			cpu = min(max(cpu, r.minCPU), r.need)
		}
		share := cpu
		if cpu > 0 {
			share = cpu / mean
		}
		x, y, a, b, home := cpu, r.memory, share, r.rigid, 0
		if a > b {
			home = 1
		}
		if dim > 0 {
			x, y, a, b, home = y, x, b, a, 1-home
		}
		wrong |= bit(a > first) | bit(a == first)&(bit(b > second)|bit(b == second)&bit(r.age < age))
		first, second, age = a, b, r.age
		sum += float64(r.count) * x
		if x > half {
			halves += int(r.count)
		}
		items[members] = r.item
		if entries > 0 {
			// many different items are equal in the leading dimension
			if y == other[entries-1] && x == lead[entries-1] && single {
				if len(l.lead) == entries && home > 0 {
					return 0, 0, false // the row belongs to an entry of earlier rows
				}
				left[entries-1] += r.count * int32(home)
				members += home
				continue
			}
			ragged = ragged || x > lead[entries-1] && home > 0
		}
		lead[entries], other[entries], left[entries], begins[entries] = x, y, r.count, int32(members)
		entries += home
		members += home
	}
	if wrong > 0 {
		return 0, 0, false
	}
	l.lead, l.other.values, l.left, l.first, l.items = lead[:entries], other[:entries], left[:entries], begins[:entries],
		items[:members]
	l.ragged = ragged
	*last = part{first: first, second: second, age: age}
	return sum, halves, true
}

// bit returns 1 for true, without a branch.
func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// place returns the position of an item among the first rows, which are in order.
func (o *order) place(k *packer, level float64, rows int, p part) int {
	return sort.Search(rows, func(at int) bool {
		o.look(k, level, o.rows[at:at+1], o.parts[:1])
		return p.before(&o.parts[0])
	})
}

// look computes the use of rows at a level.
func (o *order) look(k *packer, level float64, rows []row, parts []part) {
	if !k.classic {
		o.lookUp(k, rows, parts)
		return
	}
	mean := k.mean[0]
	for at := range rows {
		r, p := &rows[at], &parts[at]
		cpu := level * r.need
		if k.special {
			it := &k.p.Items[r.item]
			cpu = it.demand(level) * float64(it.unit())
		} else if cpu < r.minCPU || cpu > r.need {
			cpu = min(max(cpu, r.minCPU), r.need)
		}
		share := fraction(cpu, mean)
		if o.dim == 0 {
			*p = part{cpu, r.memory, share, r.rigid, r.item, r.count, r.age}
		} else {
			*p = part{r.memory, cpu, r.rigid, share, r.item, r.count, r.age}
		}
	}
}

// lookUp reads the use of rows from the packer's table.
func (o *order) lookUp(k *packer, rows []row, parts []part) {
	other := partner(o.dim)
	for at := range rows {
		r := &rows[at]
		v := k.amounts.row(int(r.item))
		dim, first, second := leading(v, k.mean)
		if dim != o.dim { // it waits in another list
			first, second = fraction(v[o.dim], k.mean[o.dim]), math.Inf(1)
		}
		parts[at] = part{v[o.dim], v[other], first, second, r.item, r.count, r.age}
	}
}

// partner returns the dimension of a list's tree.
func partner(dim int) int {
	if dim == 0 {
		return 1
	}
	return 0
}

// arrange sorts rows that are nearly in order, and returns the number of steps.
func arrange(rows []row, parts []part) (steps int) {
	for at := 1; at < len(parts); at++ {
		if !parts[at].before(&parts[at-1]) {
			continue
		}
		r, p, to := rows[at], parts[at], at
		for ; to > 0 && p.before(&parts[to-1]); to-- {
			rows[to], parts[to] = rows[to-1], parts[to-1]
		}
		rows[to], parts[to] = r, p
		steps += at - to
	}
	return steps
}

// begin sorts the rows by their use at level 1, in amounts. Amounts are more often whole numbers,
// which take fewer sorting steps than fractions, and have the same order apart from rounding.
func (o *order) begin(k *packer) {
	o.rows = resized(o.rows, len(k.rows))
	first, next := func(p *part) float64 { return p.lead }, func(p *part) float64 { return p.second }
	if k.classic {
		next = func(p *part) float64 { return p.other }
	}
	if len(o.rows) < many {
		o.by(k, 1, k.rows, o.rows, next)
		o.again(k, 1, o.rows, first)
		return
	}
	o.by(k, 1, k.rows, o.rows, first)
	o.ties(k, next)
	for _, t := range o.tied {
		o.again(k, 1, o.rows[t.from:t.to], next)
	}
}

// A span is a range of rows.
type span struct{ from, to int }

// Up to few rows are sorted by insertion. More than many rows are sorted by one size, and by the next
// only among equals.
const few, many = 24, 64

// ties sorts rows that the last sort left equal by another size. It only notes them if they are many.
func (o *order) ties(k *packer, size func(*part) float64) {
	o.tied = o.tied[:0]
	for from, to := 0, 0; from < len(k.keys) && !k.Seen(to-from); from = to {
		for to = from + 1; to < len(k.keys) && k.keys[to].Number == k.keys[from].Number; to++ {
		}
		switch {
		case to-from > few:
			o.tied = append(o.tied, span{from, to})
		case to-from > 1:
			o.insert(k, o.rows[from:to], size)
		}
	}
}

// insert sorts a few rows by a size at level 1, the largest first, and keeps equals in their order.
func (o *order) insert(k *packer, rows []row, size func(*part) float64) {
	parts := o.parts[:len(rows)]
	o.look(k, 1, rows, parts)
	var sizes [few]float64
	for at := range rows {
		r, mine, to := rows[at], size(&parts[at]), at
		for ; to > 0 && sizes[to-1] < mine; to-- {
			rows[to], sizes[to] = rows[to-1], sizes[to-1]
		}
		rows[to], sizes[to] = r, mine
	}
}

// sort sorts the rows from the given one on by their use at a level.
func (o *order) sort(k *packer, level float64, from int) {
	rows := o.rows[from:]
	if from == 0 {
		copy(rows, k.rows)
	} else {
		o.again(k, level, rows, func(p *part) float64 { return -float64(p.age) })
	}
	o.again(k, level, rows, func(p *part) float64 { return p.second })
	o.again(k, level, rows, func(p *part) float64 { return p.first })
}

// again sorts rows in place.
func (o *order) again(k *packer, level float64, rows []row, size func(*part) float64) {
	k.run = append(k.run[:0], rows...)
	o.by(k, level, k.run, rows, size)
}

// by copies rows, sorted by a size, the largest first, and keeps equals in their order.
func (o *order) by(k *packer, level float64, from, to []row, size func(*part) float64) {
	o.parts, k.keys = resized(o.parts, min(block, len(from))), resized(k.keys, len(from))
	for at := 0; at < len(from); at += block {
		rows := from[at:min(at+block, len(from))]
		if k.Seen(len(rows)) {
			return
		}
		parts := o.parts[:len(rows)]
		o.look(k, level, rows, parts)
		for i := range parts {
			k.keys[at+i] = radix.Key{Number: radix.Falling(size(&parts[i])), Rank: int32(at + i)}
		}
	}
	k.keys, k.spare = radix.Sort(k.keys, k.spare, k.Ask)
	for at := 0; at < len(k.keys) && !k.Seen(block); at += block {
		for i, e := range k.keys[at:min(at+block, len(k.keys))] {
			to[at+i] = from[e.Rank]
		}
	}
}

// drop removes an item's row.
func (o *order) drop(item int32) { o.rows = without(o.rows, item) }

func without(rows []row, item int32) []row {
	at := slices.IndexFunc(rows, func(r row) bool { return r.item == item })
	return slices.Delete(rows, at, at+1)
}

// demand returns the sum of the leading dimension over all units, and the number of units that demand
// more than half of it.
func demand(parts []part, half float64) (sum float64, halves int) {
	for at := range parts {
		p := &parts[at]
		sum += float64(p.count) * p.lead
		if p.lead > half {
			halves += int(p.count)
		}
	}
	return sum, halves
}
