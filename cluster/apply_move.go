package cluster

import "fmt"

// quarantineAfter is the number of failed moves in a row after which a task is left alone for quarantineFor. A move
// that failed on a node without the store does not bring a task there: it is retried after storeBackOff.
const (
	quarantineAfter = 3
	quarantineFor   = 10 * Minute
	firstBackOff    = 2 * Second
	storeBackOff    = 30 * Second
)

func (a StartMoves) apply(t *transaction) Result {
	started, rival := 0, NodeID(0)
	for _, m := range a.Moves {
		switch {
		case !t.startable(m):
		case m.Kind.Relocates() && t.Contested(m.Task) != 0:
			rival = t.Contested(m.Task)
		default:
			t.start(m)
			started++
		}
	}
	switch {
	case started > 0:
		return Result{}
	case rival != 0:
		return reject(CodeConflict, "", "%s", t.contention(rival))
	default:
		return reject(CodeStaleBasis, "", "none of the moves can start any more")
	}
}

// contention returns the explanation for a task that waits because the node may still have a copy of its VM.
func (t *transaction) contention(node NodeID) string {
	return fmt.Sprintf("the task waits until node %s has destroyed its copy of the VM or is known to be down",
		t.Node(node).Name)
}

// startable reports whether the move fits the present state: its task has no move under way and is in the phase that
// the move begins with, and its target node and the store have room.
func (t *transaction) startable(m Move) bool {
	j := t.Job(m.Task.Job)
	if j == nil || m.Task.Index < 0 || m.Task.Index >= len(j.Tasks) || t.Move(m.Task) != nil {
		return false
	}
	task := &j.Tasks[m.Task.Index]
	switch m.Kind {
	case Start:
		return task.Phase == Idle && j.Schedulable() && t.admits(j, m)
	case Resume:
		return task.Phase == Saved && j.Schedulable() && t.admits(j, m)
	case Migrate:
		return task.Phase == Running && task.Node == m.From && m.From != m.To && t.admits(j, m)
	case Pause:
		return task.Phase == Running && task.Node == m.From && t.StoreRoom() >= t.Charge(j.Spec)
	case Resize:
		return task.Present() && task.Node == m.From && m.CPU >= 1
	case Stop:
		return task.Present() && task.Node == m.From
	}
	return false
}

// admits reports whether the move's To node is reachable, its VMs are known, and it has the memory now.
func (t *transaction) admits(j *Job, m Move) bool {
	n := t.Node(m.To)
	return n != nil && n.Reachable() && n.Awaited == 0 && m.CPU >= 1 && n.Occupied+t.Charge(j.Spec) <= n.Capacity().Memory
}

func (t *transaction) start(m Move) {
	j := t.edit(m.Task.Job)
	task := &j.Tasks[m.Task.Index]
	m.ID, m.Started, m.Aborted, m.Abort = t.NextMove, t.Now, false, nil
	t.NextMove++
	m.Run = task.Run
	switch m.Kind {
	case Start:
		m.Run++
	case Pause:
		m.Image = t.Charge(j.Spec)
		t.reserved += m.Image
	case Resize:
		task.Cap, task.Tier = m.CPU, m.Tier
	}
	if m.Kind.Fills() {
		t.occupy(m.To, t.Charge(j.Spec))
		if m.Kind == Start { // no other node was given this run
			task.Given = nil
		}
		t.giveTo(task, m.To)
	}
	t.moves.ReplaceOrInsert(&m)
	t.emitMove(map[MoveKind]EventKind{
		Start: TaskStarting, Stop: TaskStopping, Pause: TaskPausing, Resume: TaskResuming, Migrate: TaskMigrating,
	}[m.Kind], &m, Cause{})
}

// giveTo records that the task's run is given to the node. Nothing is known of a run from before Format 3 but where it
// is now.
func (t *transaction) giveTo(task *Task, node NodeID) {
	if t.Format < handsOut {
		return
	}
	if task.Given == nil && task.Present() {
		task.Given = task.Given.and(task.Node)
	}
	task.Given = task.Given.and(node)
}

// emitMove emits an event about a move; a kind of "" is none.
func (t *transaction) emitMove(kind EventKind, m *Move, cause Cause) {
	if kind == "" {
		return
	}
	e := Event{
		Kind: kind, Job: m.Task.Job, Task: m.Task.Index, Run: m.Run, Node: m.To, From: m.From, CPU: m.CPU, Tier: m.Tier,
		Cause: cause,
	}
	if e.Node == 0 {
		e.Node, e.From = m.From, 0
	}
	t.emit(e)
}

// occupy adds to the memory that VMs and moves under way take from a node.
func (t *transaction) occupy(id NodeID, charge Bytes) { t.editNode(id).Occupied += charge }

// complete ends a move that succeeded, and frees the memory and the store space that it releases.
func (t *transaction) complete(j *Job, m *Move) {
	t.moves.Delete(m)
	t.reserved -= m.Image
	if m.Kind.Frees() {
		t.occupy(m.From, -t.Charge(j.Spec))
	}
	task := &j.Tasks[m.Task.Index]
	task.Attempts, task.RetryAt, task.Avoid, task.Trouble = 0, 0, 0, nil
	if m.Kind == Resume || m.Kind == Migrate {
		t.noteMoved(j, m)
	}
}

