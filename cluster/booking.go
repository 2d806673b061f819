package cluster

import (
	"cmp"
	"iter"
	"maps"
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
	all   bool                 // promises of the State count
	but   JobID                // job whose promise does not count; 0: all count
	to    *Spec                // offers to others than its owner count; nil: none do
	brief bool                 // room is looked for once: find stops when all tasks have a node
	upNow *[]Offer             // once it is known, what the nodes have that are not down
	by    map[NodeID][]booking // bookings that were added, by node
	of    map[string][]booking // by owner, on all nodes together
	held  map[string][]booking // of them what is offered, by project
	in    map[string][]booking // by project, on all nodes together
	looks *int                 // at nodes and their levels
}

// newBookings returns bookings to which promises can be added.
func newBookings(s *State) bookings {
	by := func() map[string][]booking { return map[string][]booking{} }
	return bookings{State: s, upNow: new([]Offer), by: map[NodeID][]booking{},
		of: by(), held: by(), in: by(), looks: new(int)}
}

// promisedBookings returns what promises take.
func (s *State) promisedBookings() bookings {
	b := newBookings(s)
	b.all = true
	return b
}

// booked returns all that a new job of the spec finds booked: promises that have nodes and have not ended, and offers
// to others.
func (s *State) booked(spec *Spec) bookings { return s.promisedBookings().beside(spec) }

// once returns the bookings to look for room once.
func (b bookings) once() bookings {
	b.brief = true
	return b
}

// beside returns the bookings with what is offered to others than the owner of the spec. An owner's own offers give way
// to what it submits.
func (b bookings) beside(spec *Spec) bookings {
	b.to = spec
	return b
}

// add counts a promise.
func (b bookings) add(p *Promise) {
	for part := range p.each() {
		if part.Until > b.Now {
			b.addPart(part)
		}
	}
}

func (b bookings) addPart(p *Promise) {
	spec := b.Job(p.Job).Spec
	each, all := booking{p.Due(), p.Until, spec.Need, b.Charge(spec)}, 0
	for n, tasks := range p.tasks() {
		b.by[n] = joined(b.by[n], each.times(tasks))
		all += tasks
	}
	if all > 0 {
		b.of[spec.Owner] = joined(b.owned(spec.Owner), each.times(all))
		b.share(spec.Project, each.times(all))
	}
}

// others returns what is taken of a node at a part of an interval besides its levels: by claims that move, by offers,
// and by bookings that were added. The levels have the job that does not count: its part is taken off.
func (b bookings) others(on *shelf, from, until Time) (list []claim) {
	if b.all {
		for i := range on.moving {
			if c := &on.moving[i]; c.job != b.but && c.due < until && from < c.until {
				list = append(list, c.at(b.State))
			}
		}
		if b.but != 0 {
			list = b.withoutOwn(list, on.node)
		}
	}
	add := func(k booking) {
		if k.from < until && from < k.until {
			list = append(list, claim{due: k.from, until: k.until, cpu: k.cpu, memory: k.memory})
		}
	}
	if b.to != nil && len(on.offers) > 0 {
		for _, k := range b.offeredOn(on, from, until) {
			add(k)
		}
	}
	for _, k := range b.by[on.node] {
		add(k)
	}
	return list
}

// withoutOwn appends claims below zero, which take the job that does not count off the levels of a node.
func (b bookings) withoutOwn(list []claim, node NodeID) []claim {
	whole := b.promises.get(b.but)
	if !whole.uses(node) {
		return list
	}
	for p := range b.fixedParts(b.but) {
		if contains(p.Nodes, node) {
			spec, tasks := b.Job(b.but).Spec, -count(p.Nodes, node)
			list = append(list, claim{due: p.Due(), until: p.Until, cpu: spec.Need * CPU(tasks),
				memory: spec.Requirement.Memory * Bytes(tasks), tasks: tasks})
		}
	}
	return list
}

// fixedParts yields the parts of the promise to a job, unless it moves.
func (s *State) fixedParts(id JobID) iter.Seq[*Promise] {
	p := s.promises.get(id)
	if p != nil && s.movers.Has(mover{p.Until, id}) {
		p = nil
	}
	return p.each()
}

