package packing

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Pack maps every task at one yield level with MCB8; it returns false
// if some task is left over. The nodes are filled one after the other, in the
// order of the problem. Items wait in two lists: those that require more of CPU
// than of memory, and the others, each sorted by the larger requirement. A node
// takes the first task that fits from the list that counters its imbalance, or
// else from the other, until neither has one. Pinned tasks are on their nodes
// beforehand; if those exceed a node, Pack fails, as it does at a level beyond ±1e100.
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
	return k.mapping(&k.now), true
}

var packers = sync.Pool{New: func() any { return new(packer) }}

// A packer runs MCB8 on some of a problem's items, at one level after the other, reusing its memory.
type packer struct {
	p        *Problem
	capacity vectors   // by node
	total    []float64 // capacity of all nodes
	mean     []float64 // capacity of the mean node
	most     []float64 // by dimension: largest capacity of a node
	lines    bool      // some item has a line
	single   bool      // tasks differ in two dimensions at most, and may run together anywhere

	chosen   []int     // items to pack, from highest to lowest priority
	isChosen []bool    // by item
	pinned   []int     // those of them that are pinned
	tasks    int       // of the chosen items
	wide     int       // free tasks that take more than half of the largest node's memory
	required []float64 // by rigid dimension: what the chosen tasks require
	needed   float64   // CPU that they need, once that is summed up

	rows           []row // of the free items, the last submitted first; once sorted is set, as are
	byCPU, byRigid order // the same, in the orders of the lists
	sorted         bool

	now, best attempt   // at this level, and the last that succeeded
	used      vectors   // by node: what pinned tasks take
	slack     []float64 // by dimension: what the nodes may yet leave unused in all
	rest      []float64 // by rigid dimension after the first: what is used of the node that is being filled
	waiting   int       // free tasks not mapped

	first  []int32      // by item: the place of its first task in the nodes of a mapping
	free   []submission // scratch, as are the next
	placed []progress
	seen   []bool
	alone  []float64
}

// An attempt is the two lists of MCB8 and whom they placed where.
type attempt struct{ cpu, rigid list }

func (k *packer) begin(p *Problem) {
	width := p.width()
	k.p, k.capacity = p, p.capacities(k.capacity)
	k.total, k.mean, k.most = zeros(k.total, width), zeros(k.mean, width), zeros(k.most, width)
	k.capacity.sum(k.total)
	k.capacity.average(k.mean)
	k.capacity.most(k.most)
	k.lines, k.single = false, width <= 2
	k.chosen, k.pinned, k.tasks, k.wide, k.sorted = k.chosen[:0], k.pinned[:0], 0, 0, false
	k.isChosen = resized(k.isChosen, len(p.Items))
	clear(k.isChosen)
	k.required, k.slack, k.rest = zeros(k.required, width-1), zeros(k.slack, width), zeros(k.rest, max(0, width-2))
	k.alone = zeros(k.alone, width)
	k.byRigid.rigidFirst = true
}

func (k *packer) release() {
	k.p = nil
	packers.Put(k)
}

// choose adds an item to those to pack.
func (k *packer) choose(i int) {
	it := &k.p.Items[i]
	k.chosen, k.isChosen[i] = append(k.chosen, i), true
	k.tasks += it.Count
	addRigid(k.required, float64(it.Count), it.Rigid)
	k.lines = k.lines || it.Line != Line{}
	if it.Pinned != nil {
		k.pinned = append(k.pinned, i)
		return
	}
	k.single = k.single && it.Allowed == nil && !it.Spread
	if k.isWide(i) {
		k.wide += it.Count
	}
}

// drop takes the chosen item of the lowest priority out of consideration, and returns it.
func (k *packer) drop() int {
	i := k.chosen[len(k.chosen)-1]
	it := &k.p.Items[i]
	k.chosen, k.isChosen[i] = k.chosen[:len(k.chosen)-1], false
	k.tasks -= it.Count
	addRigid(k.required, -float64(it.Count), it.Rigid)
	if it.Pinned != nil {
		k.pinned = k.pinned[:len(k.pinned)-1]
		return i
	}
	if k.isWide(i) {
		k.wide -= it.Count
	}
	if k.sorted {
		k.rows = without(k.rows, int32(i))
		k.byCPU.drop(int32(i))
		k.byRigid.drop(int32(i))
	}
	return i
}

