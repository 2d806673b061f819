package cluster

import (
	"math"
	"math/bits"
	"slices"
)

// Vacancies is the room that the Target leaves on every node. It finds the node with room for a task that would be
// loaded least with it, without a look at all nodes. It is a forest of persistent trees over node ids: one tree for the
// nodes of about one size. Each inner vertex keeps the least load, the most memory and the most CPU left of any node
// below it. A search skips a subtree that cannot hold the task or whose nodes would all be loaded more than the best
// node found. The extremes may belong to different nodes, so the worst case of a search exceeds the tree's height.
//
// It is derived from nodes and Target, and neither stored nor hashed. A Vacancies never changes: Take returns a new one
// that shares all but the path to one node.
//
// Load is the sum of needs over the node's CPU, as in Greedy (RR-7659, section 4.2), where all nodes have the same CPU
// and the task therefore changes no order. On a node where the task cannot use all of its need, it is at least the need
// over what the task can use. It is compared exactly.
type Vacancies struct {
	sizes []sizeClass // by number
	width uint64      // number of leaves of each tree: a power of two, or 0
}

// sizeClass is the tree of the nodes whose CPU is about the same.
type sizeClass struct {
	number int
	root   *vacancy
}

// vacancy is a vertex of a tree: a leaf for one node, or the best values of the nodes below an inner vertex. The leaf
// of a node that takes no VMs has the load and the room of closed.
type vacancy struct {
	need, cpu   CPU   // least load, as the fraction need/cpu in millicores; infinite where cpu is 0
	most        CPU   // most CPU that a node offers, in millicores
	memory      Bytes // most memory left, in bytes
	spare       CPU   // most CPU left beyond the smallest shares, in millicores
	over        bool  // a node below is promised more than it offers
	mixed       bool  // the nodes offer unlike CPU
	fast        Speed // of the fastest node; at most that of the reference
	least       CPU   // leaf: sum of the smallest shares, in millicores
	left, right *vacancy
}

// classOf returns the number of the CPU's class: its magnitude and its three next binary digits, so that CPU in a class
// differs by less than an eighth.
func classOf(cpu CPU) int {
	length := bits.Len64(uint64(cpu))
	if length <= 4 {
		return int(cpu)
	}
	return length<<3 | int(cpu>>(length-4))&7
}

// Room is the part of a node that a task takes when it is mapped there.
type Room struct {
	Need   CPU   // at full speed, in millicores
	Least  CPU   // smallest share, in millicores
	Charge Bytes // memory, in bytes
}

// Room returns the room that each task of such a job takes.
func (s *State) Room(spec *Spec) Room { return Room{spec.Need, spec.MinShare(), s.Charge(spec)} }

// Over reports whether any node is promised more than it offers. A node that drains or is down offers nothing.
func (v Vacancies) Over() bool {
	return slices.ContainsFunc(v.sizes, func(c sizeClass) bool { return c.root.over })
}

// Least returns the node that would be loaded least with the task, among those that take new VMs and have room for it,
// or 0. Of equally loaded nodes it returns the one with the lowest id. Nodes in exclude are skipped.
func (v Vacancies) Least(room Room, exclude []NodeID) NodeID {
	s := search{room: room, exclude: exclude}
	for i := range v.sizes {
		s.visit(v.sizes[i].root, 0, v.width)
	}
	return s.found
}

// Take returns the vacancies after a task has been mapped to the node, which must exist.
func (v Vacancies) Take(id NodeID, room Room) Vacancies {
	leaf := *v.at(id)
	leaf.need, leaf.memory = leaf.need+room.Need, leaf.memory-room.Charge
	leaf.spare, leaf.least = leaf.spare-room.Least, leaf.least+room.Least
	leaf.over = leaf.over || leaf.memory < 0 || leaf.spare < 0
	return v.with(id, leaf)
}

// at returns the leaf of the node, or nil.
func (v Vacancies) at(id NodeID) *vacancy {
	if uint64(id) > v.width {
		return nil
	}
	for i := range v.sizes {
		if leaf := v.sizes[i].root.at(v.width, uint64(id)-1); leaf != nil {
			return leaf
		}
	}
	return nil
}

