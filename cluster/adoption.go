package cluster

import (
	"errors"
	"fmt"
	"slices"
)

// editor changes a state: a transaction a copy of it, a Model the only one there is, in place.
type editor interface {
	edit(JobID) *Job        // returns the job, which exists, for changing
	load(NodeID, Load)      // adds to the node's load
	place(*Job, *Placement) // sets the job's placement; nil: none
	refuse(*Job, Reason)    // ends a job that can never run
	kill(*Job)              // gives up the job's work: it starts anew
	loadBefore(NodeID) Load // returns the node's load before the decision
}

// adoption puts a decision into force. A State and the simulator's Model share it. They treat a fault differently: a
// State adopts the part that still fits, because much may have happened since the decision; a Model fails.
type adoption struct {
	*State
	to      editor
	dropped []JobID  // jobs that lost their placement
	set     []change // that can be put into force, in the decision's order
	fault   error    // the first part that cannot be put into force; nil: none
}

// change is the change of one job's placement by a decision.
type change struct {
	job      JobID
	was, now *Placement // nil: nothing
}

// adopt puts the possible part of the decision into force, and reports whether the nodes have room for it. They may not
// if the decision was made for another state.
func (d *adoption) adopt(a Adopt) (fits bool) {
	d.dropped, d.set, d.fault = d.dropped[:0], d.set[:0], nil
	for _, refusal := range a.Refuse {
		j := d.Job(refusal.Job)
		if j == nil || !j.Schedulable() {
			continue
		}
		if d.PromiseTo(j.ID).binding(d.Now) {
			d.fail("%v cannot be refused: it has a promise", j.ID)
			continue
		}
		d.to.refuse(j, refusal.Reason)
	}
	for _, why := range a.Why {
		if j := d.Job(why.Job); j != nil && j.Schedulable() && !d.tellsBroken(j, why) {
			d.to.edit(why.Job).Why = why
		}
	}
	for i := range a.Set {
		d.set = append(d.set, change{job: a.Set[i].Job, was: d.Target(a.Set[i].Job)})
	}
	d.drop(a.Drop)
	d.number(a)
	for _, c := range d.set {
		d.to.place(d.to.edit(c.job), c.now)
	}
	return d.fits()
}

// conclude gives up the work of the jobs that the decision kills, and dates entries to the foreground. It concerns only
// jobs whose new placement is in force.
func (d *adoption) conclude(a Adopt) {
	for _, c := range d.set {
		switch p := d.Target(c.job); {
		case p == nil || p != c.now:
			continue
		case p.Tier == Foreground && (c.was == nil || c.was.Tier != Foreground) && d.Format >= tellsTiers:
			d.to.edit(c.job).Foreground = d.Now
		}
		if contains(a.Kill, c.job) {
			d.to.kill(d.to.edit(c.job))
		}
	}
}

// drop removes placements as long as the store has room for the images of the jobs to be paused. The other jobs keep
// theirs: a job that cannot leave must not count as gone.
func (d *adoption) drop(jobs []JobID) {
	const unknown = -1
	left := Bytes(unknown) // of the store
	for _, id := range jobs {
		if d.Target(id) == nil {
			continue
		}
		if d.PromiseTo(id).inForce(d.Now) {
			d.fail("%v cannot lose what it was promised", id)
			continue
		}
		if need := d.saving(d.Job(id)); need > 0 {
			if left == unknown {
				left = max(0, d.spare())
			}
			if need > left {
				d.to.edit(id).Why = Reason{Job: id, Code: WhyNoStore, Values: []int64{int64(need), int64(left)}}
				d.fail("%v cannot be paused: it takes %v of the store, which has %v left", id, need, left)
				continue
			}
			left -= need
		}
		d.to.place(d.to.edit(id), nil)
		d.dropped = append(d.dropped, id)
	}
}

