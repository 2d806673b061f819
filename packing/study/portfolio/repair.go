package portfolio

import (
	"cmp"
	"slices"
)

// repair tries to place the tasks that an attempt has left over: where there is room; on a node that
// another task can leave for a third one (an ejection chain of length two); in place of a smaller
// task, which then waits instead; or after two tasks of two nodes have exchanged places. The waiting
// tasks become smaller with every step, so repair terminates. Nodes stay within their capacities
// throughout.
func (in *tableau) repair(a *attempt, w *work) bool {
	r := in.lay(a, w)
	for len(r.waiting) > 0 {
		if !r.step() || w.over() {
			return false
		}
	}
	a.placed, a.rest = r.placements(a.placed[:0]), 0
	clear(a.left)
	return true
}

// A layout holds the places of single tasks.
type layout struct {
	*tableau
	*work
	used    []float64 // by node and dimension
	on      [][]int32 // by node: kinds of its tasks
	waiting []int32   // kinds of the tasks without a place, the largest first
	bulk    []float64 // by kind: sum of its fractions of the mean node
	rooms   tree      // by node: minus the capacity left
	zero    []float64
}

func (in *tableau) lay(a *attempt, w *work) *layout {
	r := &layout{tableau: in, work: w, used: append([]float64(nil), in.pinned...), on: in.seats(a),
		zero: make([]float64, in.width)}
	w.Seen(len(a.placed))
	for _, to := range a.placed {
		for range to.count {
			r.on[to.node] = append(r.on[to.node], to.kind)
			add(in.row(r.used, int(to.node)), in.row(in.size, int(to.kind)), 1)
		}
	}
	r.bulk = make([]float64, len(a.left))
	for k, left := range a.left {
		bulk := 0.0
		for _, x := range in.row(in.share, k) {
			bulk += x
		}
		r.bulk[k] = bulk
		for range left {
			r.waiting = append(r.waiting, int32(k))
		}
	}
	slices.SortStableFunc(r.waiting, r.bulkier)
	r.rooms.reset(len(in.p.Nodes), in.width)
	for n := range in.p.Nodes {
		r.room(n)
	}
	r.rooms.grow()
	return r
}

// seats returns lists with room for the tasks of every node, and for one more.
func (in *tableau) seats(a *attempt) [][]int32 {
	count, all := make([]int32, len(in.p.Nodes)), len(in.p.Nodes)
	for _, to := range a.placed {
		count[to.node] += to.count
		all += int(to.count)
	}
	on, memory := make([][]int32, len(in.p.Nodes)), make([]int32, all)
	for n, tasks := range count {
		on[n], memory = memory[:0:tasks+1], memory[tasks+1:]
	}
	return on
}

func (r *layout) bulkier(a, b int32) int { return cmp.Compare(r.bulk[b], r.bulk[a]) }

// room updates a node's capacity left in the tree.
func (r *layout) room(n int) {
	used, capacity := r.row(r.used, n), r.row(r.capacity, n)
	for d, leaf := 0, r.rooms.leaf(n); d < r.width; d++ {
		leaf[d] = used[d] - capacity[d]
	}
}

// step places the first waiting task that can be placed, or exchanges one. It returns false if none
// can.
func (r *layout) step() bool {
	for at, k := range r.waiting {
		if at > 0 && k == r.waiting[at-1] {
			continue // the result is the same for all tasks of a kind
		}
		if n := r.find(k, -1); n >= 0 {
			r.move(k, -1, n)
			r.waiting = slices.Delete(r.waiting, at, at+1)
			return true
		}
		if r.over() {
			return false
		}
		if r.chain(at) {
			return true
		}
	}
	return false
}

// chain places a waiting task where another one can leave for a third node. Otherwise it lets the
// smallest possible task wait instead, if that is smaller.
func (r *layout) chain(at int) bool {
	k := r.waiting[at]
	size := r.row(r.size, int(k))
	least, from, index := r.bulk[k], -1, -1
	for n := range r.on {
		used, capacity := r.row(r.used, n), r.row(r.capacity, n)
		if !r.may(k, n) {
			continue
		}
		for i, u := range r.on[n] {
			r.steps++
			if !r.exchanges(used, size, r.row(r.size, int(u)), capacity) || r.isSpread(k) && r.beside(k, n, i) {
				continue
			}
			if to := r.find(u, n); to >= 0 {
				r.move(u, n, to)
				r.move(k, -1, n)
				r.waiting = slices.Delete(r.waiting, at, at+1)
				return true
			}
			if r.bulk[u] < least*(1-1e-9) {
				least, from, index = r.bulk[u], n, i
			}
		}
		if r.over() {
			return false
		}
	}
	if from < 0 {
		return r.swap(at)
	}
	u := r.on[from][index]
	r.move(u, from, -1)
	r.move(k, -1, from)
	r.waiting = slices.Delete(r.waiting, at, at+1)
	place, _ := slices.BinarySearchFunc(r.waiting, u, r.bulkier)
	r.waiting = slices.Insert(r.waiting, place, u)
	return true
}