func (at *vacancy) at(width, place uint64) *vacancy {
	for half := width / 2; half > 0 && at != nil; half /= 2 {
		if place < half {
			at = at.left
		} else {
			at, place = at.right, place-half
		}
	}
	return at
}

// with returns the vacancies with another leaf for the node.
func (v Vacancies) with(id NodeID, leaf vacancy) Vacancies {
	for v.width == 0 || uint64(id) > v.width {
		v = v.widen()
	}
	place, now := uint64(id)-1, classOf(leaf.cpu)
	grown := Vacancies{make([]sizeClass, 0, len(v.sizes)+1), v.width}
	for _, c := range v.sizes {
		if c.number != now && c.root.at(v.width, place) != nil {
			c.root = c.root.with(v.width, place, nil)
		}
		if c.root != nil {
			grown.sizes = append(grown.sizes, c)
		}
	}
	i, found := slices.BinarySearchFunc(grown.sizes, now, func(c sizeClass, number int) int { return c.number - number })
	if !found {
		grown.sizes = slices.Insert(grown.sizes, i, sizeClass{number: now})
	}
	grown.sizes[i].root = grown.sizes[i].root.with(v.width, place, &leaf)
	return grown
}

// widen returns the vacancies with twice as many leaves.
func (v Vacancies) widen() Vacancies {
	wide := Vacancies{slices.Clone(v.sizes), max(1, 2*v.width)}
	for i := range wide.sizes {
		wide.sizes[i].root = join(wide.sizes[i].root, nil)
	}
	return wide
}

func (at *vacancy) with(width, place uint64, leaf *vacancy) *vacancy {
	if width == 1 {
		return leaf
	}
	var left, right *vacancy
	if at != nil {
		left, right = at.left, at.right
	}
	if width /= 2; place < width {
		left = left.with(width, place, leaf)
	} else {
		right = right.with(width, place-width, leaf)
	}
	return join(left, right)
}

// join returns an inner vertex above two others, one of which may be nil; nil if both are.
func join(left, right *vacancy) *vacancy {
	if left == nil && right == nil {
		return nil
	}
	up := closed
	up.left, up.right = left, right
	for _, at := range [...]*vacancy{left, right} {
		if at == nil {
			continue
		}
		if at.load(0).less(up.load(0)) {
			up.need, up.cpu = at.need, at.cpu
		}
		if at.most > 0 {
			up.mixed = up.mixed || at.mixed || up.most > 0 && up.most != at.most
			up.most, up.fast = max(up.most, at.most), max(up.fast, at.fast)
		}
		up.memory, up.spare, up.over = max(up.memory, at.memory), max(up.spare, at.spare), up.over || at.over
	}
	return &up
}

// closed is the leaf of a node that takes nothing.
var closed = vacancy{need: 1, memory: math.MinInt64, spare: math.MinInt64}

// fraction is a load. Its parts are products of two amounts of CPU at most.
type fraction struct{ over, under uint64 }

// less compares exactly. A fraction over 0 is infinite.
func (f fraction) less(than fraction) bool {
	hi, lo := bits.Mul64(f.over, than.under)
	thanHi, thanLo := bits.Mul64(than.over, f.under)
	return hi < thanHi || hi == thanHi && lo < thanLo
}

// load returns the least load of a node with one more task of that need: exactly for nodes that offer the same CPU, at
// most that for others.
func (at *vacancy) load(need CPU) fraction {
	switch {
	case !at.mixed:
		return fraction{uint64(at.need + need), uint64(at.cpu)}
	case at.need >= 8*MaxNodeCPU:
		return fraction{uint64(at.need), uint64(at.cpu)} // the products below would not fit
	}
	return fraction{uint64(at.need)*uint64(at.most) + uint64(need)*uint64(at.cpu), uint64(at.cpu) * uint64(at.most)}
}

