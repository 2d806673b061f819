package packing

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"aliquot/packing/pace"
	"aliquot/packing/radix"
)

// Pack maps every task at one yield level with MCB8; it returns false
// if some task is left over. The nodes are filled one after the other, in the
// order of the problem. Items wait in two lists: those that require more of CPU
// than of memory, and the others, each sorted by the larger requirement. A node
// takes the first task that fits from the list that counters its imbalance, or
// else from the other, until neither has one. Pinned tasks are on their nodes
// beforehand; if those exceed a node, Pack fails, as it does at a level beyond ±1e100.
//
// With more dimensions there is a list for each, of the items that require most of that one, and a node tries
// them from that of which it has used least: permutation pack with a window of 1, sorted by the maximum.
// Reference: W. Leinberger, G. Karypis, V. Kumar, "Multi-Capacity Bin Packing Algorithms with Applications
// to Job Scheduling under Multiple Constraints", ICPP 1999.
func Pack(p *Problem, level float64) (Mapping, bool) {
	if !isQuantity(math.Abs(level)) {
		return nil, false
	}
	k := packers.Get().(*packer)
	defer k.release()
	k.begin(p)
	for i := range p.Items {
		k.choose(i)
	}
	k.sum()
	if !k.pack(level) {
		return nil, false
	}
	return k.mapping(), true
}

var packers = sync.Pool{New: func() any { return new(packer) }}

// A packer runs MCB8 on some of a problem's items, at one level after the other, reusing its memory.
type packer struct {
	pace.Pace
	p        *Problem
	capacity vectors   // by node
	total    []float64 // capacity of all nodes
	mean     []float64 // capacity of the mean node
	most     []float64 // by dimension: largest capacity of a node
	fewest   []float64 // by dimension: smallest capacity of a node
	special  bool      // some item has a line, or tasks that are to be together
	classic  bool      // the dimensions are CPU and at most one rigid one, as published
	alike    bool      // the nodes are
	single   bool      // tasks differ in two dimensions at most, and may run together anywhere

	chosen   []int     // items to pack, from highest to lowest priority
	isChosen []bool    // by item
	pinned   []int     // those of them that are pinned
	tasks    int       // of the chosen items
	units    int       // the same, those that are to be together counted as one
	wide     int       // free units that take more than half of the largest node's memory
	required []float64 // by rigid dimension: what the chosen tasks require
	needed   float64   // CPU that they need, once that is summed up

	rows    []row   // of the free items, the last submitted first; once sorted is set, as are
	orders  []order // by dimension: the same, in the order of its list
	sorted  bool
	amounts vectors // unless classic, by item: what a unit takes at this level

	now, best attempt   // at this level, and the last that succeeded
	used      vectors   // by node: what pinned tasks take
	node      []float64 // unless classic: what is used of the node that is being filled
	ranked    []int     // unless classic: these, the least used first

	first  []int32     // by item: the place of its first unit in the nodes of a mapping
	keys   []radix.Key // scratch, as are the next: what the free items are sorted by
	spare  []radix.Key
	run    []row // … as they were before
	placed []progress
	seen   []bool
	alone  []float64
	task   []float64
}

// An attempt is how far the nodes are filled at a level.
type attempt struct {
	lists   []list    // one per dimension, but two at least: what waits, and what was placed where
	filled  int       // nodes
	waiting int       // free units not mapped
	slack   []float64 // by dimension: what the nodes may yet leave unused in all
}

func (k *packer) begin(p *Problem) {
	width := p.width()
	k.p, k.capacity = p, p.capacities(k.capacity)
	k.total, k.mean, k.most = zeros(k.total, width), zeros(k.mean, width), zeros(k.most, width)
	k.capacity.sum(k.total)
	k.fewest = zeros(k.fewest, width)
	if k.alike = k.capacity.same(); k.alike && len(p.Nodes) > 0 {
		for _, v := range [][]float64{k.mean, k.most, k.fewest} {
			copy(v, k.capacity.row(0))
		}
	} else {
		k.capacity.average(k.mean)
		k.capacity.most(k.most)
		k.capacity.fewest(k.fewest)
	}
	k.special, k.classic = false, width == 1+min(1, k.rigid())
	k.single = k.classic
	k.chosen, k.pinned, k.tasks, k.units, k.wide, k.sorted = k.chosen[:0], k.pinned[:0], 0, 0, 0, false
	k.isChosen = resized(k.isChosen, len(p.Items))
	clear(k.isChosen)
	k.required, k.now.slack, k.best.slack = zeros(k.required, k.rigid()), zeros(k.now.slack, width), zeros(k.best.slack, width)
	k.alone, k.task = zeros(k.alone, width), zeros(k.task, width)
	lists := max(2, width)
	k.orders, k.now.lists, k.best.lists = lengthened(k.orders, lists), lengthened(k.now.lists, lists), lengthened(k.best.lists, lists)
	for d := range k.orders {
		k.orders[d].dim = d
	}
	k.node, k.ranked = zeros(k.node, width), resized(k.ranked, width)
}