// number assigns a node to each task of the jobs in set, and drops impossible placements from set. It handles all jobs
// before any is placed. A job that must not run twice is not killed: it keeps its placement.
func (d *adoption) number(a Adopt) {
	kept := d.set[:0]
	for i, c := range d.set {
		j, p := d.Job(c.job), a.Set[i].Placement
		if err := d.adoptable(j, &p); err != nil {
			d.fail("%v cannot be placed: %w", c.job, err)
			continue
		}
		p.Grant = d.grant(&p, j.Spec)
		if j.Spec.FailOnLoss && contains(a.Kill, c.job) {
			d.fail("%v cannot be killed: it must not run twice", c.job)
			continue
		}
		if d.PromiseTo(c.job).binding(d.Now) && contains(a.Kill, c.job) {
			d.fail("%v cannot be killed: it has a promise", c.job)
			continue
		}
		nodes := d.assign(j, p.Nodes)
		p.Nodes, p.Cores = nodes, d.bind(j, &p, nodes)
		c.now = &p
		kept = append(kept, c)
	}
	d.set = kept
}

// kill gives up the work of the job. Its VMs are to be stopped, its saved images are no longer needed, and its clock
// begins anew.
func (s *State) kill(j *Job) {
	j.Clock = Clock{At: s.Now}
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Killed = t.Phase != Done && t.Phase != Idle; s.Move(TaskID{j.ID, i}) != nil {
			t.Killed = true
		} else {
			t.forsake()
		}
	}
}

// adoptable returns why the job cannot have the placement, regardless of other jobs; nil means that it can. The job may
// be nil.
func (s *State) adoptable(j *Job, p *Placement) error {
	switch {
	case j == nil || !j.Schedulable():
		return errors.New("there is no such job, or it may not run")
	case len(p.Nodes) != j.Live():
		return fmt.Errorf("%d nodes for %d tasks", len(p.Nodes), j.Live())
	case !s.permits(j, p):
		return errors.New("it was promised something else")
	case !j.Spec.Sinks() && p.Guaranteed < j.Spec.MinShare():
		return fmt.Errorf("it would get %v, and its floor is %v", p.Guaranteed, j.Spec.MinShare())
	case !p.Suits(j.Spec.Need):
		return fmt.Errorf("%+v for a task that needs %v", p.Grant, j.Spec.Need)
	}
	for _, id := range p.Nodes {
		if n := s.Node(id); n == nil || n.Health == Down {
			return fmt.Errorf("node %d does not exist or is down", id)
		}
	}
	return s.bindable(p)
}

// bindable returns why tasks of the placement cannot be bound to its processors, or nil.
func (s *State) bindable(p *Placement) error {
	if len(p.Cores) != 0 && len(p.Cores) != len(p.Nodes) {
		return fmt.Errorf("%d processors for %d tasks", len(p.Cores), len(p.Nodes))
	}
	for i, core := range p.Cores {
		if n := s.Node(p.Nodes[i]); !n.Description.binds(core) {
			return fmt.Errorf("node %s binds no task to processor %d, it has %d", n.Name, core, n.Description.Slots())
		}
	}
	return nil
}

// fits reports whether the nodes of all new placements can carry their loads. No other node has more load than before.
func (d *adoption) fits() bool {
	for _, c := range d.set {
		if n := d.overfull(d.to, c.now); n != nil {
			l, c := n.Load, n.Capacity()
			d.fail("node %s is to give %v and %v, but has %v and %v", n.Name, l.Guaranteed, l.Memory, c.CPU, c.Memory)
			return false
		}
	}
	return true
}

func (d *adoption) fail(format string, args ...any) {
	if d.fault == nil {
		d.fault = fmt.Errorf(format, args...)
	}
}

// overfull returns a node of the placement whose load exceeds both what it has and its load before; nil means none.
func (s *State) overfull(e editor, p *Placement) *Node {
	for _, id := range p.Nodes {
		if id == 0 {
			continue
		}
		n := s.Node(id)
		if c := n.Capacity(); !n.Load.Fits(c, Load{}) && !n.Load.Fits(c, e.loadBefore(id)) {
			return n
		}
	}
	return nil
}

// retarget makes the placement, or none, the job's target, updates the nodes' loads, and returns the earlier target.
func (s *State) retarget(e editor, j *Job, p *Placement) (old *Placement) {
	old = s.Target(j.ID)
	s.count(e, j, old, -1)
	s.count(e, j, p, 1)
	switch {
	case p != nil:
		s.target.Set(j.ID, p)
	case old != nil:
		s.target.Delete(j.ID)
	}
	return old
}

// count adds the placement to the loads of its nodes, or with sign -1 subtracts it.
func (s *State) count(e editor, j *Job, p *Placement, sign int) {
	if p == nil {
		return
	}
	each := Load{}.Plus(s.counted(p.Grant), j.Spec, s.Charge(j.Spec), sign)
	for _, id := range p.Nodes {
		if id != 0 {
			e.load(id, each)
		}
	}
}