// noteMoved records that the job was resumed or migrated. Moves of its tasks that overlap in time count as one
// rescheduling.
func (t *transaction) noteMoved(j *Job, m *Move) {
	if t.Format < countsMoves {
		return
	}
	if j.Moves == 0 || m.Started > j.Moved {
		j.Moves++
	}
	j.Moved = t.Now
}

// undo ends a move that failed or is pointless, and frees what it took. The task is unchanged.
func (t *transaction) undo(j *Job, m *Move) {
	t.moves.Delete(m)
	t.reserved -= m.Image
	if m.Kind.Fills() {
		t.occupy(m.To, -t.Charge(j.Spec))
	}
	j.Tasks[m.Task.Index].forsake()
}

func (a AbortMove) apply(t *transaction) Result {
	m := t.Move(a.Task)
	if m == nil || m.ID != a.Move {
		return reject(CodeNotFound, "", "move %d of %v is not under way", a.Move, a.Task)
	}
	if !m.Aborted {
		aborted := *m
		aborted.Aborted = true
		cause := a.Cause.from(WhyGivenUp)
		if t.Format >= blamesMoves {
			aborted.Abort = &cause
		}
		t.moves.ReplaceOrInsert(&aborted)
		t.emitMove(MoveFailed, m, cause)
	}
	return Result{}
}

// failMove ends a move that failed and sets the time of the next attempt. The back-off doubles with each failure in a
// row, up to a limit; from quarantineAfter failures on it is at least quarantineFor.
func (t *transaction) failMove(j *Job, m *Move, cause Cause) {
	t.undo(j, m)
	task := &j.Tasks[m.Task.Index]
	excused := m.Kind.Fills() && !t.Node(m.To).StoreProven
	if !excused || task.Attempts < quarantineAfter-1 {
		task.Attempts++
	}
	pause := firstBackOff << min(task.Attempts-1, 8)
	if excused {
		pause = max(pause, storeBackOff)
	}
	t.emitMove(MoveFailed, m, cause.from(WhyMove, int64(m.Kind)))
	t.blame(task, m, cause)
	if m.Kind == Migrate {
		t.condemn(m.To, RunID{m.Task.Job, m.Task.Index, m.Run}) // it goes on at the source
		t.awaitReport(t.editNode(m.To))
	}
	if task.Attempts >= quarantineAfter {
		pause = max(pause, quarantineFor)
		t.emitMove(TaskQuarantined, m, Because(WhyLeftAlone, int64(task.Attempts), int64(pause/Second)))
	}
	task.RetryAt = t.Now + pause
	why := Reason{Job: j.ID, Code: WhyRetry, Values: []int64{int64(task.Attempts), int64(pause / Second)}}
	switch {
	case j.Ending != nil:
		task.RetryAt = 0
		if m.Kind == Stop {
			task.RetryAt = t.Now + pause
		}
	case m.Kind == Start || m.Kind == Resume:
		task.Avoid = m.To
		t.unplace(j, why)
	case task.Attempts >= quarantineAfter:
		t.stay(j, why)
	}
	if m.Kind == Start {
		task.Run = m.Run
	}
	if j.Ending != nil && !task.Present() {
		t.finishTask(j, m.Task.Index)
		t.finishJob(j)
	}
}

// blame records why the task's move failed. An aborted one failed because of that, whatever its node says.
func (t *transaction) blame(task *Task, m *Move, cause Cause) {
	if t.Format < blamesMoves {
		return
	}
	if m.Abort != nil {
		cause = *m.Abort
	}
	trouble := cause.from(WhyMove, int64(m.Kind))
	task.Trouble = &trouble
}

// unplace takes the job's placement away and asks for a new one.
func (t *transaction) unplace(j *Job, why Reason) {
	if !j.Schedulable() {
		return
	}
	j.Why = why
	if p := t.Target(j.ID); p != nil {
		t.place(j, nil)
		t.markFreed(p)
		t.emitJob(JobUnplaced, j.ID, Cause{Why: []Reason{why}})
	}
	t.wish(j.ID)
}

// stay makes the job's present place its target, so that the next decision takes it into account and it blocks no other
// job's moves. A job that was to be paused stays only if all its live tasks are on a node
// or on their way to one.
func (t *transaction) stay(j *Job, why Reason) {
	next := &Placement{Grant: Foreground.Grant(j.Spec.Need), Nodes: make([]NodeID, len(j.Tasks))}
	p := t.Target(j.ID)
	if p != nil {
		next.Grant = p.Grant
	}
	for i := range j.Tasks {
		task := &j.Tasks[i]
		switch node := t.whereabouts(j, i); {
		case task.Phase == Done:
		case node != 0:
			next.Nodes[i] = node
		case p == nil:
			return
		default:
			next.Nodes[i] = p.Nodes[i]
		}
		if p == nil && task.Present() {
			next.Grant = task.Tier.Grant(min(next.Cap, task.Cap))
		}
	}
	next.Cores = p.kept(next.Nodes)
	if !j.Held {
		j.Why = why
		t.place(j, next)
		t.markNodesChanged()
	}
}