// rigid is the number of rigid dimensions.
func (k *packer) rigid() int {
	if len(k.p.Nodes) == 0 {
		return 0
	}
	return len(k.p.Nodes[0].Rigid)
}

func (k *packer) release() {
	k.p, k.Pace = nil, pace.Pace{}
	packers.Put(k)
}

// choose adds an item to those to pack.
func (k *packer) choose(i int) {
	k.chosen = append(k.chosen, i)
	k.count(i)
}

// count counts an item among the chosen ones.
func (k *packer) count(i int) {
	it := &k.p.Items[i]
	k.isChosen[i] = true
	k.tasks += it.Count
	k.units += it.Count / it.unit()
	add(k.required, float64(it.Count), it.Rigid[:len(k.required)])
	k.special = k.special || it.Line != Line{} || it.unit() > 1
	if it.Pinned != nil {
		k.pinned = append(k.pinned, i)
		return
	}
	k.single = k.single && it.Allowed == nil && !it.Spread
	if k.isWide(it) {
		k.wide += it.Count / it.unit()
	}
}

// drop takes the chosen item of the lowest priority out of consideration, and returns it.
func (k *packer) drop() int {
	i := k.chosen[len(k.chosen)-1]
	it := &k.p.Items[i]
	k.chosen, k.isChosen[i] = k.chosen[:len(k.chosen)-1], false
	k.tasks -= it.Count
	k.units -= it.Count / it.unit()
	add(k.required, -float64(it.Count), it.Rigid[:len(k.required)])
	if it.Pinned != nil {
		k.pinned = k.pinned[:len(k.pinned)-1]
		return i
	}
	if k.isWide(it) {
		k.wide -= it.Count / it.unit()
	}
	if k.sorted {
		k.rows = without(k.rows, int32(i))
		for d := range k.orders {
			k.orders[d].drop(int32(i))
		}
	}
	return i
}

// sum adds up what the chosen items need, from the first each time so that nothing is left of those dropped.
func (k *packer) sum() {
	k.needed = 0
	for i, chosen := range k.isChosen {
		if chosen {
			k.needed += float64(k.p.Items[i].Count) * k.p.Items[i].Need
		}
	}
}

// gather lists the free items.
func (k *packer) gather() {
	k.rows = resized(k.rows, len(k.chosen))[:0]
	k.keys = resized(k.keys, len(k.chosen))[:0]
	for i := len(k.isChosen) - 1; i >= 0 && !k.Seen(1); i-- {
		if it := &k.p.Items[i]; k.isChosen[i] && it.Pinned == nil {
			k.keys = append(k.keys, radix.Key{Number: ^it.Label, Rank: int32(i)})
		}
	}
	k.keys, k.spare = radix.Sort(k.keys, k.spare, k.Ask)
	for age, s := range k.keys {
		if k.Seen(1) {
			return
		}
		it := &k.p.Items[s.Rank]
		r := row{
			item: s.Rank, count: int32(it.Count / it.unit()), age: int32(age), need: it.Need, minCPU: it.MinCPU,
			memory: k.memory(it),
		}
		if len(k.mean) > 1 {
			r.rigid = fraction(r.memory, k.mean[1])
		}
		k.rows = append(k.rows, r)
	}
}

// isWide says whether no node has room for two units of an item, or of one with another such item.
func (k *packer) isWide(it *Item) bool {
	return len(k.required) > 0 && k.memory(it) > k.most[1]/2
}

// memory is the first rigid requirement of what is placed as one.
func (k *packer) memory(it *Item) float64 {
	if len(k.required) > 0 {
		return it.Rigid[0] * float64(it.unit())
	}
	return 0
}

// pack says whether all chosen tasks can be placed at a level; where they are is known once k.now is finished.
func (k *packer) pack(level float64) bool {
	if k.Ask() || k.wide > len(k.p.Nodes) || k.demanding(level) || !k.pin(level) || !k.queue(level) {
		return false
	}
	a, look := &k.now, 0
	for a.filled < len(k.p.Nodes) && a.waiting > 0 && !k.hopeless() && !k.Ask() {
		if a.filled >= look {
			if k.sure() {
				return true
			}
			look = a.filled + 1 + (len(k.p.Nodes)-a.filled)/8
		}
		a.filled += k.fill(a.filled)
	}
	return a.waiting == 0
}