// assign gives each live task a node out of the multiset so that as many tasks as possible stay where they are.
func (s *State) assign(j *Job, multiset []NodeID) []NodeID {
	old := s.Target(j.ID)
	if s.stays(j, old, multiset) || old == nil && slices.IsSorted(multiset) && s.nowhere(j) {
		return multiset
	}
	rest := slices.Clone(multiset)
	slices.Sort(rest)
	taken := make([]int, len(rest)) // of each node, at its first place in rest
	nodes := make([]NodeID, len(j.Tasks))
	take := func(i int, n NodeID) {
		first, found := slices.BinarySearch(rest, n)
		if n == 0 || nodes[i] != 0 || !found {
			return
		}
		if next := first + taken[first]; next < len(rest) && rest[next] == n {
			nodes[i] = n
			taken[first]++
		}
	}
	for i := range j.Tasks {
		if j.Tasks[i].Phase != Done {
			take(i, s.whereabouts(j, i))
		}
	}
	for i := range j.Tasks {
		if j.Tasks[i].Phase != Done && old != nil {
			take(i, old.Nodes[i])
		}
	}
	next := 0
	for i := range j.Tasks {
		for ; j.Tasks[i].Phase != Done && nodes[i] == 0; next++ {
			take(i, rest[next])
		}
	}
	return nodes
}

// bind gives each task a processor of its node. nodes is the output of assign. If that is another order than the
// multiset, as many tasks as possible keep their processors.
func (s *State) bind(j *Job, multiset *Placement, nodes []NodeID) []CoreID {
	if multiset.Cores == nil || slices.Equal(multiset.Nodes, nodes) {
		return multiset.Cores
	}
	rest := map[NodeID][]CoreID{}
	for i, n := range multiset.Nodes {
		rest[n] = append(rest[n], multiset.Cores[i])
	}
	old, cores, bound := s.Target(j.ID), make([]CoreID, len(nodes)), make([]bool, len(nodes))
	take := func(i, at int) {
		cores[i], bound[i] = rest[nodes[i]][at], true
		rest[nodes[i]] = slices.Delete(rest[nodes[i]], at, at+1)
	}
	for i, n := range nodes {
		if old != nil && n != 0 && n == old.Nodes[i] {
			if at := slices.Index(rest[n], old.Core(i)); at >= 0 {
				take(i, at)
			}
		}
	}
	for i, n := range nodes {
		if n != 0 && !bound[i] {
			take(i, 0)
		}
	}
	return cores
}

// stays reports whether the nodes, one for each task by index, are where the job's tasks are or were to go. assign
// would then return them unchanged.
func (s *State) stays(j *Job, old *Placement, nodes []NodeID) bool {
	if old == nil || len(nodes) != len(j.Tasks) {
		return false
	}
	for i, n := range nodes {
		if at := s.whereabouts(j, i); at != n && (at != 0 || old.Nodes[i] != n) {
			return false
		}
	}
	return true
}

// nowhere reports whether all tasks of the job are live, and none is on a node or on its way to one.
func (s *State) nowhere(j *Job) bool {
	for i := range j.Tasks {
		if j.Tasks[i].Phase == Done || s.whereabouts(j, i) != 0 {
			return false
		}
	}
	return true
}

// whereabouts returns the node that the task is on its way to, or else is on; 0 means none.
func (s *State) whereabouts(j *Job, index int) NodeID {
	if m := s.Move(TaskID{j.ID, index}); m != nil && m.To != 0 {
		return m.To
	}
	return j.Tasks[index].Node
}

// tellsBroken reports whether a job goes on telling that its promise is broken, rather than what else it waits for:
// until the time that it names has come, or while it has to wait in any case.
func (s *State) tellsBroken(j *Job, why Reason) bool {
	tells := j.Why.Code == WhyBroken || j.Why.Code == WhyLate
	placed := why.Code == WhyPlaced || why.Code == WhyBackground
	p := s.PromiseTo(j.ID)
	ahead := p.early(s.Now) || len(j.Why.Values) > 0 && Time(j.Why.Values[0]) > s.Now
	return s.Format >= guards && tells && !placed && p != nil && p.Broken() && s.Target(j.ID) == nil && ahead
}
