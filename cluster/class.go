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
	w := v.limitedTo(part{reserve: reserve, standard: true})
	for j := range v.Others() {
		w.part.leave(v, j)
	}
	for _, j := range stay {
		for id := range v.Target(j.ID).on {
			w.part.node(v, id).Astray += v.Charge(j.Spec)
		}
	}
	return w
}

// Besides returns the promises in force, by job, and the view of all other jobs, for a policy that knows no promises.
// Nodes have what the promises leave. If there are none, the view is v.
func (v *View) Besides() (list []*Promise, others *View) {
	for p := range v.state.promises.all() {
		if p = p.at(v.state.Job(p.Job), v.At); p.inForce(v.At) && v.shows(v.Job(p.Job)) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil, v
	}
	others = v.limitedTo(part{promised: true, kept: list})
	for _, p := range list {
		others.part.promise(v, p)
	}
	return list, others
}

// Kept returns the promises in force that a view of all other jobs leaves out, by job: see Besides.
func (v *View) Kept() []*Promise {
	if v.part == nil {
		return nil
	}
	return v.part.kept
}

// promise takes a promised job out of the part, and what it was promised from the nodes.
func (p *part) promise(v *View, kept *Promise) {
	j := v.Job(kept.Job)
	p.leave(v, j)
	for _, id := range kept.Nodes {
		if id != 0 {
			n := p.node(v, id)
			n.Foreign.CPU += j.Spec.Need
			n.Foreign.Memory += v.Charge(j.Spec)
		}
	}
}

// part is the limit of a view to some of the jobs.
type part struct {
	target   Allocation
	nodes    map[NodeID]*Node // those with other jobs, as the jobs of the view see them
	reserve  Bytes            // of the store
	standard bool             // only standard jobs
	promised bool             // no jobs whose promises are in force
	kept     []*Promise       // these promises, by job
}

// limitedTo returns the view with a further limit.
func (v *View) limitedTo(p part) *View {
	p.target, p.nodes = v.TargetAll().Clone(), map[NodeID]*Node{}
	if before := v.part; before != nil {
		for id, n := range before.nodes {
			p.nodes[id] = n.clone()
		}
		p.reserve += before.reserve
		p.kept = append(slices.Clone(before.kept), p.kept...)
		p.standard, p.promised = p.standard || before.standard, p.promised || before.promised
	}
	w := *v
	w.part = &p
	return &w
}

// node returns the part's own copy of a node.
func (p *part) node(v *View, id NodeID) *Node {
	if p.nodes[id] == nil {
		p.nodes[id] = v.state.Node(id).clone()
	}
	return p.nodes[id]
}

// leave takes the job's placement out of the part.
func (p *part) leave(v *View, j *Job) {
	held := v.Target(j.ID)
	p.target.Delete(j.ID)
	for id := range held.on {
		n := p.node(v, id)
		n.Load = n.Load.Plus(held.Grant, j.Spec, v.Charge(j.Spec), -1)
	}
}

// shows reports whether the view has the job.
func (v *View) shows(j *Job) bool {
	return v.part == nil || (!v.part.standard || j.Spec.Class == StandardClass) &&
		!(v.part.promised && v.promiseTo(j).inForce(v.At))
}

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
