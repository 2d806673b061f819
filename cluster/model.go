package cluster

import (
	"fmt"
)

// boundless is the free space of a Model's store, which is never short.
const boundless Bytes = 1 << 60

// Model is a state for simulations in which a plan takes no time: a decision takes effect at once, nodes are ready
// unless the simulation lets them fail, the tasks of a job start and end together, and the store has room for
// everything. It is changed in place, without commands, revisions, moves and events, so that a step of a simulation
// costs no more than the change it makes. DelayMoves makes moves take time.
//
// Policies see the same View as in a live cluster. The View has one rule of its own for a Model: Waiting may skip jobs
// that are too wide. Invariant: a State driven by commands, with all moves completed before time advances, gives the
// same view. A Model does not keep the indexes by which a live leader decides incrementally.
type Model struct {
	s        *State
	view     View
	queue    queue
	idle     []Task // shared by jobs that have not started yet
	adoption adoption
	slow     bool // moves take time: see DelayMoves
}

// NewModel returns a cluster without nodes and jobs at time zero.
func NewModel() *Model {
	s := Newest([16]byte{1}, PolicyChoice{Name: "simulated", Period: Minute})
	s.StoreFree = boundless
	m := &Model{s: s, view: View{state: s, oracle: estimates{s}, promises: newPromises()}}
	m.adoption = adoption{State: s, to: m}
	m.view.queue = &m.queue
	return m
}

// View returns the state as policies see it now. It is not a copy: it is valid until the next change.
func (m *Model) View() *View { return &m.view }

// Consult replaces the oracle of a live cluster that the view asks.
func (m *Model) Consult(o Oracle) { m.view.oracle = o }

// Condition returns which tasks the node takes, by the Model's own knowledge of it.
func (m *Model) Condition(n *Node) Condition { return estimates{m.s}.Condition(n) }

// Impossible returns why no nodes of the Model could ever run the job, or nil.
func (m *Model) Impossible(spec *Spec) *Rejection { return m.s.Impossible(spec) }

// Check verifies the invariants of the state, as State.Check does, and those of the promises.
func (m *Model) Check() error {
	if err := m.view.promises.Check(); err != nil {
		return err
	}
	s := m.s.Clone()
	s.reindex()
	return s.Check()
}

// Pass advances the time to now, which must not be before the present.
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
	return n.ID
}

// Submit adds a job, or returns why it could never run. It uses up an id in either case, so that ids count the jobs of
// a stream.
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
	m.view.promises.begin(id)
	note(s.others, id, spec.Class != StandardClass)
	s.Occasion.Submitted = append(s.Occasion.Submitted, id)
	return id, nil
}

// End ends a job and returns it as it ended. If the job had a placement, the occasion notes the end.
func (m *Model) End(id JobID) *Job {
	j := m.s.Job(id)
	if p := m.s.Target(id); p != nil {
		m.ended(p.Tier)
	}
	m.remove(j)
	j.Ended = m.s.Now
	return j
}

func (m *Model) remove(j *Job) {
	m.hold(j, nil)
	m.settleClock(j, nil)
	m.unwish(j)
	m.s.jobs.remove(j.ID)
	m.view.promises.end(j.ID, m.s.Now)
	note(m.s.others, j.ID, false)
	if m.slow {
		for i := range j.Tasks {
			m.vacate(j, i)
		}
		m.s.sort(j)
	}
}

// Stall stops a running job, or lets it continue. A stopped job keeps its placement but makes no progress.
func (m *Model) Stall(id JobID, stop bool) {
	j := m.s.Job(id)
	for i := range j.Tasks {
		j.Tasks[i].Frozen = stop
	}
	m.settleClock(j, m.s.Target(id))
}

// SetSteal sets the part of a job's share that does not count as progress from now on.
func (m *Model) SetSteal(id JobID, steal Parts) {
	j := m.s.Job(id)
	m.settleClock(j, m.s.Target(id))
	j.Clock.Steal = steal
}

// Adopt makes the decision the target and, unless moves take time, carries it out. It fails, and leaves the model
// unusable, if a job or a node cannot have what the decision gives it. In a Model that is the policy's fault.
func (m *Model) Adopt(a Adopt) error {
	m.adoption.adopt(a)
	m.adoption.conclude(a)
	m.s.Occasion, m.s.Agenda = Occasion{}, m.s.agenda(a.Alarms)
	return m.adoption.fault
}

// edit returns the job, which is changed in place.
func (m *Model) edit(id JobID) *Job { return m.s.Job(id) }

// load adds to the node's load and, unless moves take time, to its occupied memory.
func (m *Model) load(id NodeID, more Load) {
	n := m.s.Node(id)
	n.Load.add(more)
	if !m.slow {
		n.Occupied = n.Load.Memory
	}
}

// refuse forgets a job that can never run.
func (m *Model) refuse(j *Job, _ Reason) { m.remove(j) }

// kill gives up the work of a job. Unless moves take time, it starts anew at once.
func (m *Model) kill(j *Job) {
	if m.slow {
		m.s.kill(j)
		m.s.sort(j)
	}
	j.Clock = Clock{At: m.s.Now}
	m.settleClock(j, m.s.Target(j.ID))
}

// ended notes that a job ended that may have had a placement in the tier.
func (m *Model) ended(tier Tier) {
	m.s.Occasion.Ended = true
	m.s.Occasion.EndedForeground = m.s.Occasion.EndedForeground || tier == Foreground
}

// loadBefore returns an empty load: nodes of a Model do not shrink, so no load may ever exceed the node's offer.
func (m *Model) loadBefore(NodeID) Load { return Load{} }

// place sets the job's placement, or none, and moves its tasks at once unless moves take time.
func (m *Model) place(j *Job, p *Placement) {
	old := m.hold(j, p)
	switch {
	case p == nil && old == nil:
		return
	case m.slow:
		m.s.sort(j)
		return
	}
	m.enact(j, old, p)
	m.settleClock(j, p)
}

// hold makes the placement, or none, the job's target, and returns the earlier target.
func (m *Model) hold(j *Job, p *Placement) (old *Placement) {
	old = m.s.retarget(m, j, p)
	switch {
	case p != nil:
		m.queue.put(j.ID, nobody)
	case old != nil:
		m.queue.put(j.ID, int32(j.Spec.Tasks))
	}
	return old
}

// enact puts the job's tasks where the placement wants them; a nil placement saves them.
func (m *Model) enact(j *Job, old, p *Placement) {
	if j.Tasks[0].Run == 0 {
		j.Tasks = make([]Task, j.Spec.Tasks) // no longer shared
	}
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if p == nil {
			*t = Task{Phase: Saved, Run: t.Run, Image: m.s.Charge(j.Spec), Losses: t.Losses, LossesSince: t.LossesSince}
			continue
		}
		t.Node, t.Cap, t.Observed, t.Tier, t.InTier = p.Nodes[i], p.Cap, p.Cap, p.Tier, p.Tier
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
		j.Clock.Share, _ = m.s.pace(j, false)
	} else if p != nil && !j.Tasks[0].Frozen {
		j.Clock.Share = p.Cap
	}
	if j.Clock.Share == 0 {
		j.Clock.Steal = 0
	} else {
		if j.Started == 0 {
			j.Started = m.s.Now
		}
	}
}