// loadWith returns the least load of a node with one more task of that need, as load does, or more where the task
// cannot use all of its need: a load of 2 is a yield of a half, whatever the cause.
func (at *vacancy) loadWith(need CPU) fraction {
	load := at.load(need)
	if most := at.fast.Ceiling(need); most < need {
		if least := (fraction{uint64(need), uint64(most)}); load.less(least) {
			return least
		}
	}
	return load
}

// search is one search for the node that is loaded least with a task.
type search struct {
	room    Room
	exclude []NodeID
	found   NodeID
	load    fraction // of the node found, with the task
	visits  int      // vertices visited
}

// visit searches below the vertex, whose leaves are the given number of nodes from index first on.
func (s *search) visit(at *vacancy, first, nodes uint64) {
	if s.visits++; at == nil || at.memory < s.room.Charge || at.spare < s.room.Least || !s.better(at, first) {
		return
	}
	if nodes /= 2; nodes == 0 {
		if id := NodeID(first + 1); !contains(s.exclude, id) {
			s.found, s.load = id, at.loadWith(s.room.Need)
		}
		return
	}
	if at.right != nil && (at.left == nil || at.right.loadWith(s.room.Need).less(at.left.loadWith(s.room.Need))) {
		s.visit(at.right, first+nodes, nodes)
		s.visit(at.left, first, nodes)
	} else {
		s.visit(at.left, first, nodes)
		s.visit(at.right, first+nodes, nodes)
	}
}

// better reports whether a node below the vertex may have less load than the node found, or the same load and a lower
// id.
func (s *search) better(at *vacancy, first uint64) bool {
	if s.found == 0 {
		return true
	}
	load := at.loadWith(s.room.Need)
	return load.less(s.load) || first < uint64(s.found) && !s.load.less(load)
}

// least returns the share, in millicores, that each task of the job is sure to keep under the placement: the job's
// smallest share, or 0 if nothing is guaranteed.
func (s *State) least(j *Job, p *Placement) CPU {
	if p == nil || s.counted(p.Grant).Guaranteed == 0 {
		return 0
	}
	return j.Spec.MinShare()
}

// vacancy returns the leaf of the node. least is the sum of the smallest shares there.
func (s *State) vacancy(n *Node, least CPU) vacancy {
	c, leaf := n.Capacity(), closed
	smallest := Load{Need: n.Load.Need, Guaranteed: least, Memory: n.Load.Memory}
	leaf.least, leaf.over = least, !smallest.Fits(c, Load{})
	if n.Draining || n.Health == Down {
		leaf.over = leaf.over || n.Load.Memory > 0
	}
	if s.Open(n) && c.CPU > 0 {
		leaf.need, leaf.cpu, leaf.most = n.Load.Need, c.CPU, c.CPU
		leaf.fast = min(n.Description.Speed.Known(), ReferenceSpeed)
		leaf.memory, leaf.spare = c.Memory-n.Load.Memory, c.CPU-least
	}
	return leaf
}

// survey updates the indexes of the node. grown is the growth of the sum of smallest shares there.
func (s *State) survey(n *Node, grown CPU) {
	note(s.astray, n.ID, len(n.Strays) > 0)
	note(s.serviced, n.ID, len(n.Maintenance) > 0)
	note(s.silent, n.ID, n.silent())
	old := s.vacancies.at(n.ID)
	if old == nil {
		old = &vacancy{}
	}
	if leaf := s.vacancy(n, old.least+grown); leaf != *old {
		s.vacancies = s.vacancies.with(n.ID, leaf)
	}
}

// equal reports whether both hold the same values.
func (v Vacancies) equal(o Vacancies) bool {
	return v.width == o.width && slices.EqualFunc(v.sizes, o.sizes, func(a, b sizeClass) bool {
		return a.number == b.number && a.root.equal(b.root)
	})
}

// equal reports whether the two trees hold the same values.
func (at *vacancy) equal(other *vacancy) bool {
	if at == nil || other == nil {
		return at == other
	}
	a, b := *at, *other
	a.left, a.right, b.left, b.right = nil, nil, nil, nil
	return a == b && at.left.equal(other.left) && at.right.equal(other.right)
}
