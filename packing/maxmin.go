package packing

import (
	"math"
	"slices"
	"sync"

	"aliquot/packing/radix"
)

// MaxMin returns the max-min fair yield in [0,1] of every item for a fixed mapping, 0 for items that
// are not mapped: no item's level can be raised without lowering one that is no larger, or one that
// its smallest share holds up. If levels are yields, the smallest is 1/max(1,Λ), unless smallest
// shares bind. All tasks of an item have its yield. Every item gets its smallest share, even if these
// exceed a node; the others there then get nothing, and [Problem.Feasible] returns an error.
//
// It fills progressively: the level of all items rises together. An item whose smallest share gives it
// more joins when the others have reached it, and leaves when its yield is 1, or the highest on the
// slowest of its nodes. When a node has no CPU left, the items that rise there stop. With other fluid
// dimensions, an item stops when it would take more from a node that has nothing left. Reference:
// D. Bertsekas, R. Gallager, "Data Networks", chapter 6 (max-min flow control).
func MaxMin(p *Problem, m Mapping) []float64 {
	if len(p.Nodes) > 0 && len(p.Nodes[0].Fluid) > 0 {
		return p.maxMinOfMany(m)
	}
	f := fillings.Get().(*filling)
	defer fillings.Put(f)
	f.begin(p, m, make([]float64, len(p.Items)))
	for f.step() {
	}
	yields := f.yields
	f.p, f.m, f.yields = nil, nil, nil
	return yields
}

var fillings = sync.Pool{New: func() any { return new(filling) }}

// A filling is the state of progressive filling at some level.
type filling struct {
	p       *Problem
	m       Mapping
	yields  []float64   // by item: final, or its floor while it rises or waits
	items   []riser     // by item
	joining []int32     // items in the order in which they join
	joined  int         // how many of them have joined
	leaving []int32     // items in the order in which they reach a yield of 1
	left    int         // how many of them have been considered
	basins  []basin     // by node
	tasks   []int32     // their items, node by node
	next    []int32     // a heap of nodes by the level at which they are full
	level   float64     // the level of the rising items
	keys    []radix.Key // scratch, as is the next
	spare   []radix.Key
}

// A riser is an item while nodes fill up: its yield is slope·level + base from joins to leaves.
type riser struct {
	slope, base   float64
	joins, leaves float64 // levels
	top           float64 // the yield at which it leaves: 1 unless a task is on a slow node
	rising        bool
}

// A basin is a node while it fills up.
type basin struct {
	spare float64 // CPU left beside the tasks that do not rise and the bases of those that do
	rise  float64 // additional use of the rising tasks per level
	count int32   // number of the tasks that rise
	place int32   // in the heap
	first int32   // index of its first task in tasks; its last is before the first of the next node
	full  bool
	level float64 // no larger than the level at which the rising tasks use up spare
}

// begin puts all items at their floors. If all nodes can hold every item at the level at which the
// last one joins, it raises all items to that level at once.
func (f *filling) begin(p *Problem, m Mapping, yields []float64) {
	f.p, f.m, f.yields = p, m, yields
	f.joining, f.leaving, f.joined, f.left = f.joining[:0], f.leaving[:0], 0, 0
	f.items = resized(f.items, len(p.Items))
	for i, nodes := range m {
		if nodes != nil {
			f.wait(i)
		}
	}
	f.sort(f.leaving, func(it *riser) float64 { return it.leaves })
	f.level = math.Inf(-1)
	f.lay()
	f.start()
}

// sort sorts items by one of their levels, the lowest first.
func (f *filling) sort(items []int32, level func(*riser) float64) {
	f.keys = resized(f.keys, len(items))
	for k, i := range items {
		f.keys[k] = radix.Key{Number: radix.Falling(-level(&f.items[i])), Rank: i}
	}
	f.keys, f.spare = radix.Sort(f.keys, f.spare, nil)
	for k, e := range f.keys {
		items[k] = e.Rank
	}
}

// wait puts an item at its floor.
func (f *filling) wait(i int) {
	floor, line := f.p.Items[i].floor(), f.p.Items[i].Line.straight()
	top := f.p.Items[i].topOn(f.m[i])
	f.items[i] = riser{slope: line.Slope, base: line.Base, top: top}
	if line.Slope == 0 {
		floor = max(floor, min(line.Base, top))
	}
	f.yields[i] = floor
	if line.Slope > 0 && floor < top {
		f.items[i].joins, f.items[i].leaves = (floor-line.Base)/line.Slope, (top-line.Base)/line.Slope
		f.joining, f.leaving = append(f.joining, int32(i)), append(f.leaving, int32(i))
	}
}

// lay lists the tasks of every node, and the CPU left beside them at their floors.
func (f *filling) lay() {
	f.basins = resized(f.basins, len(f.p.Nodes)+1)
	clear(f.basins)
	total := int32(0)
	for _, nodes := range f.m {
		for _, n := range nodes {
			f.basins[n].first++
		}
		total += int32(len(nodes))
	}
	end := int32(0)
	for n := range f.basins {
		end += f.basins[n].first
		f.basins[n].first = end // for now, the end of its tasks
		if n < len(f.p.Nodes) {
			f.basins[n].spare = f.p.Nodes[n].CPU
		}
	}
	f.tasks = resized(f.tasks, int(total))
	for i, nodes := range f.m {
		took := f.yields[i] * f.p.Items[i].Need
		for _, n := range nodes {
			b := &f.basins[n]
			b.first--
			b.spare -= took
			f.tasks[b.first] = int32(i)
		}
	}
}

