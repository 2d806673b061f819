package cluster

import (
	"fmt"
	"iter"
	"slices"
)

// Class is a job's class of service: the tiers that it may run in.
type Class uint8

// The classes. A background job accepts that it gets no CPU at times. A job that may run in either tier can change it
// where it is. Policies of two tiers let a standard job begin in the background instead of waiting.
const (
	StandardClass   Class = iota // the foreground
	BackgroundClass              // the background
	EitherClass                  // both
)

var classes = [...]string{"standard", "background", "either"}

func (c Class) String() string { return classes[c] }

// ParseClass returns the class of that name; "" is standard.
func ParseClass(name string) (Class, error) {
	c := slices.Index(classes[:], name)
	switch {
	case name == "":
		return StandardClass, nil
	case c < 0:
		return 0, fmt.Errorf("%q is no class; there are standard, background and either", name)
	}
	return Class(c), nil
}

// Others yields, by id, the jobs that are not of the standard class and have not ended.
func (v *View) Others() iter.Seq[*Job] { return v.state.members(v.state.others) }

// Standard returns the view of standard jobs alone, for a policy that knows no other class. The placements of the other
// jobs are not in it, nor what they take from nodes. Those of them that stay take their memory all the same, and the
// images of the rest take the reserve from the store, in bytes.
func (v *View) Standard(stay []*Job, reserve Bytes) *View {
	w := *v
	w.part = &part{target: v.TargetAll().Clone(), nodes: map[NodeID]*Node{}, reserve: reserve}
	for j := range v.Others() {
		held := v.Target(j.ID)
		w.part.target.Delete(j.ID)
		for id := range held.on {
			n := w.part.node(v.state.Node(id))
			n.Load = n.Load.Plus(held.Grant, j.Spec, v.Charge(j.Spec), -1)
		}
	}
	for _, j := range stay {
		for id := range v.Target(j.ID).on {
			w.part.node(v.state.Node(id)).Astray += v.Charge(j.Spec)
		}
	}
	return &w
}

// part is the limit of a view to the standard jobs.
type part struct {
	target  Allocation
	nodes   map[NodeID]*Node // those with other jobs, as standard jobs see them
	reserve Bytes            // of the store
}

// node returns the part's own copy of the node.
func (p *part) node(n *Node) *Node {
	if p.nodes[n.ID] == nil {
		p.nodes[n.ID] = n.clone()
	}
	return p.nodes[n.ID]
}

// shows reports whether the view has the job.
func (v *View) shows(j *Job) bool { return v.part == nil || j.Spec.Class == StandardClass }

// shown yields those of the jobs that the view has.
func (v *View) shown(jobs iter.Seq[*Job]) iter.Seq[*Job] {
	if v.part == nil {
		return jobs
	}
	return func(yield func(*Job) bool) {
		for j := range jobs {
			if v.shows(j) && !yield(j) {
				return
			}
		}
	}
}

// limited returns the node as the view has it.
func (v *View) limited(n *Node) *Node {
	if v.part == nil || n == nil || v.part.nodes[n.ID] == nil {
		return n
	}
	return v.part.nodes[n.ID]
}

// reserve returns the space of the store that the view does not have, in bytes.
func (v *View) reserve() Bytes {
	if v.part == nil {
		return 0
	}
	return v.part.reserve
}
