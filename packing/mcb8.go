package packing

import (
	"cmp"
	"slices"
)

// Pack maps every task at one yield level in [0,1] with MCB8; it returns false
// if some task is left over. The nodes are filled one after the other, in the
// order of the problem. Items wait in two lists: those that require more of CPU
// than of memory, and the others, each sorted by the larger requirement. A node
// takes the first task that fits from the list that counters its imbalance, or
// else from the other, until neither has one. Pinned tasks are on their nodes
// beforehand; if those exceed a node, Pack fails.
func Pack(p *Problem, level float64) (Mapping, bool) {
	k := newPacker(p, all(len(p.Items)))
	if !k.pack(level) {
		return nil, false
	}
	return k.mapping(k.nodes), true
}

// A packer runs MCB8 on some of a problem's items, at one level after the other, reusing its memory.
type packer struct {
	p          *Problem
	capacity   vectors   // by node
	require    vectors   // by item, for one task; the CPU column follows the level
	total      []float64 // capacity of all nodes
	mean       []float64 // capacity of the mean node
	cpu, rigid []float64 // by item: CPU, and largest rigid requirement, as fractions of the mean node

	chosen           []int // items to pack
	pinned           []int // those of them that are pinned
	byCPU, byRigid   []int // the others, sorted by either requirement
	cpuList, memList list  // MCB8's two lists

	used  vectors   // by node
	slack []float64 // by dimension: what the nodes may yet leave unused in all
	left  []int     // by item: tasks not mapped
	first []int     // by item: index of its first task in nodes
	nodes []int     // by task: its node
}

func newPacker(p *Problem, chosen []int) *packer {
	items, capacity := len(p.Items), p.capacities()
	k := &packer{
		p:        p,
		capacity: capacity,
		require:  p.requirements(func(it *Item) float64 { return it.Need }),
		total:    capacity.sum(),
		mean:     capacity.mean(),
		cpu:      make([]float64, items),
		rigid:    make([]float64, items),
		chosen:   slices.Clone(chosen),
		used:     newVectors(len(p.Nodes), p.width()),
		slack:    make([]float64, p.width()),
		left:     make([]int, items),
		first:    make([]int, items),
	}
	tasks := 0
	for _, i := range chosen {
		k.rigid[i] = largest(k.require.row(i)[1:], k.mean[1:])
		k.first[i] = tasks
		tasks += p.Items[i].Count
		if p.Items[i].Pinned != nil {
			k.pinned = append(k.pinned, i)
		} else {
			k.byCPU = append(k.byCPU, i)
		}
	}
	k.byRigid = slices.Clone(k.byCPU)
	k.nodes = make([]int, tasks)
	k.cpuList.items = make([]int, 0, len(k.byCPU))
	k.memList.items = make([]int, 0, len(k.byCPU))
	return k
}

// drop takes an item out of consideration.
func (k *packer) drop(item int) {
	for _, items := range []*[]int{&k.chosen, &k.pinned, &k.byCPU, &k.byRigid} {
		*items = slices.DeleteFunc(*items, func(i int) bool { return i == item })
	}
}

// pack maps all chosen items into k.nodes, or returns false.
func (k *packer) pack(level float64) bool {
	k.reset(level)
	if !k.pin() {
		return false
	}
	k.fillLists()
	for n := range k.p.Nodes {
		if k.done() || k.hopeless() {
			break
		}
		k.fill(n)
	}
	return k.done()
}

func (k *packer) done() bool { return k.cpuList.empty() && k.memList.empty() }

// hopeless says whether the nodes still to fill are too few for what is left to map.
func (k *packer) hopeless() bool {
	for d, slack := range k.slack {
		if slack < -slop*k.total[d] {
			return true
		}
	}
	return false
}

func (k *packer) reset(level float64) {
	clear(k.used.values)
	copy(k.slack, k.total)
	for _, i := range k.chosen {
		it, task := &k.p.Items[i], k.require.row(i)
		task[0] = it.demand(level)
		k.cpu[i] = fraction(task[0], k.mean[0])
		k.left[i] = it.Count
		add(k.slack, -float64(it.Count), task)
	}
}