// offeredOn returns what offers take of the shelf at a part of an interval.
func (b bookings) offeredOn(on *shelf, from, until Time) (list []booking) {
	var answer []booking
	first := OfferID(0)
	for _, id := range on.offers {
		o := b.offers.get(id)
		if b.Now >= o.Expires || o.of(b.to) {
			continue
		}
		if o.First != first {
			list, answer, first = append(list, most(answer)...), nil, o.First
		}
		for part := range o.Promise.each() {
			if tasks := count(part.Nodes, on.node); tasks > 0 && part.Until > from && part.Due() < until {
				answer = joined(answer, o.booking(b.State, part).times(tasks))
			}
		}
	}
	return append(list, most(answer)...)
}

// owned returns what is booked for an owner.
func (b bookings) owned(owner string) []booking {
	return b.totalOf(b.of, b.owners, owner, func(s *Spec) bool { return s.Owner == owner })
}

// totalOf returns what is booked for an owner or a project, all nodes together: promises in the index under the name,
// and offers to jobs that count. It is known after that.
func (b bookings) totalOf(known map[string][]booking, index tree[owned], name string,
	counts func(*Spec) bool) []booking {
	list, found := known[name]
	if found {
		return list
	}
	if b.all {
		for p := range b.promisesOf(index, name) {
			if p.Job == b.but || p.live() == 0 {
				continue
			}
			spec := b.Job(p.Job).Spec
			for part := range p.each() {
				if part.Until > b.Now {
					list = joined(list, booking{part.Due(), part.Until, spec.Need, b.Charge(spec)}.times(p.live()))
				}
			}
		}
	}
	list = append(list, b.offeredTo(counts)...)
	known[name] = list
	return list
}

// offered returns what is held for a project.
func (b bookings) offered(project string) []booking {
	list, known := b.held[project]
	if !known {
		list = b.offeredTo(func(s *Spec) bool { return s.Project == project })
		b.held[project] = list
	}
	return list
}

