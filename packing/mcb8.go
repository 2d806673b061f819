package packing

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"aliquot/packing/pace"
	"aliquot/packing/radix"
)

var packers = sync.Pool{New: func() any { return new(packer) }}

// A packer runs MCB8 on some of a problem's items, at one level after the other, reusing its memory.
//
// MCB8 maps every task at one yield level, or fails. The nodes are filled one after the other, in the order of
// the problem. Items wait in two lists: those that require more CPU than memory, and the others, each sorted by
// the larger requirement. A node takes the first task that fits from the list that counters its imbalance, or
// else from the other, until neither has one. Pinned tasks are on their nodes beforehand. MCB8 fails if pinned
// tasks exceed a node.
//
// With more dimensions there is a list for each, of the items that require most of that one, and a
// node tries them in rising order of its used fraction: permutation pack with a window of 1, sorted by
// the maximum. Reference: W. Leinberger, G. Karypis, V. Kumar, "Multi-Capacity Bin Packing Algorithms
// with Applications to Job Scheduling under Multiple Constraints", ICPP 1999.
type packer struct {
	pace.Pace
	p        *Problem
	capacity vectors   // by node
	total    []float64 // capacity of all nodes
	mean     []float64 // capacity of the mean node
	most     []float64 // by dimension: largest capacity of a node
	fewest   []float64 // by dimension: smallest capacity of a node
	special  bool      // some item has a line, or tasks that must be together
	classic  bool      // the dimensions are CPU and at most one rigid one, as published
	alike    bool      // all nodes are alike
	single   bool      // tasks differ in two dimensions at most, and may run together anywhere

	chosen   []int     // items to pack, from highest to lowest priority
	isChosen []bool    // by item
	pinned   []int     // the pinned ones of them
	tasks    int       // of the chosen items
	units    int       // the same, with tasks that must be together counted as one
	wide     int       // free units that take more than half of the largest node's memory
	required []float64 // by rigid dimension: the sum of the chosen tasks
	needed   float64   // their CPU needs, once summed up

	rows    []row   // of the free items, the last submitted first; valid, as is orders, once sorted is set
	orders  []order // by dimension: the same, in the order of its list
	sorted  bool
	amounts vectors // unless classic, by item: one unit's use at this level

	level     float64   // at which nodes are filled
	now, best attempt   // at this level, and the last success
	used      vectors   // by node: the use of pinned tasks
	node      []float64 // unless classic: the use of the present node
	ranked    []int     // unless classic: its dimensions, the least used first

	first  []int32     // by item: the place of its first unit in the nodes of a mapping
	keys   []radix.Key // scratch, as are the next: sort keys of the free items
	spare  []radix.Key
	run    []row // … before sorting
	placed []progress
	seen   []bool
	alone  []float64
	task   []float64
}

// An attempt is the state of filling the nodes at a level.
type attempt struct {
	lists   []list    // one per dimension, at least two: the waiting tasks and the placements
	filled  int       // nodes
	waiting int       // free units not mapped
	slack   []float64 // by dimension: the amount that the nodes may still leave unused in all
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
	k.required, k.now.slack, k.best.slack = zeros(k.required, k.rigid()), zeros(k.now.slack, width),
		zeros(k.best.slack, width)
	k.alone, k.task = zeros(k.alone, width), zeros(k.task, width)
	lists := max(2, width)
	k.orders, k.now.lists, k.best.lists = lengthened(k.orders, lists), lengthened(k.now.lists, lists),
		lengthened(k.best.lists, lists)
	for d := range k.orders {
		k.orders[d].dim = d
	}
	k.node, k.ranked = zeros(k.node, width), resized(k.ranked, width)
}

// rigid returns the number of rigid dimensions.
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

// choose adds an item to those that are packed.
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
	k.special = k.special || it.Line != Line{} || it.unit() > 1 || it.Top > 0
	if it.Pinned != nil {
		k.pinned = append(k.pinned, i)
		return
	}
	k.single = k.single && it.Allowed == nil && it.Tops == nil && !it.Spread
	if k.isWide(it) {
		k.wide += it.Count / it.unit()
	}
}

// drop removes the chosen item of the lowest priority and returns it.
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

// sum adds up the needs of the chosen items, always from the first, so that no rounding error of
// dropped items remains.
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

// isWide reports whether no node has room for two units of the item, or for one beside another such
// item.
func (k *packer) isWide(it *Item) bool {
	return len(k.required) > 0 && k.memory(it) > k.most[1]/2
}