// pin puts pinned tasks on their nodes.
func (k *packer) pin() bool {
	for _, i := range k.pinned {
		for _, n := range k.p.Items[i].Pinned {
			if !k.p.Items[i].allows(n) || !fits(k.used.row(n), k.require.row(i), k.capacity.row(n)) {
				return false
			}
			k.place(i, n)
		}
	}
	return true
}

// fillLists sorts the free items into the two lists. Scaling needs by a level keeps their
// order, except where smallest shares bind, so that from the second level on there is hardly
// anything to sort.
func (k *packer) fillLists() {
	slices.SortFunc(k.byCPU, func(a, b int) int { return k.larger(a, b, k.cpu, k.rigid) })
	slices.SortFunc(k.byRigid, func(a, b int) int { return k.larger(a, b, k.rigid, k.cpu) })
	k.cpuList.clear()
	k.memList.clear()
	for _, i := range k.byCPU {
		if k.cpu[i] > k.rigid[i] {
			k.cpuList.items = append(k.cpuList.items, i)
		}
	}
	for _, i := range k.byRigid {
		if k.cpu[i] <= k.rigid[i] {
			k.memList.items = append(k.memList.items, i)
		}
	}
}

// larger orders items by non-increasing requirement; ties go to the larger other
// requirement, then to the later submitted.
func (k *packer) larger(a, b int, by, other []float64) int {
	if c := cmp.Compare(by[b], by[a]); c != 0 {
		return c
	}
	if c := cmp.Compare(other[b], other[a]); c != 0 {
		return c
	}
	if c := cmp.Compare(k.p.Items[b].Label, k.p.Items[a].Label); c != 0 {
		return c
	}
	return cmp.Compare(b, a)
}

// fill gives node n all the tasks it can take.
func (k *packer) fill(n int) {
	for {
		preferred, other := &k.cpuList, &k.memList
		if k.shortOfCPU(n) {
			preferred, other = other, preferred
		}
		i, ok := k.next(preferred, n)
		if !ok {
			i, ok = k.next(other, n)
		}
		if !ok {
			break
		}
		k.place(i, n)
	}
	k.cpuList.rewind()
	k.memList.rewind()
	for d, capacity := range k.capacity.row(n) {
		k.slack[d] -= capacity - k.used.row(n)[d]
	}
}

// shortOfCPU says whether the node has less of its CPU left than of its memory.
func (k *packer) shortOfCPU(n int) bool {
	used, capacity := k.used.row(n), k.capacity.row(n)
	return fraction(used[0], capacity[0]) > largest(used[1:], capacity[1:])
}

// next moves the scan position of a list to the first item with a task that fits on node n.
// What did not fit will not fit later either, as a node only gets fuller.
func (k *packer) next(l *list, n int) (item int, ok bool) {
	used, capacity := k.used.row(n), k.capacity.row(n)
	for ; l.at < len(l.items); l.at++ {
		i := l.items[l.at]
		if k.left[i] == 0 {
			continue
		}
		if fits(used, k.require.row(i), capacity) && k.p.Items[i].allows(n) && !k.crowds(i, n) {
			return i, true
		}
		l.keep(i)
	}
	return 0, false
}

// crowds says whether a free item that is to be spread has a task on node n. As nodes are
// filled one after the other, that is the last one mapped.
func (k *packer) crowds(item, n int) bool {
	it := &k.p.Items[item]
	last := it.Count - k.left[item] - 1
	return it.Spread && last >= 0 && k.nodes[k.first[item]+last] == n
}

func (k *packer) place(item, n int) {
	task := k.p.Items[item].Count - k.left[item]
	k.nodes[k.first[item]+task] = n
	k.left[item]--
	add(k.used.row(n), 1, k.require.row(item))
}

// mapping gives every chosen item its part of nodes, one entry per task.
func (k *packer) mapping(nodes []int) Mapping {
	m := make(Mapping, len(k.p.Items))
	for _, i := range k.chosen {
		end := k.first[i] + k.p.Items[i].Count
		m[i] = nodes[k.first[i]:end:end]
	}
	return m
}
