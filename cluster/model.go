package cluster

import (
	"fmt"
	"slices"
)

// boundless is the free space of a Model's store, which is never short.
const boundless Bytes = 1 << 60

// Model is a state for simulations in which a plan takes no time: what is adopted is so at once, nodes are ready unless
// the simulation lets them fail, tasks of a job start and end together, and the store has room for everything. It is
// changed in place, without commands, revisions, moves and events, so that a step of a simulation costs no more than
// what it changes.
//
// Policies see the same View as in a live cluster, and the View has no rule of its own for a
// Model. Invariant: a State driven by commands, with all moves completed before time goes on,
// gives the same view. A Model keeps no index of what a live leader decides incrementally by.
type Model struct {
	s     *State
	view  View
	queue queue
	nodes []*Node // by id, from 1
	count []int   // by node, all zero between calls
	idle  []Task  // what jobs that have not started yet share
	slow  bool    // moves take time: see Tarry
}

// NewModel returns a cluster without nodes and jobs at time zero.
func NewModel() *Model {
	s := Newest([16]byte{1}, PolicyChoice{Name: "simulated", Period: Minute})
	s.StoreFree = boundless
	m := &Model{s: s, view: View{state: s, oracle: estimates{s}}}
	m.view.queue = &m.queue
	return m
}

// View is the state as policies see it now. It is not a copy: it is good until the next change.
func (m *Model) View() *View { return &m.view }

// Consult makes the view ask another oracle than that of a live cluster.
func (m *Model) Consult(o Oracle) { m.view.oracle = o }

// Condition is what may be placed on the node by what is known of it.
func (m *Model) Condition(n *Node) Condition { return estimates{m.s}.Condition(n) }

// Impossible says why no nodes of the Model could ever run the job, or nil.
func (m *Model) Impossible(spec *Spec) *Rejection { return m.s.Impossible(spec) }

// Check verifies the invariants of the state, as State.Check does.
func (m *Model) Check() error {
	s := m.s.Clone()
	s.reindex()
	return s.Check()
}

// Pass lets time go on to now, which is not before the present.
func (m *Model) Pass(now Time) {
	if now < m.view.At {
		panic(fmt.Sprintf("cluster: time goes back from %d to %d", m.view.At, now))
	}
	m.s.Now, m.view.At = now, now
}

// Join adds a node that is ready.
func (m *Model) Join(name string, d Description) NodeID {
	s := m.s
	n := &Node{ID: s.NextNode, Name: name, Description: d, FenceAlive: true, StoreProven: true, Since: s.Now}
	s.NextNode++
	s.nodes.put(n)
	s.overhead = max(s.overhead, d.Overhead)
	s.Occasion.NodesChanged = true
	m.nodes, m.count = append(m.nodes, n), append(m.count, 0)
	return n.ID
}

// Submit adds a job, or says why it could never run. Either way its id is taken, so that
// ids count the jobs of a stream.
func (m *Model) Submit(spec *Spec) (JobID, *Rejection) {
	s := m.s
	id := s.NextJob
	s.NextJob++
	if r := spec.Validate(); r != nil {
		return id, r
	}
	if r := s.Impossible(spec); r != nil {
		return id, r
	}
	if len(m.idle) < spec.Tasks {
		m.idle = make([]Task, spec.Tasks)
	}
	tasks := m.idle[:spec.Tasks:spec.Tasks]
	if m.slow {
		tasks = make([]Task, spec.Tasks)
	}
	s.jobs.put(&Job{ID: id, Spec: spec, Submitted: s.Now, Tasks: tasks, Why: Reason{Job: id, Code: WhyNotDecided}})
	m.queue.put(id, int32(spec.Tasks))
	s.Occasion.Submitted = append(s.Occasion.Submitted, id)
	return id, nil
}

// End makes a job end, which makes room for others if it held something, and returns it as it ended.
func (m *Model) End(id JobID) *Job {
	j := m.s.Job(id)
	if m.s.Target(id) != nil {
		m.s.Occasion.Ended = true
	}
	m.remove(j)
	j.Ended = m.s.Now
	return j
}

func (m *Model) remove(j *Job) {
	m.hold(j, m.s.Target(j.ID), nil)
	m.settleClock(j, nil)
	m.unwish(j)
	m.s.jobs.remove(j.ID)
	if m.slow {
		for i := range j.Tasks {
			m.vacate(j, i)
		}
		m.s.sort(j)
	}
}

// Stall stops a running job, which keeps what it holds but makes no progress, or lets it go on.
func (m *Model) Stall(id JobID, stop bool) {
	j := m.s.Job(id)
	for i := range j.Tasks {
		j.Tasks[i].Frozen = stop
	}
	m.settleClock(j, m.s.Target(id))
}

// SetSteal makes that part of what a job holds not count as progress from now on.
func (m *Model) SetSteal(id JobID, steal Parts) {
	j := m.s.Job(id)
	m.settleClock(j, m.s.Target(id))
	j.Clock.Steal = steal
}

// Adopt makes the decision the target, and actual. It fails, and leaves the model unusable, if
// the decision gives a job or a node what it cannot have: in a model that is the policy's fault.
func (m *Model) Adopt(a Adopt) error {
	for _, refusal := range a.Refuse {
		if j := m.s.Job(refusal.Job); j != nil {
			m.remove(j)
		}
	}
	for _, why := range a.Why {
		if j := m.s.Job(why.Job); j != nil {
			j.Why = why
		}
	}
	for _, id := range a.Drop {
		m.place(m.s.Job(id), m.s.Target(id), nil)
	}
	for i := range a.Set {
		if err := m.set(&a.Set[i]); err != nil {
			return err
		}
	}
	for i := range a.Set {
		if err := m.fits(a.Set[i].Placement.Nodes); err != nil {
			return err
		}
	}
	m.s.Occasion, m.s.Agenda = Occasion{}, NewAgenda(a.Alarms)
	return nil
}