// sum adds up what the chosen items need, from the first each time so that nothing is left of those dropped.
func (k *packer) sum() {
	k.needed = 0
	for _, i := range k.chosen {
		k.needed += float64(k.p.Items[i].Count) * k.p.Items[i].Need
	}
}

// gather lists the free items.
func (k *packer) gather() {
	k.rows = k.rows[:0]
	k.free = k.free[:0]
	for i := len(k.isChosen) - 1; i >= 0; i-- {
		if it := &k.p.Items[i]; k.isChosen[i] && it.Pinned == nil {
			k.free = append(k.free, submission{it.Label, int32(i)})
		}
	}
	if !slices.IsSortedFunc(k.free, submission.later) {
		slices.SortFunc(k.free, submission.later)
	}
	for age, s := range k.free {
		it := &k.p.Items[s.item]
		k.rows = append(k.rows, row{
			item: s.item, count: int32(it.Count), age: int32(age), need: it.Need, minCPU: it.MinCPU,
			memory: k.memory(it), rigid: largest(it.Rigid, k.mean[1:]),
		})
	}
}

// A submission is the label of an item, which tells when it was submitted.
type submission struct {
	label uint64
	item  int32
}

// later orders from the last submitted to the first, ties from the last item.
func (s submission) later(o submission) int {
	if s.label != o.label {
		return cmp.Compare(o.label, s.label)
	}
	return int(o.item - s.item)
}

// isWide says whether no node has room for two tasks of an item, or of one with another such item.
func (k *packer) isWide(i int) bool {
	return len(k.most) > 1 && k.memory(&k.p.Items[i]) > k.most[1]/2
}

// memory is the first rigid requirement of an item.
func (k *packer) memory(it *Item) float64 {
	if len(it.Rigid) > 0 {
		return it.Rigid[0]
	}
	return 0
}

// pack places all chosen tasks, as k.now tells, or returns false.
func (k *packer) pack(level float64) bool {
	if k.wide > len(k.p.Nodes) || k.demanding(level) || !k.pin(level) || !k.queue(level) {
		return false
	}
	for n := 0; n < len(k.p.Nodes) && k.waiting > 0 && !k.hopeless(); {
		n += k.fill(n)
	}
	return k.waiting == 0
}

// demanding says whether the chosen tasks clearly demand more CPU than all nodes have, which is known
// before anything is sorted: up to level 1 a task demands at least the level times its need.
func (k *packer) demanding(level float64) bool {
	const clearly = 1 + 1e-6 // far above what queue grants, and above the rounding of sums
	return !k.lines && level <= 1 && level*k.needed > clearly*k.total[0]
}

// hopeless says whether the nodes still to fill are too few for what is left to map.
func (k *packer) hopeless() bool {
	for d, slack := range k.slack {
		if slack < -slop*k.total[d] {
			return true
		}
	}
	return false
}

// pin puts pinned tasks on their nodes; false if they exceed one.
func (k *packer) pin(level float64) bool {
	copy(k.slack, k.total)
	addRigid(k.slack[1:], -1, k.required)
	k.waiting = k.tasks
	if len(k.pinned) == 0 {
		return true
	}
	k.used = vectors{k.capacity.width, zeros(k.used.values, len(k.capacity.values))}
	for _, i := range k.pinned {
		it := &k.p.Items[i]
		cpu := it.demand(level)
		for _, n := range it.Pinned {
			used := k.used.row(n)
			if !it.allows(n) || !fits(used, cpu, it.Rigid, k.capacity.row(n)) {
				return false
			}
			add(used, 1, cpu, it.Rigid)
		}
		k.waiting -= it.Count
		k.slack[0] -= float64(it.Count) * cpu
	}
	return true
}

// queue sorts the free items into the two lists; false if no nodes could take them all.
func (k *packer) queue(level float64) bool {
	if !k.sorted {
		k.gather()
		k.byCPU.sort(k, 1)
		k.byRigid.sort(k, 1)
		k.sorted = true
	}
	k.byCPU.rise(k, level)
	demand, halves := k.byCPU.demand(k.most[0] / 2)
	if k.slack[0] -= demand; halves > len(k.p.Nodes) || k.hopeless() {
		return false
	}
	k.byRigid.rise(k, level)
	k.now.cpu.fill(&k.byCPU, k.single)
	k.now.rigid.fill(&k.byRigid, k.single)
	return true
}

