package cluster

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// booking is what a promise takes of one node over an interval.
type booking struct {
	from, until Time // in microseconds; until is excluded
	cpu         CPU
	memory      Bytes
}

// bookings are what promises take of the nodes.
type bookings struct {
	*State
	by    map[NodeID][]booking
	of    map[string][]booking // by owner, on all nodes together
	held  map[string][]booking // of them what is offered, by project
	looks *int                 // at bookings
}

func newBookings(s *State) bookings {
	by := func() map[string][]booking { return map[string][]booking{} }
	return bookings{s, map[NodeID][]booking{}, by(), by(), new(int)}
}

// booked returns all that a new job of the spec finds booked: promises that have nodes and have not ended, and offers
// to others.
func (s *State) booked(spec *Spec) bookings { return s.bookedFor(spec, 0, math.MaxInt64) }

// bookedFor returns what of it touches an interval.
func (s *State) bookedFor(spec *Spec, from, until Time) bookings {
	b := newBookings(s)
	for p := range s.Promised() {
		if p.Due() < until && from < p.Until {
			b.add(p)
		}
	}
	b.addOffers(spec)
	return b
}

// claims yields the promises, also of offers.
func (s *State) claims() iter.Seq[*Promise] {
	return func(yield func(*Promise) bool) {
		for p := range s.Promised() {
			if !yield(p) {
				return
			}
		}
		for o := range s.Offers() {
			if !yield(&o.Promise) {
				return
			}
		}
	}
}

// add counts a promise.
func (b bookings) add(p *Promise) {
	if p.Until <= b.Now {
		return
	}
	spec := b.Job(p.Job).Spec
	each := booking{p.Due(), p.Until, spec.Need, b.Charge(spec)}
	for _, n := range p.Nodes {
		if n != 0 {
			b.by[n] = joined(b.by[n], each)
			b.of[spec.Owner] = joined(b.of[spec.Owner], each)
		}
	}
}

// joined adds a booking to a list, to its last one if that is of the same interval.
func joined(list []booking, k booking) []booking {
	last := len(list) - 1
	if last < 0 || list[last].from != k.from || list[last].until != k.until {
		return append(list, k)
	}
	list[last].cpu, list[last].memory = list[last].cpu+k.cpu, list[last].memory+k.memory
	return list
}

// left returns the part of the node that promises leave at every moment of an interval. It can be negative.
func (b bookings) left(n *Node, from, until Time) Offer {
	*b.looks += len(b.by[n.ID])
	c, most := n.Capacity(), peak(b.by[n.ID], from, until)
	return Offer{CPU: c.CPU - most.CPU, Memory: c.Memory - most.Memory}
}

// peak returns the most CPU and the most memory that bookings take together at a moment of an interval.
func peak(list []booking, from, until Time) (most Offer) {
	var taken Offer
	var changes []booking // each begins or ends at its from
	for _, k := range list {
		if k.from < until && from < k.until {
			changes = append(changes, booking{from: max(from, k.from), cpu: k.cpu, memory: k.memory},
				booking{from: k.until, cpu: -k.cpu, memory: -k.memory})
		}
	}
	slices.SortFunc(changes, func(x, y booking) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.cpu, y.cpu)) // ends first
	})
	for _, k := range changes {
		taken.CPU, taken.Memory = taken.CPU+k.cpu, taken.Memory+k.memory
		most.CPU, most.Memory = max(most.CPU, taken.CPU), max(most.Memory, taken.Memory)
	}
	return most
}

// fair returns the number of tasks of the spec that its owner may be promised over an interval besides its other
// promises: at any moment half of the nodes' CPU and memory, unless a quota limits the owner's.
func (b bookings) fair(spec *Spec, from, until Time) int {
	most, has, half := b.QuotaOf("", spec.Owner).Most, peak(b.of[spec.Owner], from, until), b.half()
	tasks := spec.Tasks
	if most.CPU == 0 {
		tasks = min(tasks, int(max(0, half.CPU-has.CPU)/spec.Need))
	}
	if most.Memory == 0 {
		tasks = min(tasks, int(max(0, half.Memory-has.Memory)/b.Charge(spec)))
	}
	return tasks
}

// half returns half of what the nodes have together that are not down.
func (s *State) half() (all Offer) {
	for n := range s.Nodes() {
		if n.Health != Down {
			c := n.Capacity()
			all.CPU, all.Memory = all.CPU+c.CPU, all.Memory+c.Memory
		}
	}
	return Offer{CPU: all.CPU / 2, Memory: all.Memory / 2}
}

// slots returns the number of tasks of the spec that the node has room for at every moment of an interval.
func (b bookings) slots(n *Node, spec *Spec, from, until Time) int {
	if n.Ceiling(spec) < spec.Need || n.closed(from, until) {
		return 0 // it is too slow for what is promised, or in maintenance
	}
	left := b.left(n, from, until)
	most := spec.Tasks
	if spec.Placement.Spread {
		most = 1
	}
	return min(most, int(max(0, left.CPU)/spec.Need), int(max(0, left.Memory)/b.Charge(spec)))
}

// find returns a node for each of the tasks, in ascending order, out of those that may be used, and the number of tasks
// that find one; nil: they do not all fit. Tasks keep the nodes that they have, as far as possible; the others are
// spread evenly, so that other jobs rather get less than leave.
func (b bookings) find(spec *Spec, tasks int, has []NodeID, may func(*Node) bool, from, until Time) (nodes []NodeID,
	fit int) {
	var ids []NodeID
	slots := map[NodeID]int{}
	for n := range b.Nodes() {
		if may(n) {
			ids, slots[n.ID] = append(ids, n.ID), b.slots(n, spec, from, until)
			fit += slots[n.ID]
		}
	}
	if fit < tasks {
		return nil, fit
	}
	take := func(id NodeID) {
		if len(nodes) < tasks && slots[id] > 0 {
			nodes, slots[id] = append(nodes, id), slots[id]-1
		}
	}
	for _, id := range has {
		take(id)
	}
	for len(nodes) < tasks {
		for _, id := range ids {
			take(id)
		}
	}
	slices.Sort(nodes)
	return nodes, tasks
}