// set gives a job what the decision wants for it.
func (m *Model) set(h *Holding) error {
	j, p := m.s.Job(h.Job), h.Placement
	switch {
	case j == nil:
		return fmt.Errorf("%v is placed, but there is no such job", h.Job)
	case len(p.Nodes) != j.Live():
		return fmt.Errorf("%v is placed on %d nodes for its %d tasks", h.Job, len(p.Nodes), j.Live())
	case p.CPU < 1 || p.CPU > j.Spec.Need:
		return fmt.Errorf("%v is to get %v for each task, which needs %v", h.Job, p.CPU, j.Spec.Need)
	}
	for _, n := range p.Nodes {
		if n < 1 || int(n) > len(m.nodes) {
			return fmt.Errorf("%v is placed on node %d, which does not exist", h.Job, n)
		}
		if m.nodes[n-1].Health == Down {
			return fmt.Errorf("%v is placed on node %s, which is down", h.Job, m.nodes[n-1].Name)
		}
	}
	old := m.s.Target(j.ID)
	p.Nodes = m.indexed(j, old, p.Nodes)
	m.place(j, old, &p)
	return nil
}

// indexed names the node of each task, such that as many tasks as possible stay.
func (m *Model) indexed(j *Job, old *Placement, nodes []NodeID) []NodeID {
	switch {
	case m.slow: // its tasks may be elsewhere than the target wants them
	case old == nil && slices.IsSorted(nodes):
		return nodes
	case old != nil && m.same(nodes, old.Nodes):
		return old.Nodes
	}
	return m.s.assign(j, nodes)
}

// same tells whether two lists hold the same nodes, each equally often.
func (m *Model) same(a, b []NodeID) bool {
	if slices.Equal(a, b) {
		return true
	}
	for _, n := range a {
		m.count[n-1]++
	}
	for _, n := range b {
		m.count[n-1]--
	}
	differ := 0
	for _, list := range [][]NodeID{a, b} {
		for _, n := range list {
			differ |= m.count[n-1]
			m.count[n-1] = 0
		}
	}
	return differ == 0
}

// place gives the job a placement, or none, instead of the old one and makes it so.
func (m *Model) place(j *Job, old, p *Placement) {
	m.hold(j, old, p)
	if m.slow {
		m.s.sort(j)
		return
	}
	if p != nil || old != nil {
		m.enact(j, old, p)
		m.settleClock(j, p)
	}
}

// hold makes the placement the job's target instead of the old one.
func (m *Model) hold(j *Job, old, p *Placement) {
	m.add(j, old, -1)
	m.add(j, p, 1)
	if p != nil {
		m.s.target.Set(j.ID, p)
		m.queue.put(j.ID, nobody)
	} else if old != nil {
		m.s.target.Delete(j.ID)
		m.queue.put(j.ID, int32(j.Spec.Tasks))
	}
}

// add adds the placement to the loads of its nodes, or with sign -1 takes it away.
func (m *Model) add(j *Job, p *Placement, sign int) {
	if p == nil {
		return
	}
	need, share, charge := CPU(sign)*j.Spec.Need, CPU(sign)*p.CPU, Bytes(sign)*m.s.Charge(j.Spec)
	for _, id := range p.Nodes {
		n := m.nodes[id-1]
		n.Load.Need += need
		n.Load.Share += share
		n.Load.Memory += charge
		n.Load.Tasks += sign
		if !m.slow {
			n.Occupied += charge
		}
	}
}

// enact brings the job's tasks to where the placement wants them.
func (m *Model) enact(j *Job, old, p *Placement) {
	if j.Tasks[0].Run == 0 {
		j.Tasks = make([]Task, j.Spec.Tasks) // no longer shared
	}
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if p == nil {
			*t = Task{Phase: Saved, Run: t.Run, Image: m.s.Charge(j.Spec), Losses: t.Losses}
			continue
		}
		t.Node, t.Cap, t.Observed, t.Tier, t.InTier = p.Nodes[i], p.CPU, p.CPU, p.Tier, p.Tier
		if old == nil {
			t.Phase, t.Image, t.Run = Running, 0, max(t.Run, 1)
		}
	}
}

// settleClock integrates the job's virtual time up to now and takes its new rate.
func (m *Model) settleClock(j *Job, p *Placement) {
	j.Clock = j.Clock.at(m.s.Now, j.Spec.Need)
	j.Clock.At, j.Clock.Share = m.s.Now, 0
	if m.slow {
		j.Clock.Share, _ = j.pace(false)
	} else if p != nil && !j.Tasks[0].Frozen {
		j.Clock.Share = p.CPU
	}
	if j.Clock.Share == 0 {
		j.Clock.Steal = 0
	} else {
		if j.Started == 0 {
			j.Started = m.s.Now
		}
	}
}

// fits fails if one of the nodes is promised more than it has.
func (m *Model) fits(nodes []NodeID) error {
	for _, id := range nodes {
		n := m.nodes[id-1]
		if c := n.Capacity(); n.Load.Memory > c.Memory || n.Load.Share > c.CPU {
			return fmt.Errorf("node %s is to give %v and %v, but has %v and %v", n.Name, n.Load.Share, n.Load.Memory, c.CPU, c.Memory)
		}
	}
	return nil
}
