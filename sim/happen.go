package sim

import (
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/workload"
)

// CheckEvents returns an error for an event that cannot happen to these nodes and jobs: its node or job does not exist,
// its job has not been submitted by then, or its job would be held forever.
func CheckEvents(events []workload.Event, nodes []Node, jobs []workload.Job) error {
	submitted := map[int64]cluster.Time{}
	if len(events) > 0 {
		for _, j := range jobs {
			submitted[j.ID] = j.Submit
		}
	}
	held := map[int64]workload.Event{}
	for _, e := range events {
		at, known := submitted[e.Job]
		switch {
		case e.Kind.AboutNode() && !slices.ContainsFunc(nodes, func(n Node) bool { return n.Name == e.Node }):
			return fmt.Errorf("%v: there is no node of that name: the %d nodes are named %s", e, len(nodes), namesOf(nodes))
		case e.Kind.AboutNode():
		case !known:
			return fmt.Errorf("%v: the stream has no job of that id", e)
		case e.At < at:
			return fmt.Errorf("%v: at %g s, but the job is submitted at %g s only", e, e.At.Seconds(), at.Seconds())
		case e.Kind == workload.JobHeld:
			held[e.Job] = e
		default:
			delete(held, e.Job)
		}
	}
	for _, e := range events {
		if h, forever := held[e.Job]; forever && h == e {
			return fmt.Errorf("%v: it is held forever: add a line that releases or cancels it later", e)
		}
	}
	return nil
}

// namesOf names all nodes in a few words, for a message.
func namesOf(nodes []Node) string {
	if len(nodes) == 1 {
		return nodes[0].Name
	}
	return fmt.Sprintf("%s to %s", nodes[0].Name, nodes[len(nodes)-1].Name)
}

// expect prepares for the stream's events.
func (m *simulation) expect() {
	if len(m.Events) == 0 {
		return
	}
	m.ids = map[int64]cluster.JobID{}
	for i, j := range m.jobs {
		m.ids[j.ID] = cluster.JobID(i + 1)
	}
	if slices.ContainsFunc(m.Events, func(e workload.Event) bool { return e.Kind == workload.NodeSpeeds }) {
		m.speeds = slices.Repeat([]cluster.Parts{cluster.Whole}, len(m.Nodes)+1)
	}
}

// happen applies an event of the stream. An event of a job that has ended changes nothing.
func (m *simulation) happen(e *workload.Event) {
	if e.Kind.AboutNode() {
		n := slices.IndexFunc(m.Nodes, func(n Node) bool { return n.Name == e.Node })
		m.happenTo(m.view.Node(cluster.NodeID(n+1)), e)
		return
	}
	r := m.runs[m.ids[e.Job]-1]
	switch {
	case r == nil:
	case e.Kind == workload.JobCancels:
		m.stop(r, cluster.Cancelled)
	default:
		m.keep(r, e.Kind == workload.JobHeld)
	}
}

// happenTo applies an event to a node.
func (m *simulation) happenTo(n *cluster.Node, e *workload.Event) {
	usable := m.usable(n)
	switch e.Kind {
	case workload.NodeDrains:
		m.model.SetNode(n.ID, cluster.Drain)
	case workload.NodeFails:
		if n.Health == cluster.Down {
			return
		}
		m.tell(0, Event{Kind: Fails, Node: n.ID})
		for _, j := range m.model.Fail(n.ID) {
			m.kill(m.runs[j.ID-1], n.ID)
		}
	case workload.NodeReturns:
		m.model.Return(n.ID)
		m.model.SetNode(n.ID, cluster.Uncordon)
	case workload.NodeSpeeds:
		m.speeds[n.ID] = e.Speed
	}
	m.offer += m.usable(n) - usable
	if e.Kind != workload.NodeFails {
		m.tell(0, Event{Kind: nodeEvents[e.Kind], Node: n.ID, Speed: e.Speed})
	}
}

var nodeEvents = map[workload.EventKind]EventKind{
	workload.NodeDrains: Drains, workload.NodeReturns: Returns, workload.NodeSpeeds: Speeds,
}

// usable returns the CPU of the node that jobs can use.
func (m *simulation) usable(n *cluster.Node) cluster.CPU {
	if m.model.Condition(n) == cluster.NodeLeaving {
		return 0
	}
	return n.Capacity().CPU
}

// kill handles the failure of a run's node. The run's work begins anew, unless its job has ended: because it fails on
// loss, or was lost too often.
func (m *simulation) kill(r *run, n cluster.NodeID) {
	m.close(r)
	m.rest(r)
	r.Kills++
	m.enter(r, r.held, -1)
	r.held, r.begun, r.anew, r.base = nil, false, false, r.job.Clock.Virtual
	m.tell(r.job.ID, Event{Kind: Killed, Node: n})
	if r.job.Ending != nil {
		m.finish(r, cluster.Failed)
	}
}

// rest stops a run's progress and removes its foreseen end.
func (m *simulation) rest(r *run) {
	r.finish, r.paid = never, never
	m.goes(r, false)
	m.queue.update(r)
}

// stop ends a run before its work is done.
func (m *simulation) stop(r *run, why cluster.Outcome) {
	m.close(r)
	m.rest(r)
	m.model.Cancel(r.job.ID)
	m.finish(r, why)
}

// finish records that a run has ended before its work is done.
func (m *simulation) finish(r *run, why cluster.Outcome) {
	r.Ended = m.now
	m.result.Stopped = append(m.result.Stopped, Stopped{r.Outcome, why, false})
	m.leave(r)
	m.tell(r.job.ID, Event{Kind: Stops, Outcome: why})
	m.concluded(r.ID, false)
}

// keep puts a run's job on hold, or releases it.
func (m *simulation) keep(r *run, hold bool) {
	if r.job.Held == hold {
		return
	}
	m.touch(r)
	if hold {
		m.model.Hold(r.job.ID)
		m.demand -= r.wants()
		m.tell(r.job.ID, Event{Kind: Holds})
		return
	}
	m.model.Release(r.job.ID)
	m.demand += r.wants()
	m.tell(r.job.ID, Event{Kind: Releases})
}

// begun puts a job that existed before the stream into its initial position.
func (m *simulation) begun(r *run) {
	b, before := m.Initials[r.ID]
	if !before {
		return
	}
	m.model.Begin(r.job.ID, b.Beginning)
	r.base = b.Virtual
	r.held = m.view.Target(r.job.ID)
	m.enter(r, r.held, 1)
	if r.held != nil || b.Saved || b.Placement != nil {
		r.begun, r.Started, r.since = true, m.now, m.now
	}
	if m.goes(r, r.held != nil); r.held != nil {
		m.tier(r, nil)
		m.foresee(r)
	}
}