// finish places what is left to place at a level at which all can be.
func (k *packer) finish() {
	for a := &k.now; a.filled < len(k.p.Nodes) && a.waiting > 0; {
		a.filled += k.fill(a.filled)
	}
	if k.now.waiting > 0 {
		panic(fmt.Sprintf("packing: %d of %d tasks are left though they were sure to fit", k.now.waiting, k.tasks))
	}
}

// sure says whether what is left is sure to find room on the nodes still to fill, which are alike. Let no task
// left take more than a part δ of a node's CPU or memory, and suppose that a task of the CPU list finds no
// room. Then every node is filled, by more than 1 - δ in one of the two. Where that is memory, no memory task was
// taken beside more memory than CPU before memory was that full, as this task waited and would have been preferred;
// so memory is no more than δ ahead, and CPU in use by more than 1 - 2δ. A task of the memory list says the same of
// memory. So if both leave 2δ of the nodes unused on average, all tasks fit.
func (k *packer) sure() bool {
	if !k.single || !k.alike || len(k.pinned) > 0 {
		return false
	}
	a, capacity, part := &k.now, k.capacity.row(0), 0.0
	for d := range capacity {
		l := &a.lists[d]
		if l.rewind(); l.head < len(l.lead) {
			part = max(part, fraction(l.lead[l.head], capacity[d]))
		}
	}
	const rounding = 1e-6
	nodes := float64(len(k.p.Nodes) - a.filled)
	for d, slack := range a.slack {
		if !(slack > nodes*(2*part+rounding)*capacity[d]) {
			return false
		}
	}
	return true
}

// none takes all chosen items out of consideration, and lists them from the lowest priority; the search may go on
// with nobody.
func (k *packer) none() []int {
	dropped := slices.Clone(k.chosen)
	slices.Reverse(dropped)
	k.begin(k.p)
	k.Pace = pace.Pace{}
	return dropped
}

// demanding says whether the chosen tasks clearly demand more CPU than all nodes have, which is known
// before anything is sorted: up to level 1 a task demands at least the level times its need.
func (k *packer) demanding(level float64) bool {
	const clearly = 1 + 1e-6 // far above what queue grants, and above the rounding of sums
	return !k.special && level <= 1 && level*k.needed > clearly*k.total[0]
}

// hopeless says whether the nodes still to fill are too few for what is left to map.
func (k *packer) hopeless() bool {
	for d, slack := range k.now.slack {
		if slack < -slop*k.total[d] {
			return true
		}
	}
	return false
}

// pin puts pinned tasks on their nodes; false if they exceed one.
func (k *packer) pin(level float64) bool {
	copy(k.now.slack, k.total)
	if len(k.now.slack) > 1 {
		add(k.now.slack[1:], -1, k.required)
	}
	k.now.waiting, k.now.filled = k.units, 0
	if len(k.pinned) == 0 {
		return true
	}
	k.used = vectors{k.capacity.width, zeros(k.used.values, len(k.capacity.values))}
	for _, i := range k.pinned {
		it := &k.p.Items[i]
		it.take(k.task, it.demand(level), it.granted(level))
		for _, n := range it.Pinned {
			used := k.used.row(n)
			if !it.allows(n) || !fits(used, k.task, k.capacity.row(n)) {
				return false
			}
			add(used, 1, k.task)
		}
		k.now.waiting -= it.Count
		k.spend(float64(it.Count), k.task)
	}
	return true
}

// spend takes from the slack what some tasks demand of the fluid dimensions.
func (k *packer) spend(count float64, task []float64) {
	k.now.slack[0] -= count * task[0]
	fluid := 1 + len(k.required)
	add(k.now.slack[fluid:], -count, task[fluid:])
}

// queue sorts the free items into the lists; false if no nodes could take them all.
func (k *packer) queue(level float64) bool {
	if !k.sorted {
		k.gather()
		k.reckon(1)
		for d := range k.orders {
			if k.Ask() {
				return false
			}
			k.orders[d].begin(k)
		}
		k.sorted = !k.Ended
	}
	k.reckon(level)
	k.spendFluid()
	if k.Ask() {
		return false
	}
	demand, halves := k.orders[0].list(k, level, k.most[0]/2, &k.now.lists[0])
	if k.now.slack[0] -= demand; halves > len(k.p.Nodes) || k.hopeless() {
		return false
	}
	for d := 1; d < len(k.orders) && !k.Ended; d++ {
		k.orders[d].list(k, level, math.Inf(1), &k.now.lists[d])
	}
	return !k.Ended
}

