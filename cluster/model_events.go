package cluster

import "slices"

// What happens to a Model's nodes and jobs beside submissions, ends and decisions is told to it here. Each of these
// means what the command of that name, or the report of a node, means to a State.

// SetNode does as an operator wishes for a node: Cordon, Drain or Uncordon.
func (m *Model) SetNode(id NodeID, want NodeWish) {
	n := m.nodes[id-1]
	n.Cordoned = want != Uncordon
	if want != Cordon {
		n.Draining = want == Drain
	}
	m.s.Occasion.NodesChanged = true
}

// Fail takes a node down. The jobs with a task there lose what they hold, and the work of those tasks; they are
// returned by id. A job of which a task was lost too often ends as failed: its Ending says so.
func (m *Model) Fail(id NodeID) (lost []*Job) {
	n := m.nodes[id-1]
	n.Health, n.Since = Down, m.s.Now
	m.s.Occasion.NodesChanged = true
	for j := range m.s.Jobs() {
		if j.on(id) {
			lost = append(lost, j)
		}
	}
	for _, j := range lost {
		m.lose(j, id)
	}
	m.strand(id)
	return lost
}

// lose takes everything away from a job that had a task on a node which failed.
func (m *Model) lose(j *Job, node NodeID) {
	before := slices.Clone(j.Tasks)
	if p := m.s.Target(j.ID); p != nil {
		m.place(j, p, nil)
	}
	m.s.Occasion.Ended = true
	for i := range j.Tasks {
		if t := before[i]; t.Node == node {
			m.vacate(j, i)
			j.Tasks[i] = Task{Phase: Idle, Run: t.Run, Losses: t.Losses + 1}
			if t.Losses == maxLosses {
				j.Ending = &Ending{Outcome: Failed}
			}
		}
	}
	if j.Ending != nil {
		m.End(j.ID)
		return
	}
	m.settleClock(j, nil)
	j.Why = Reason{Job: j.ID, Code: WhyLost, Values: []int64{int64(node)}}
	if !j.Held {
		m.wish(j)
	}
	if m.slow {
		m.s.sort(j)
	}
}

// Return makes a node ready that was down.
func (m *Model) Return(id NodeID) {
	n := m.nodes[id-1]
	n.Health, n.Since = Ready, m.s.Now
	m.s.Occasion.NodesChanged = true
}

// Hold makes a job give up what it holds and keep its work. No policy sees it until its Release.
func (m *Model) Hold(id JobID) {
	j := m.s.Job(id)
	if j.Held {
		return
	}
	j.Held, j.Why = true, Reason{Job: id, Code: WhyHeld}
	if p := m.s.Target(id); p != nil {
		m.place(j, p, nil)
	}
	m.s.Occasion.Ended = true
	m.unwish(j)
}

// Release lets policies see a held job again.
func (m *Model) Release(id JobID) {
	if j := m.s.Job(id); j.Held {
		j.Held, j.Why = false, Reason{Job: id, Code: WhyNotDecided}
		m.wish(j)
	}
}

// Cancel makes a job end whose work is not done.
func (m *Model) Cancel(id JobID) {
	m.End(id)
	m.s.Occasion.Ended = true // also if it held nothing: others may wait behind it
}

// Beginning is how a job stands that came before the time at which the Model begins.
type Beginning struct {
	Age       Time       // since its submission, in microseconds
	Virtual   Time       // its virtual time, in microseconds
	Placement *Placement // what it holds, with a node for each task; nil: nothing
	Saved     bool       // it holds nothing, but has run: its images are in the store
}

// Begin makes a job, which was submitted just now and holds nothing, stand as it does. A placement for which there is
// no room, or on a node that is down, becomes none, and the job Saved.
func (m *Model) Begin(id JobID, b Beginning) {
	j := m.s.Job(id)
	j.Submitted, j.Clock.Virtual, j.Clock.At = m.s.Now-b.Age, b.Virtual, m.s.Now
	if b.Placement == nil && !b.Saved {
		return
	}
	slow := m.slow
	m.slow = false // it is there already
	defer func() {
		if m.slow = slow; slow {
			m.s.sort(j)
		}
	}()
	m.enact(j, nil, nil)
	if b.Placement == nil || m.set(&Holding{Job: id, Placement: *b.Placement}) != nil {
		return
	}
	if p := m.s.Target(id); m.fits(p.Nodes) != nil {
		m.place(j, p, nil)
		return
	}
	m.unwish(j)
}

// wish notes that the job wants a placement.
func (m *Model) wish(j *Job) {
	m.queue.put(j.ID, int32(j.Spec.Tasks))
	if at, found := slices.BinarySearch(m.s.Occasion.Submitted, j.ID); !found {
		m.s.Occasion.Submitted = slices.Insert(m.s.Occasion.Submitted, at, j.ID)
	}
}

// unwish notes that the job wants none.
func (m *Model) unwish(j *Job) {
	m.queue.put(j.ID, nobody)
	if at, found := slices.BinarySearch(m.s.Occasion.Submitted, j.ID); found {
		m.s.Occasion.Submitted = slices.Delete(m.s.Occasion.Submitted, at, at+1)
	}
}