// memory returns the first rigid requirement of one unit.
func (k *packer) memory(it *Item) float64 {
	if len(k.required) > 0 {
		return it.Rigid[0] * float64(it.unit())
	}
	return 0
}

// pack reports whether all chosen tasks can be placed at a level. Their nodes are known only after
// finish.
func (k *packer) pack(level float64) bool {
	k.level = level
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

// finish places the remaining tasks at a level at which all fit.
func (k *packer) finish() {
	for a := &k.now; a.filled < len(k.p.Nodes) && a.waiting > 0; {
		a.filled += k.fill(a.filled)
	}
	if k.now.waiting > 0 {
		panic(fmt.Sprintf("packing: %d of %d tasks are left though they were sure to fit", k.now.waiting, k.tasks))
	}
}

// sure reports whether the remaining tasks are guaranteed to fit on the remaining nodes, which are
// alike. Suppose that no remaining task takes more than a part δ of a node's CPU or memory, and that a
// task of the CPU list finds no room. Then every node is filled by more than 1 - δ in one of the two.
// If that is memory, no memory task was taken beside more memory than CPU before memory was that full,
// since this task waited and would have been preferred. So memory is ahead by at most δ, and more than
// 1 - 2δ of the CPU is used. The same holds for a task of the memory list and memory. So if both leave
// 2δ of the nodes unused on average, all tasks fit.
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

// none drops all chosen items and lists them from the lowest priority. The search may continue without
// items.
func (k *packer) none() []int {
	dropped := slices.Clone(k.chosen)
	slices.Reverse(dropped)
	k.begin(k.p)
	k.Pace = pace.Pace{}
	return dropped
}

// demanding reports whether the chosen tasks clearly demand more CPU than all nodes have. That is
// known before anything is sorted: up to level 1 a task demands at least the level times its need.
func (k *packer) demanding(level float64) bool {
	const clearly = 1 + 1e-6 // far above the tolerance of queue and the rounding of sums
	return !k.special && level <= 1 && level*k.needed > clearly*k.total[0]
}

// hopeless reports whether the remaining nodes are too few for the remaining tasks.
func (k *packer) hopeless() bool {
	for d, slack := range k.now.slack {
		if slack < -slop*k.total[d] {
			return true
		}
	}
	return false
}

// pin puts pinned tasks on their nodes. It returns false if they exceed one.
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

// spend subtracts the tasks' demand of the fluid dimensions from the slack.
func (k *packer) spend(count float64, task []float64) {
	k.now.slack[0] -= count * task[0]
	fluid := 1 + len(k.required)
	add(k.now.slack[fluid:], -count, task[fluid:])
}

// queue sorts the free items into the lists. It returns false if no set of nodes could take them all.
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

// reckon computes one unit's use for every free item at a level, if there is more than CPU and memory.
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

// spendFluid subtracts the free items' demand of the fluid dimensions other than CPU from the slack.
func (k *packer) spendFluid() {
	fluid := 1 + len(k.required)
	for at := 0; fluid < len(k.now.slack) && at < len(k.rows) && !k.Seen(1); at++ {
		r := &k.rows[at]
		add(k.now.slack[fluid:], -float64(r.count), k.amounts.row(int(r.item))[fluid:])
	}
}

// fill gives node n all the tasks that it can take, and the same to the following nodes that are like
// it, while such tasks are left. It returns the number of nodes.
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

// start returns the initial use of a node, and its capacity.
func (k *packer) start(n int) (used, capacity [2]float64) {
	copy(capacity[:], k.capacity.row(n))
	if len(k.pinned) > 0 {
		copy(used[:], k.used.row(n))
	}
	return used, capacity
}

// next advances the scan position of a list to the first item with a task that fits on node n.
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

// suits reports whether a task of the entry at the scan position may run on node n.
func (k *packer) suits(l *list, n int) bool {
	it := &k.p.Items[l.item()]
	return it.allows(n) && !(it.Spread && l.count > 0) && (it.Tops == nil || it.reaches(n, it.granted(k.level)))
}

// again gives the tasks of node n also to the following nodes that are like it, and returns their
// number.
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

// same reports whether two nodes have the same capacity and the same use by pinned tasks.
func (k *packer) same(n, m int) bool {
	for d, width := 0, k.capacity.width; d < width; d++ {
		a, b := n*width+d, m*width+d
		if k.capacity.values[a] != k.capacity.values[b] || len(k.pinned) > 0 && k.used.values[a] != k.used.values[b] {
			return false
		}
	}
	return true
}

// mapping finishes the attempt and returns the nodes of the tasks, item by item.
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