// offeredTo returns what is held by offers of some specifications: at each moment the most that one of an answer takes.
func (b bookings) offeredTo(counts func(*Spec) bool) (list []booking) {
	if b.to == nil {
		return nil
	}
	for answer := range b.answersNow() {
		if o := answer.offers[0]; counts(o.Spec) && !o.of(b.to) {
			list = append(list, b.together(answer.offers)...)
		}
	}
	return list
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

// levels returns the levels of a node with all else that is booked there. They are right at all moments of an interval.
func (b bookings) levels(n *Node, from, until Time) (list levels) {
	on := b.shelves.get(n.ID)
	if on == nil {
		on = &shelf{node: n.ID}
	}
	from = max(from, b.Now)
	if b.all {
		list = on.levels.during(from, until)
	}
	if others := b.others(on, from, until); len(others) > 0 {
		return list.beside(levelsOf(others))
	}
	return list
}

// left returns the part of the node that promises leave at every moment of an interval. It can be negative.
func (b bookings) left(n *Node, from, until Time) Offer {
	from = max(from, b.Now)
	list := b.levels(n, from, until)
	*b.looks += 1 + len(list)
	c, most := n.Capacity(), list.during(from, until).most(b.overhead)
	return Offer{CPU: c.CPU - most.CPU, Memory: c.Memory - most.Memory}
}

// peak returns the most CPU and the most memory that bookings take together at a moment of an interval.
func peak(list []booking, from, until Time) (most Offer) {
	var taken Offer
	var some [16]booking
	changes := some[:0] // each begins or ends at its from
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

// fair returns the number of tasks of the spec that its owner and its project may be promised over an interval.
func (b bookings) fair(spec *Spec, from, until Time) int {
	return min(b.fairToOwner(spec, from, until), b.fairToProject(spec, from, until))
}

// fairToOwner returns the number of tasks of the spec that its owner may be promised over an interval besides its other
// promises: at any moment half of the nodes' CPU and memory, unless a quota limits the owner's.
func (b bookings) fairToOwner(spec *Spec, from, until Time) int {
	return b.fairShare(spec, b.QuotaOf("", spec.Owner).Most, peak(b.owned(spec.Owner), from, until))
}

// up returns what the nodes have together that are not down.
func (b bookings) up() Offer {
	if len(*b.upNow) == 0 {
		*b.upNow = []Offer{b.State.up()}
	}
	return (*b.upNow)[0]
}

// half returns half of it.
func (b bookings) half() Offer { return b.up().half() }

func (o Offer) half() Offer { return Offer{CPU: o.CPU / 2, Memory: o.Memory / 2} }

// slots returns the number of tasks of the spec that the node has room for at every moment of an interval.
func (b bookings) slots(n *Node, spec *Spec, from, until Time) int {
	if n.Ceiling(spec) < spec.Need || n.closed(from, until) {
		return 0 // it is too slow for what is promised, or in maintenance
	}
	return spec.most(b.left(n, from, until), b.Charge(spec))
}

// find returns a node for each of the tasks, in ascending order, out of those that may be used, and the number of tasks
// that find one; nil: they do not all fit. Tasks keep the nodes that they have, as far as possible; the others are
// spread evenly, so that other jobs rather get less than leave. A node that takes no new VMs keeps those that it has.
// Bookings that are brief end the search with the last task, and fit may be too low then.
func (b bookings) find(spec *Spec, tasks int, has []NodeID, may func(*Node) bool, from, until Time) (nodes []NodeID,
	fit int) {
	slots := func(n *Node) int {
		room := b.slotsIf(may, n, spec, from, until)
		if b.Format >= shutsOut && n.shut() {
			return min(room, occurrences(has, n.ID))
		}
		return room
	}
	kept := map[NodeID]int{} // of the nodes that tasks have, the room that is left
	for _, id := range has {
		n := b.Node(id)
		if n == nil || n.Absent {
			continue
		}
		if _, known := kept[id]; !known {
			kept[id] = slots(n)
			fit += kept[id]
		}
		if len(nodes) < tasks && kept[id] > 0 {
			nodes, kept[id] = append(nodes, id), kept[id]-1
		}
	}
	var rooms []room
	for n := range b.Nodes() {
		if b.brief && len(nodes) == tasks {
			break
		}
		left, known := kept[n.ID]
		if !known {
			left = slots(n)
			fit += left
		}
		if left > 0 && len(nodes) < tasks {
			nodes, left = append(nodes, n.ID), left-1
		}
		if left > 0 {
			rooms = append(rooms, room{n.ID, left})
		}
	}
	if len(nodes) < tasks && fit < tasks {
		return nil, fit
	}
	for len(nodes) < tasks {
		for i := range rooms {
			if r := &rooms[i]; r.tasks > 0 && len(nodes) < tasks {
				nodes, r.tasks = append(nodes, r.node), r.tasks-1
			}
		}
	}
	slices.Sort(nodes)
	return nodes, tasks
}

// occurrences counts how often the list has the node.
func occurrences(list []NodeID, id NodeID) (count int) {
	for _, n := range list {
		if n == id {
			count++
		}
	}
	return count
}

// room is the number of further tasks that a node has room for.
type room struct {
	node  NodeID
	tasks int
}

// slotsIf returns the number of tasks that the node has room for, if it may be used.
func (b bookings) slotsIf(may func(*Node) bool, n *Node, spec *Spec, from, until Time) int {
	if !may(n) {
		return 0
	}
	return b.slots(n, spec, from, until)
}

// holds reports whether the nodes of the promise have room for it besides what is booked.
func (b bookings) holds(p *Promise) bool {
	if p.Broken() {
		return false
	}
	for part := range p.each() {
		if !b.holdsPart(part) {
			return false
		}
	}
	return true
}

// holdsPart reports whether the nodes of one of its parts have room for that.
func (b bookings) holdsPart(p *Promise) bool {
	if p.Until <= b.Now {
		return true // it is over, but for the next decision
	}
	j, tasks := b.Job(p.Job), map[NodeID]int{}
	for _, n := range p.Nodes {
		tasks[n]++
	}
	for _, n := range slices.Sorted(maps.Keys(tasks)) { // in order, because what is looked at counts
		if n == 0 {
			continue
		}
		if !b.takes(b.Node(n), j.Spec, j) || b.slots(b.Node(n), j.Spec, max(b.Now, p.Due()), p.Until) < tasks[n] {
			return false
		}
	}
	return true
}