// swap places a waiting task where there is room after two other tasks have exchanged places. It
// examines a limited number of pairs.
func (r *layout) swap(at int) bool {
	const pairs = 200_000
	k, until := r.waiting[at], r.steps+pairs
	size := r.row(r.size, int(k))
	with := make([]float64, r.width)
	for n := range r.on {
		if !r.mayHost(k, n) {
			continue
		}
		copy(with, r.row(r.used, n))
		add(with, size, 1)
		for _, goes := range r.on[n] {
			for m := range r.on {
				for _, comes := range r.on[m] {
					if r.steps++; r.steps > until {
						return false
					}
					if m != n && !(comes == k && r.isSpread(k)) && r.change(n, with, goes, m, comes) {
						r.move(k, -1, n)
						r.waiting = slices.Delete(r.waiting, at, at+1)
						return true
					}
				}
			}
		}
	}
	return false
}

// change exchanges two tasks if both fit; with is the first node's use including the room kept for
// another task.
func (r *layout) change(n int, with []float64, goes int32, m int, comes int32) bool {
	out, in := r.row(r.size, int(goes)), r.row(r.size, int(comes))
	if !r.exchanges(with, in, out, r.row(r.capacity, n)) || !r.exchanges(r.row(r.used, m), out, in,
		r.row(r.capacity, m)) ||
		!r.mayHost(comes, n) || !r.mayHost(goes, m) {
		return false
	}
	r.move(goes, n, m)
	r.move(comes, m, n)
	return true
}

// mayHost reports whether a task may go to a node that it is not on.
func (r *layout) mayHost(k int32, n int) bool {
	return r.may(k, n) && !(r.isSpread(k) && slices.Contains(r.on[n], k))
}

// exchanges reports whether one task fits after another has left.
func (r *layout) exchanges(used, size, leaves, capacity []float64) bool {
	for d, x := range size {
		if used[d]-leaves[d]+x > capacity[d] {
			return false
		}
	}
	return true
}

// find returns a node with room for a task, other than its own, or -1.
func (r *layout) find(k int32, except int) int {
	size := r.row(r.size, int(k))
	for n := 0; ; n++ {
		n = r.rooms.next(n, size, r.zero, &r.steps)
		if n >= len(r.on) {
			return -1
		}
		// The tree's capacity left may be rounded, so the sum decides.
		if n != except && fits(r.row(r.used, n), size, r.row(r.capacity, n)) && r.mayHost(k, n) {
			return n
		}
	}
}

func (r *layout) may(k int32, n int) bool { return !r.bound || r.allows(int(k), n) }

func (r *layout) isSpread(k int32) bool { return r.bound && r.p.Items[r.kinds[k].item].Spread }

// beside reports whether a node has another task of the kind than its i-th.
func (r *layout) beside(k int32, n, i int) bool {
	for j, other := range r.on[n] {
		if j != i && other == k {
			return true
		}
	}
	return false
}

// move moves a task from a node to another; -1 means none.
func (r *layout) move(k int32, from, to int) {
	size := r.row(r.size, int(k))
	if from >= 0 {
		i := slices.Index(r.on[from], k)
		r.on[from] = slices.Delete(r.on[from], i, i+1)
		r.sum(from)
	}
	if to >= 0 {
		r.on[to] = append(r.on[to], k)
		add(r.row(r.used, to), size, 1)
		r.room(to)
		r.rooms.changed(to)
	}
}

// sum adds up the use of a node's tasks again, so that rounding errors do not accumulate.
func (r *layout) sum(n int) {
	used := r.row(r.used, n)
	copy(used, r.row(r.pinned, n))
	for _, k := range r.on[n] {
		add(used, r.row(r.size, int(k)), 1)
	}
	r.room(n)
	r.rooms.changed(n)
}

func (r *layout) placements(placed []placement) []placement {
	placed = slices.Grow(placed, len(r.kinds))
	for n, kinds := range r.on {
		slices.Sort(kinds)
		for _, k := range kinds {
			if last := len(placed) - 1; last >= 0 && placed[last].node == int32(n) && placed[last].kind == k {
				placed[last].count++
			} else {
				placed = append(placed, placement{k, int32(n), 1})
			}
		}
	}
	return placed
}