// reckon computes what a unit of every free item takes at a level, where that is more than CPU and memory.
func (k *packer) reckon(level float64) {
	if k.classic {
		return
	}
	k.amounts = vectors{k.capacity.width, resized(k.amounts.values, k.capacity.width*len(k.p.Items))}
	for _, r := range k.rows {
		if k.Seen(1) {
			return
		}
		it, v := &k.p.Items[r.item], k.amounts.row(int(r.item))
		it.take(v, it.demand(level), it.granted(level))
		for d := range v {
			v[d] *= float64(it.unit())
		}
	}
}

// spendFluid takes from the slack what the free items demand of the fluid dimensions beside CPU.
func (k *packer) spendFluid() {
	fluid := 1 + len(k.required)
	for at := 0; fluid < len(k.now.slack) && at < len(k.rows) && !k.Seen(1); at++ {
		r := &k.rows[at]
		add(k.now.slack[fluid:], -float64(r.count), k.amounts.row(int(r.item))[fluid:])
	}
}

// fill gives node n all the tasks it can take, and the same to those of the next nodes that are
// like it, as long as tasks like them are left; it returns the number of nodes.
func (k *packer) fill(n int) int {
	if !k.classic {
		k.fillMany(n)
		return 1
	}
	cpu, rigid := &k.now.lists[0], &k.now.lists[1]
	used, capacity := k.start(n)
	cpu.rewind()
	rigid.rewind()
	for {
		l, other := cpu, rigid
		if fraction(used[0], capacity[0]) > fraction(used[1], capacity[1]) {
			l, other = other, l
		}
		if !k.next(l, n, &used, &capacity) {
			if l = other; !k.next(l, n, &used, &capacity) {
				break
			}
		}
		l.take(&used)
		k.now.waiting--
	}
	nodes := 1 + k.again(n)
	for d := range min(2, len(k.now.slack)) {
		k.now.slack[d] -= float64(nodes) * (capacity[d] - used[d])
	}
	return nodes
}

// start is what is used at first of a node, and what it has.
func (k *packer) start(n int) (used, capacity [2]float64) {
	copy(capacity[:], k.capacity.row(n))
	if len(k.pinned) > 0 {
		copy(used[:], k.used.row(n))
	}
	return used, capacity
}

// next moves the scan position of a list to the first item with a task that fits on node n.
func (k *packer) next(l *list, n int, used, capacity *[2]float64) bool {
	for ; ; l.at++ {
		if !l.fits(used, capacity) {
			l.note(n)
			if !l.seek(used, capacity) {
				return false
			}
		}
		if k.single || k.suits(l, n) {
			return true
		}
		l.note(n)
	}
}

// suits says whether a task of the entry at the scan position may run on node n.
func (k *packer) suits(l *list, n int) bool {
	it := &k.p.Items[l.item()]
	return it.allows(n) && !(it.Spread && l.count > 0)
}

// again repeats what node n took for those of the next nodes that are like it, and returns their number.
func (k *packer) again(n int) int {
	if !k.single {
		return 0
	}
	more := k.now.lists[1].again(k.now.lists[0].again(len(k.p.Nodes) - n - 1))
	alike := 0
	for alike < more && k.same(n, n+1+alike) {
		alike++
	}
	k.now.waiting -= k.now.lists[0].repeat(alike) + k.now.lists[1].repeat(alike)
	return alike
}

// same says whether two nodes have the same capacity and the same taken by pinned tasks.
func (k *packer) same(n, m int) bool {
	for d, width := 0, k.capacity.width; d < width; d++ {
		a, b := n*width+d, m*width+d
		if k.capacity.values[a] != k.capacity.values[b] || len(k.pinned) > 0 && k.used.values[a] != k.used.values[b] {
			return false
		}
	}
	return true
}

// mapping finishes the attempt and tells where it placed the tasks, item by item.
func (k *packer) mapping() Mapping {
	k.finish()
	m, nodes, units := make(Mapping, len(k.p.Items)), make([]int, k.tasks), []int(nil)
	if units = nodes; k.units < k.tasks {
		units = make([]int, k.units)
	}
	k.first = resized(k.first, len(m)+1)
	from, unit := 0, 0
	for i := range m {
		k.first[i] = int32(unit)
		if it := &k.p.Items[i]; k.isChosen[i] {
			m[i] = nodes[from : from+it.Count : from+it.Count]
			from += it.Count
			unit += copy(units[unit:unit+it.Count/it.unit()], it.Pinned)
			if it.Pinned == nil {
				unit += it.Count / it.unit()
			}
		}
	}
	k.first[len(m)] = int32(unit)
	for d := range k.now.lists {
		k.placed = k.now.lists[d].place(units, k.first, k.placed)
	}
	for i := 0; k.units < k.tasks && i < len(m); i++ {
		for task := range m[i] {
			m[i][task] = units[int(k.first[i])+task/k.p.Items[i].unit()]
		}
	}
	return m
}
