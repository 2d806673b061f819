package backfill

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// inventory holds the nodes and their free part.
type inventory struct {
	sites     []site        // by node id
	classes   []class       // classes of the nodes that take new tasks
	order     []int         // indices of classes, the largest first, or those that are most useful to the job at hand
	slow      bool          // some node is slower than the reference
	known     int           // number of nodes in any condition
	free      int           // number of nodes that take new tasks and are held by no job
	least     cluster.Offer // least CPU and least memory of any node's description
	departs   bool          // some node has to be left by its jobs
	irregular bool          // on some node, some tasks have less than their need

	keeps map[cluster.NodeID]keeping // parts of nodes that promises in force take; nil: none
}

// keeping is the part of a node that promises in force take.
type keeping struct {
	cluster.Offer
	until cluster.Time // when the last of their jobs is expected to give it back
}

// site is one node during a decision.
type site struct {
	node    *cluster.Node // nil: no node has this id
	class   int           // index in classes; outside: the node takes no new tasks
	tasks   int           // tasks on it of jobs that hold it
	need    cluster.CPU   // sum of the needs of these tasks
	leaving bool          // a job that holds it has to leave some node
	left    int           // tasks that have not been released yet while the calendars are built
}

const outside = -1

// kind is what the nodes of a class have in common.
type kind struct {
	cluster.Offer               // now
	later         cluster.Offer // once the promises in force there have ended; that of now if there are none
	until         cluster.Time  // when these are expected to have ended; 0: there are none
	speed         cluster.Speed // at most that of the reference: beyond it no task can use more
}

// offer returns what a node of the kind is expected to offer from a time on.
func (k *kind) offer(at cluster.Time) cluster.Offer {
	if at < k.until {
		return k.Offer
	}
	return k.later
}

// class is a set of nodes that are interchangeable for every promise.
type class struct {
	kind
	some  *cluster.Node // one node of the class
	nodes int
	free  int
	quota int // free nodes that may be drawn for the job being placed
	drawn int // free nodes that have been drawn for it

	steps    []calendar.Step // times at which nodes are expected to become free; valid until the calendar is loaded
	calendar calendar.Calendar
}

// take reads all nodes of the view.
func (i *inventory) take(v *cluster.View) {
	i.sites = slices.Grow(i.sites, int(v.NodeBound()))[:v.NodeBound()]
	clear(i.sites)
	for n := range v.Nodes() {
		offer, d, condition := n.Capacity(), &n.Description, v.Condition(n)
		i.departs = i.departs || condition == cluster.NodeLeaving
		i.irregular = i.irregular || n.Load.Guaranteed != n.Load.Need || n.Load.Need > offer.CPU
		if i.known == 0 {
			i.least = cluster.Offer{CPU: d.CPU, Memory: d.Memory}
		}
		i.least.CPU, i.least.Memory = min(i.least.CPU, d.CPU), min(i.least.Memory, d.Memory)
		i.known++
		s := &i.sites[n.ID]
		s.node, s.class, s.tasks, s.need = n, outside, n.Load.Tasks, n.Load.Need
		if condition == cluster.NodeOpen {
			s.class = i.classify(kind{offer, i.whole(n), i.keeps[n.ID].until, min(d.Speed.Known(), cluster.ReferenceSpeed)})
			i.enter(s)
		}
	}
	i.rank()
}

// empty clears the inventory and keeps its buffers.
func (i *inventory) empty() {
	*i = inventory{sites: i.sites[:0], classes: i.classes[:0], order: i.order[:0]}
}

// whole returns what the node offers together with what promises in force take of it.
func (i *inventory) whole(n *cluster.Node) cluster.Offer {
	o, taken := n.Capacity(), i.keeps[n.ID]
	return cluster.Offer{CPU: o.CPU + taken.CPU, Memory: o.Memory + taken.Memory}
}

// classify returns the class of nodes of a kind.
func (i *inventory) classify(k kind) int {
	i.slow = i.slow || k.speed < cluster.ReferenceSpeed
	for c := range i.classes {
		if i.classes[c].kind == k {
			return c
		}
	}
	return i.add(k)
}

func (i *inventory) add(k kind) int {
	c := len(i.classes)
	i.classes = slices.Grow(i.classes, 1)[:c+1] // this reuses a calendar's memory
	i.classes[c].reset()
	i.classes[c].kind = k
	return c
}

// reset counts no nodes.
func (k *class) reset() { k.some, k.nodes, k.free = nil, 0, 0 }

// enter counts the node in its class.
func (i *inventory) enter(s *site) {
	k := &i.classes[s.class]
	k.some = s.node
	k.nodes++
	if s.tasks == 0 {
		k.free++
		i.free++
	}
}

// refine splits classes so that a job may use all nodes of a class or none.
func (i *inventory) refine(allows func(*cluster.Node) bool) {
	twins := make([]int, len(i.classes))
	for n := range i.sites {
		s := &i.sites[n]
		if s.node == nil || s.class == outside || allows(s.node) {
			continue
		}
		if twins[s.class] == 0 {
			twins[s.class] = i.add(i.classes[s.class].kind)
		}
		s.class = twins[s.class]
	}
	i.recount()
}

// recount counts the nodes of the classes anew and orders the classes.
func (i *inventory) recount() {
	i.free = 0
	for c := range i.classes {
		i.classes[c].reset()
	}
	for n := range i.sites {
		if s := &i.sites[n]; s.node != nil && s.class != outside {
			i.enter(s)
		}
	}
	i.rank()
}

// rank orders the classes that have nodes.
func (i *inventory) rank() {
	i.order = i.order[:0]
	for c := range i.classes {
		if i.classes[c].nodes > 0 {
			i.order = append(i.order, c)
		}
	}
	if len(i.order) > 1 {
		slices.SortStableFunc(i.order, func(a, b int) int { return cmp.Compare(i.classes[b].CPU, i.classes[a].CPU) })
	}
}

// count adds the tasks of a placement to their nodes; sign -1 removes them.
func (i *inventory) count(j *cluster.Job, p *cluster.Placement, sign int) {
	for _, n := range p.Nodes {
		if n == 0 {
			continue
		}
		s := &i.sites[n]
		before := s.tasks
		s.tasks += sign
		s.need += cluster.CPU(sign) * j.Spec.Need
		if s.class != outside && (before == 0 || s.tasks == 0) {
			i.classes[s.class].free -= sign
			i.free -= sign
		}
	}
}
