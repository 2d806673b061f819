package cluster

import "slices"

// The methods of this file tell a Model about events other than submissions, ends and decisions. Each has the effect
// that the command of that name, or the report of a node, has on a State.

// SetNode cordons, drains or uncordons a node.
func (m *Model) SetNode(id NodeID, want NodeWish) {
	n := m.s.Node(id)
	n.Cordoned = want != Uncordon
	if want != Cordon {
		n.Draining = want == Drain
	}
	m.s.Occasion.NodesChanged = true
}

// Fail takes a node down. It returns, by id, the jobs with a task there. They lose their placement, and the work of
// those tasks. A job that fails on loss, or with a task that was lost too often, ends with the outcome Failed in its
// Ending.
func (m *Model) Fail(id NodeID) (lost []*Job) {
	n := m.s.Node(id)
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

// lose removes the placement of a job that had a task on a failed node, and the work of its tasks there.
func (m *Model) lose(j *Job, node NodeID) {
	before := slices.Clone(j.Tasks)
	m.place(j, nil)
	m.ended(Foreground)
	for i := range j.Tasks {
		if t := before[i]; t.Node == node {
			m.vacate(j, i)
			j.Tasks[i] = Task{Phase: Idle, Run: t.Run, Losses: t.Losses, LossesSince: t.LossesSince}
			m.s.countLoss(&j.Tasks[i])
			if j.Spec.FailOnLoss || j.Tasks[i].Losses > maxLosses {
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

// Return makes a node that was down ready.
func (m *Model) Return(id NodeID) {
	n := m.s.Node(id)
	n.Health, n.Since = Ready, m.s.Now
	m.s.Occasion.NodesChanged = true
}

// Hold removes a job's placement and keeps its work. No policy sees the job until its Release.
func (m *Model) Hold(id JobID) {
	j := m.s.Job(id)
	if j.Held {
		return
	}
	j.Held, j.Why = true, Reason{Job: id, Code: WhyHeld}
	m.place(j, nil)
	m.ended(Foreground)
	m.unwish(j)
}

// Release lets policies see a held job again.
func (m *Model) Release(id JobID) {
	if j := m.s.Job(id); j.Held {
		j.Held, j.Why = false, Reason{Job: id, Code: WhyNotDecided}
		m.wish(j)
	}
}

// Cancel ends a job before its work is done.
func (m *Model) Cancel(id JobID) {
	m.End(id)
	m.ended(Foreground) // also if it held nothing: others may wait behind it
}

// Beginning is the initial condition of a job that was submitted before the Model's time begins.
type Beginning struct {
	Age       Time       // since its submission, in microseconds
	Virtual   Time       // its virtual time, in microseconds
	Placement *Placement // with a node for each task; nil: none
	Saved     bool       // it has no placement but has run: its images are in the store
}

// Begin puts a job, which was submitted just now and has no placement, into its initial condition. If there is no room
// for the placement, or one of its nodes is down, the job becomes Saved without a placement.
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
	if b.Placement == nil {
		return
	}
	if m.adoption.adopt(Adopt{Set: []Holding{{id, *b.Placement}}}); m.adoption.fault != nil {
		m.place(j, nil)
		return
	}
	m.unwish(j)
}

// wish notes that the job wants a placement.
func (m *Model) wish(j *Job) {
	m.queue.put(j.ID, int32(j.Spec.Tasks))
	m.s.wish(j.ID)
}

// unwish notes that the job wants none.
func (m *Model) unwish(j *Job) {
	m.queue.put(j.ID, nobody)
	m.s.unwish(j.ID)
}
