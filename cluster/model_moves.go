package cluster

// Tarry makes moves take time from now on, in a Model that has no jobs yet: what is adopted is the target alone, and
// the tasks get there by moves, as in a State. A move takes the memory of its To node when it starts, and gives up that
// of its From node when it is complete.
func (m *Model) Tarry() { m.slow = true }

// Start starts a move that the plan says may start, and returns it as it is under way. A task that is paused stands
// still.
func (m *Model) Start(move Move) *Move {
	s := m.s
	j := s.Job(move.Task.Job)
	t := &j.Tasks[move.Task.Index]
	move.ID, move.Started, move.Run = s.NextMove, s.Now, t.Run
	s.NextMove++
	switch move.Kind {
	case Start:
		move.Run++
	case Pause:
		move.Image = s.Charge(j.Spec)
		s.reserved += move.Image
		t.Frozen = true
	}
	if move.Kind.Fills() {
		m.occupy(move.To, s.Charge(j.Spec))
	}
	s.moves.ReplaceOrInsert(&move)
	m.settleClock(j, nil)
	return &move
}

// Complete ends a move as its task is where and as it was to be, unless the move has become pointless: then it says so.
func (m *Model) Complete(move *Move) (done bool) {
	if m.s.Move(move.Task) != move {
		return false
	}
	j := m.s.Job(move.Task.Job)
	t, charge := &j.Tasks[move.Task.Index], m.s.Charge(j.Spec)
	m.s.moves.Delete(move)
	m.s.reserved -= move.Image
	if move.Kind.Frees() {
		m.occupy(move.From, -charge)
	}
	switch move.Kind {
	case Pause:
		*t = Task{Phase: Saved, Run: t.Run, Image: charge, Losses: t.Losses}
	case Stop:
		*t = Task{Phase: Idle, Run: t.Run, Losses: t.Losses}
	default:
		if move.Kind.Fills() {
			t.Node = move.To
		}
		t.Phase, t.Run, t.Image, t.Frozen = Running, move.Run, 0, false
		t.Cap, t.Observed, t.Tier, t.InTier = move.CPU, move.CPU, move.Tier, move.Tier
	}
	m.settleClock(j, m.s.Target(j.ID))
	m.s.sort(j)
	return true
}

// undo gives up the moves of a job's task, which stays as it was before.
func (m *Model) undo(j *Job, index int) {
	move := m.s.Move(TaskID{j.ID, index})
	if move == nil {
		return
	}
	m.s.moves.Delete(move)
	m.s.reserved -= move.Image
	j.Tasks[index].Frozen = false
	if move.Kind.Fills() {
		m.occupy(move.To, -m.s.Charge(j.Spec))
	}
}

// vacate takes what there is of a job's task off its node, and gives up its move.
func (m *Model) vacate(j *Job, index int) {
	m.undo(j, index)
	if t := &j.Tasks[index]; t.Node != 0 {
		m.occupy(t.Node, -m.s.Charge(j.Spec))
		t.Node = 0
	}
}

// strand gives up the moves to a node that fails. Their jobs, which may have lost nothing, are to be placed anew.
func (m *Model) strand(node NodeID) {
	var stranded []*Move
	for move := range m.s.Moves() {
		if move.To == node {
			stranded = append(stranded, move)
		}
	}
	for _, move := range stranded {
		j := m.s.Job(move.Task.Job)
		m.undo(j, move.Task.Index)
		if p := m.s.Target(j.ID); p != nil {
			m.place(j, p, nil)
			j.Why = Reason{Job: j.ID, Code: WhyLost, Values: []int64{int64(node)}}
			m.wish(j)
		}
		m.s.sort(j)
	}
}

func (m *Model) occupy(node NodeID, charge Bytes) { m.nodes[node-1].Occupied += charge }