// fill gives node n all the tasks it can take, and the same to those of the next nodes that are
// like it, as long as tasks like them are left; it returns the number of nodes.
func (k *packer) fill(n int) int {
	cpu, rigid := &k.now.cpu, &k.now.rigid
	used, capacity := k.start(n)
	cpu.rewind()
	rigid.rewind()
	for {
		l, other := cpu, rigid
		if k.shortOfCPU(n, &used, &capacity) {
			l, other = other, l
		}
		if !k.next(l, n, &used, &capacity) {
			if l = other; !k.next(l, n, &used, &capacity) {
				break
			}
		}
		k.take(l, &used)
	}
	nodes := 1 + k.again(n)
	k.waste(n, nodes, &used, &capacity)
	return nodes
}

// start is what is used at first of the first two dimensions of a node, and what it has.
func (k *packer) start(n int) (used, capacity [2]float64) {
	copy(capacity[:], k.capacity.row(n))
	clear(k.rest)
	if len(k.pinned) > 0 {
		copy(used[:], k.used.row(n))
		copy(k.rest, k.used.row(n)[min(2, k.used.width):])
	}
	return used, capacity
}

// shortOfCPU says whether the node has less of its CPU left than of its memory.
func (k *packer) shortOfCPU(n int, used, capacity *[2]float64) bool {
	rigid := fraction(used[1], capacity[1])
	if len(k.rest) > 0 {
		rigid = max(rigid, largest(k.rest, k.capacity.row(n)[2:]))
	}
	return fraction(used[0], capacity[0]) > rigid
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

// suits says whether a task of the entry at the scan position may run on node n, and has room
// there in the dimensions that the list is not searched in.
func (k *packer) suits(l *list, n int) bool {
	it := &k.p.Items[l.items[l.first[l.at]]]
	if !it.allows(n) || it.Spread && l.count > 0 {
		return false
	}
	return len(k.rest) == 0 || fits(k.rest, it.Rigid[1], it.Rigid[2:], k.capacity.row(n)[2:])
}

func (k *packer) take(l *list, used *[2]float64) {
	if len(k.rest) > 0 {
		it := &k.p.Items[l.items[l.first[l.at]]]
		add(k.rest, 1, it.Rigid[1], it.Rigid[2:])
	}
	l.take(used)
	k.waiting--
}

// again repeats what node n took for those of the next nodes that are like it, and returns their number.
func (k *packer) again(n int) int {
	if !k.single {
		return 0
	}
	more := k.now.rigid.again(k.now.cpu.again(len(k.p.Nodes) - n - 1))
	alike := 0
	for alike < more && k.alike(n, n+1+alike) {
		alike++
	}
	k.waiting -= k.now.cpu.repeat(alike) + k.now.rigid.repeat(alike)
	return alike
}

// alike says whether two nodes have the same capacity and the same taken by pinned tasks.
func (k *packer) alike(n, m int) bool {
	for d, width := 0, k.capacity.width; d < width; d++ {
		a, b := n*width+d, m*width+d
		if k.capacity.values[a] != k.capacity.values[b] || len(k.pinned) > 0 && k.used.values[a] != k.used.values[b] {
			return false
		}
	}
	return true
}

// waste takes from the slack what some nodes, filled like node n, leave unused.
func (k *packer) waste(n, nodes int, used, capacity *[2]float64) {
	for d := range min(2, len(k.slack)) {
		k.slack[d] -= float64(nodes) * (capacity[d] - used[d])
	}
	for d, used := range k.rest {
		k.slack[2+d] -= float64(nodes) * (k.capacity.row(n)[2+d] - used)
	}
}

// mapping tells where an attempt placed the tasks, item by item.
func (k *packer) mapping(a *attempt) Mapping {
	m, nodes := make(Mapping, len(k.p.Items)), make([]int, k.tasks)
	k.first = resized(k.first, len(m)+1)
	from := 0
	for i := range m {
		k.first[i] = int32(from)
		if it := &k.p.Items[i]; k.isChosen[i] {
			m[i] = nodes[from : from+it.Count : from+it.Count]
			copy(m[i], it.Pinned)
			from += it.Count
		}
	}
	k.first[len(m)] = int32(from)
	k.placed = a.cpu.place(nodes, k.first, k.placed)
	k.placed = a.rigid.place(nodes, k.first, k.placed)
	return m
}
