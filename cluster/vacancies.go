package cluster

import (
	"math"
	"math/bits"
)

// Vacancies is what the Target leaves of every node, kept such that the least loaded node with room for a task is found
// without a look at all nodes. It is a persistent tree over node ids: of the nodes below each of its places it knows
// the least load, the most memory and the most CPU that one of them has left, so that what cannot hold the task, or is
// loaded more than a node found, is passed over. As with every such tree of several minima there are worse cases than
// its height.
//
// It follows from nodes and Target and is neither written down nor hashed. A Vacancies never changes: Take returns
// another one, which shares with it all but the way to a node.
//
// Load is the sum of needs over the node's CPU, as in Greedy (RR-7659, section 4.2). It is compared exactly.
type Vacancies struct {
	root  *vacancy
	width uint64 // places for nodes, a power of two
}

// vacancy is a node's, or what the nodes below a place of the tree have at best. A node that takes no VMs has none.
type vacancy struct {
	need, cpu   CPU // the least load, as a fraction; without CPU it is endless
	memory      Bytes
	spare       CPU // CPU beyond the smallest shares
	over        bool
	least       CPU // of a node: the sum of the smallest shares
	left, right *vacancy
}

// Room is what a task takes of the node that it is mapped to.
type Room struct {
	Need   CPU
	Least  CPU   // the smallest share
	Charge Bytes // of memory
}

// Room is what each task of such a job takes.
func (s *State) Room(spec *Spec) Room { return Room{spec.Need, spec.MinShare(), s.Charge(spec)} }

// Over tells whether a node is promised more than it offers. One that drains or is down offers nothing.
func (v Vacancies) Over() bool { return v.root != nil && v.root.over }

// Least returns the node with the least load, the first of equals, that takes new VMs and has room for the task; 0:
// there is none. Nodes in exclude are skipped.
func (v Vacancies) Least(room Room, exclude []NodeID) NodeID {
	s := search{room: room, exclude: exclude}
	s.visit(v.root, 0, v.width)
	return s.found
}

// Take returns what is left when a task has been mapped to the node.
func (v Vacancies) Take(id NodeID, room Room) Vacancies {
	leaf := *v.at(id)
	leaf.need, leaf.memory = leaf.need+room.Need, leaf.memory-room.Charge
	leaf.spare, leaf.least = leaf.spare-room.Least, leaf.least+room.Least
	leaf.over = leaf.over || leaf.memory < 0 || leaf.spare < 0
	return v.with(id, leaf)
}

// at returns a node's; nil: there is none.
func (v Vacancies) at(id NodeID) *vacancy {
	if uint64(id) > v.width {
		return nil
	}
	at, place := v.root, uint64(id)-1
	for half := v.width / 2; half > 0 && at != nil; half /= 2 {
		if place < half {
			at = at.left
		} else {
			at, place = at.right, place-half
		}
	}
	return at
}

// with returns what is left when a node's has become another.
func (v Vacancies) with(id NodeID, leaf vacancy) Vacancies {
	for v.width == 0 || uint64(id) > v.width {
		if v.root != nil {
			v.root = join(v.root, nil)
		}
		v.width = max(1, 2*v.width)
	}
	v.root = v.root.with(v.width, uint64(id)-1, leaf)
	return v
}

func (at *vacancy) with(width, place uint64, leaf vacancy) *vacancy {
	if width == 1 {
		return &leaf
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

// join is the place above two others, of which either may be nil.
func join(left, right *vacancy) *vacancy {
	up := closed
	up.left, up.right = left, right
	for _, at := range [...]*vacancy{left, right} {
		if at == nil {
			continue
		}
		if at.lighter(&up) {
			up.need, up.cpu = at.need, at.cpu
		}
		up.memory, up.spare, up.over = max(up.memory, at.memory), max(up.spare, at.spare), up.over || at.over
	}
	return &up
}

// closed is a node's that takes nothing.
var closed = vacancy{need: 1, memory: math.MinInt64, spare: math.MinInt64}

// lighter tells whether the load is less than another.
func (at *vacancy) lighter(than *vacancy) bool {
	hi, lo := bits.Mul64(uint64(at.need), uint64(than.cpu))
	thanHi, thanLo := bits.Mul64(uint64(than.need), uint64(at.cpu))
	return hi < thanHi || hi == thanHi && lo < thanLo
}

// search looks for a node.
type search struct {
	room    Room
	exclude []NodeID
	found   NodeID
	load    *vacancy // of the node found
	visits  int
}

// visit looks below a place, where the nodes are so many after the first.
func (s *search) visit(at *vacancy, first, nodes uint64) {
	if s.visits++; at == nil || at.memory < s.room.Charge || at.spare < s.room.Least || !s.better(at, first) {
		return
	}
	if nodes /= 2; nodes == 0 {
		if id := NodeID(first + 1); !contains(s.exclude, id) {
			s.found, s.load = id, at
		}
		return
	}
	if at.right != nil && (at.left == nil || at.right.lighter(at.left)) {
		s.visit(at.right, first+nodes, nodes)
		s.visit(at.left, first, nodes)
	} else {
		s.visit(at.left, first, nodes)
		s.visit(at.right, first+nodes, nodes)
	}
}

// better tells whether below the place there may be a node with less load than that found, or the same and an earlier
// id.
func (s *search) better(at *vacancy, first uint64) bool {
	return s.found == 0 || at.lighter(s.load) || first < uint64(s.found) && !s.load.lighter(at)
}

// least is the smallest share that each task of the job is sure to keep under the placement: 0 if nothing is
// guaranteed.
func (s *State) least(j *Job, p *Placement) CPU {
	if p == nil || s.counted(p.Grant).Guaranteed == 0 {
		return 0
	}
	return j.Spec.MinShare()
}

// vacancy is the node's, on which the smallest shares have that sum.
func (s *State) vacancy(n *Node, least CPU) vacancy {
	c, leaf := n.Capacity(), closed
	smallest := Load{Need: n.Load.Need, Guaranteed: least, Memory: n.Load.Memory}
	leaf.least, leaf.over = least, !smallest.Fits(c, Load{})
	if n.Draining || n.Health == Down {
		leaf.over = leaf.over || n.Load.Memory > 0
	}
	if s.Open(n) && c.CPU > 0 {
		leaf.need, leaf.cpu, leaf.memory, leaf.spare = n.Load.Need, c.CPU, c.Memory-n.Load.Memory, c.CPU-least
	}
	return leaf
}

// survey brings the indexes of the node up to date, given how much the sum of smallest shares has grown there.
func (s *State) survey(n *Node, grown CPU) {
	note(s.astray, n.ID, len(n.Strays) > 0)
	note(s.silent, n.ID, n.Health == Silent)
	old := s.vacancies.at(n.ID)
	if old == nil {
		old = &vacancy{}
	}
	if leaf := s.vacancy(n, old.least+grown); leaf != *old {
		s.vacancies = s.vacancies.with(n.ID, leaf)
	}
}

// equal compares trees.
func (at *vacancy) equal(other *vacancy) bool {
	if at == nil || other == nil {
		return at == other
	}
	a, b := *at, *other
	a.left, a.right, b.left, b.right = nil, nil, nil, nil
	return a == b && at.left.equal(other.left) && at.right.equal(other.right)
}
