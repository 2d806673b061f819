package cluster

// DelayMoves makes moves take time from now on. The Model must not have jobs yet. A decision then changes only the
// target, and the tasks get there by moves, as in a State. A move takes memory on its To node when it starts, and
// releases that on its From node when it completes.
func (m *Model) DelayMoves() { m.slow = true }

// Start starts a move that the plan allows, and returns it with its id and run. A task makes no progress while it is
// being paused.
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

// Complete completes a move and puts its task where the move leads. It returns false if the move is no longer under
// way.
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
		*t = Task{Phase: Saved, Run: t.Run, Image: charge, Losses: t.Losses, LossesSince: t.LossesSince, Killed: t.Killed}
	case Stop:
		*t = Task{Phase: Idle, Run: t.Run, Losses: t.Losses, LossesSince: t.LossesSince}
	default:
		if move.Kind.Fills() {
			t.Node = move.To
		}
		t.Phase, t.Run, t.Image, t.Frozen = Running, move.Run, 0, false
		t.Cap, t.Observed, t.Tier, t.InTier = move.CPU, move.CPU, move.Tier, move.Tier
	}
	t.forsake()
	m.settleClock(j, m.s.Target(j.ID))
	m.s.sort(j)
	return true
}

// undo abandons the move of a job's task, if any. The task is as it was before the move.
func (m *Model) undo(j *Job, index int) {
	move := m.s.Move(TaskID{j.ID, index})
	if move == nil {
		return
	}
	m.s.moves.Delete(move)
	m.s.reserved -= move.Image
	j.Tasks[index].Frozen = false
	j.Tasks[index].forsake()
	if move.Kind.Fills() {
		m.occupy(move.To, -m.s.Charge(j.Spec))
	}
}

// vacate removes the VM of a job's task from its node, and abandons its move.
func (m *Model) vacate(j *Job, index int) {
	m.undo(j, index)
	if t := &j.Tasks[index]; t.Node != 0 {
		m.occupy(t.Node, -m.s.Charge(j.Spec))
		t.Node = 0
	}
}

// strand abandons the moves to a failed node. Their jobs lose their placement, even if they lost no task, and must be
// placed anew.
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
		if m.s.Target(j.ID) != nil {
			m.place(j, nil)
			j.Why = Reason{Job: j.ID, Code: WhyLost, Values: []int64{int64(node)}}
			m.wish(j)
		}
		m.s.sort(j)
	}
}

func (m *Model) occupy(node NodeID, charge Bytes) { m.s.Node(node).Occupied += charge }