// start raises all items at once if no node is full before the last of them joins.
func (f *filling) start() {
	f.next = resized(f.next, len(f.p.Nodes))
	for n := range f.next {
		f.next[n], f.basins[n].place, f.basins[n].level = int32(n), int32(n), math.Inf(1)
	}
	if len(f.joining) == 0 {
		return
	}
	first, last := math.Inf(1), math.Inf(-1)
	for _, i := range f.joining {
		first, last = min(first, f.items[i].joins), max(last, f.items[i].joins)
	}
	if first < last && !f.holds(last) {
		f.sort(f.joining, func(it *riser) float64 { return it.joins })
		return
	}
	for _, i := range f.joining {
		f.rise(int(i), 1)
	}
	f.joined, f.level = len(f.joining), last
	for n := range f.next {
		f.basins[n].level = f.basins[n].fills(last)
	}
	for k := len(f.next)/2 - 1; k >= 0; k-- {
		f.down(k)
	}
}

// holds reports whether no node is overfull with every item at the level or at its floor.
func (f *filling) holds(level float64) bool {
	for n := range f.p.Nodes {
		need := 0.0
		for _, i := range f.at(n) {
			if it := &f.items[i]; it.slope > 0 {
				need += max(0, min(it.slope*level+it.base, it.top)-f.yields[i]) * f.p.Items[i].Need
			}
		}
		if need > f.basins[n].spare {
			return false
		}
	}
	return true
}

func (f *filling) at(n int) []int32 { return f.tasks[f.basins[n].first:f.basins[n+1].first] }

// rise adds an item to the rising ones at its floor (by = 1), or removes it (by = -1).
func (f *filling) rise(i int, by int32) {
	it, need := &f.items[i], f.p.Items[i].Need
	it.rising = by > 0
	spare, rise := float64(by)*(f.yields[i]-it.base)*need, float64(by)*it.slope*need
	for _, n := range f.m[i] {
		b := &f.basins[n]
		b.spare += spare
		b.rise += rise
		b.count += by
	}
}

// fills returns the level, from the present one on, at which the rising tasks use up spare.
func (b *basin) fills(now float64) float64 {
	if b.full || b.count == 0 || !(b.rise > 0) { // after subtractions the sum may round to nothing
		return math.Inf(1)
	}
	if level := b.spare / b.rise; level > now {
		return level
	}
	return now // also if sums overflowed and the quotient is NaN
}

// step advances to the next level at which an item joins or leaves or a node is full. It returns false
// if there is none.
func (f *filling) step() bool {
	joins, leaves, full := f.joinsNext(), f.leavesNext(), f.fullNext()
	switch f.level = min(joins, leaves, full); {
	case math.IsInf(f.level, 1):
		return false
	case joins <= min(leaves, full):
		f.join()
	case leaves > full:
		f.stop(int(f.next[0]))
	case f.joined == len(f.joining) && full >= f.items[f.leaving[len(f.leaving)-1]].leaves:
		f.top()
		return false
	default:
		i := int(f.leaving[f.left])
		f.leave(i, f.items[i].top)
	}
	return true
}

func (f *filling) joinsNext() float64 {
	if f.joined == len(f.joining) {
		return math.Inf(1)
	}
	return f.items[f.joining[f.joined]].joins
}

func (f *filling) leavesNext() float64 {
	for ; f.left < len(f.leaving); f.left++ {
		if it := &f.items[f.leaving[f.left]]; it.rising {
			return it.leaves
		} else if it.leaves > f.joinsNext() {
			break // the next item to leave may still have to join
		}
	}
	return math.Inf(1)
}

// fullNext brings the node that is full next to the top of the heap. A node whose items have stopped
// elsewhere is full later than the heap assumes.
func (f *filling) fullNext() float64 {
	for len(f.next) > 0 {
		b := &f.basins[f.next[0]]
		level := b.fills(f.level)
		if level <= b.level {
			return level
		}
		b.level = level
		f.down(0)
	}
	return math.Inf(1)
}

// join adds the next waiting item to the rising ones, unless one of its nodes is full already.
func (f *filling) join() {
	i := int(f.joining[f.joined])
	f.joined++
	if slices.ContainsFunc(f.m[i], func(n int) bool { return f.basins[n].full }) {
		return
	}
	f.rise(i, 1)
	for _, n := range f.m[i] {
		b := &f.basins[n]
		b.level = min(b.level, b.fills(f.level))
		f.up(int(b.place))
	}
}

func (f *filling) leave(i int, yield float64) {
	f.yields[i] = yield
	f.rise(i, -1)
}

// stop stops all items on a node that is full.
func (f *filling) stop(n int) {
	f.basins[n].full = true
	for _, i := range f.at(n) {
		if it := &f.items[i]; it.rising {
			f.leave(int(i), max(f.yields[i], min(it.slope*f.level+it.base, it.top)))
		}
	}
}

// top gives all rising items their highest yield.
func (f *filling) top() {
	for _, i := range f.leaving {
		if f.items[i].rising {
			f.yields[i] = f.items[i].top
		}
	}
}

func (f *filling) up(k int) {
	for k > 0 {
		parent := (k - 1) / 2
		if !f.before(k, parent) {
			return
		}
		f.swap(k, parent)
		k = parent
	}
}

func (f *filling) down(k int) {
	for {
		child := 2*k + 1
		if child >= len(f.next) {
			return
		}
		if child+1 < len(f.next) && f.before(child+1, child) {
			child++
		}
		if !f.before(child, k) {
			return
		}
		f.swap(k, child)
		k = child
	}
}

func (f *filling) before(a, b int) bool {
	return f.basins[f.next[a]].level < f.basins[f.next[b]].level
}

func (f *filling) swap(a, b int) {
	f.next[a], f.next[b] = f.next[b], f.next[a]
	f.basins[f.next[a]].place, f.basins[f.next[b]].place = int32(a), int32(b)
}
