package cluster

import "slices"

func (a Report) apply(t *transaction) Result {
	if n := t.Node(a.Node); n == nil || n.Absent {
		return reject(CodeNotFound, "", "there is no node %d", a.Node)
	}
	if n := t.Node(a.Node); a.Joined != 0 && a.Joined < n.Joined {
		return reject(CodeConflict, "", "node %s has connected again since it sent this report", n.Name)
	}
	n := t.editNode(a.Node)
	if n.Foreign != a.Foreign || n.StoreProven != a.StoreProven || n.Astray != a.Astray {
		t.markNodesChanged()
	}
	n.Astray = a.Astray
	n.Foreign, n.FenceAlive, n.StoreProven = a.Foreign, a.FenceAlive, a.StoreProven
	if n.Awaited != 0 && (a.Revision >= n.Awaited || a.Revision == 0) {
		n.Awaited = 0
		t.markNodesChanged()
	}
	t.hearOfHypervisor(n, a.HypervisorSilent)
	t.measureStore(a)
	for _, o := range a.Observations {
		t.observe(a.Node, o)
	}
	return Result{}
}

// hearOfHypervisor records whether the node's hypervisor answers.
func (t *transaction) hearOfHypervisor(n *Node, silent bool) {
	if n.HypervisorSilent == silent {
		return
	}
	n.HypervisorSilent = silent
	t.markNodesChanged()
	if !silent {
		t.emitNode(NodeHypervisorBack, n.ID, Cause{})
		return
	}
	t.emitNode(NodeHypervisorSilent, n.ID, Cause{})
	t.divert(n, WhyNoAnswer)
}

// divert takes their placement from the jobs that were to start or resume on a node that cannot be reached, because no
// report says that they failed to.
func (t *transaction) divert(n *Node, why ReasonCode) {
	for _, j := range slices.Collect(t.heldAt(n.ID)) {
		if t.awaits(j, n.ID) {
			t.unplace(t.edit(j.ID), Reason{Job: j.ID, Code: why, Values: []int64{int64(n.ID)}})
		}
	}
}

// awaits reports whether the job has a task without a VM that is to come to the node and is not on its way.
func (s *State) awaits(j *Job, node NodeID) bool {
	for i, to := range s.Target(j.ID).Nodes {
		if to == node && !j.Tasks[i].Present() && s.Move(TaskID{j.ID, i}) == nil {
			return true
		}
	}
	return false
}

// measureStore records the reported free space of the store. While no node has proven the store, StoreFree is -1.
func (t *transaction) measureStore(a Report) {
	if a.StoreProven && a.StoreFree >= 0 {
		t.StoreFree = a.StoreFree
		return
	}
	for n := range t.Nodes() {
		if n.StoreProven {
			return
		}
	}
	t.StoreFree = -1
}

// observe applies one observation. An observation of a run that has ended or was superseded changes no job. If its VM
// still exists, the VM is a stray.
func (t *transaction) observe(node NodeID, o Observation) {
	m := t.Move(o.Run.Task())
	current := t.Current(o.Run) && (t.Job(o.Run.Job).Tasks[o.Run.Index].Node == node ||
		m != nil && (m.To == node || m.From == node))
	if !current {
		if !t.takeBack(node, o) {
			t.observeStray(node, o)
		}
		return
	}
	t.forgetStray(node, o.Run)
	j := t.edit(o.Run.Job)
	if m != nil && o.Move != m.ID {
		o.Move = 0
	}
	switch o.Seen {
	case SeenBooting:
		t.observeBooting(j, m, node, o)
	case SeenRunning:
		t.observeRunning(j, m, node, o)
	case SeenArrived:
		t.observeArrived(j, m, node, o)
	case SeenFrozen:
		t.observeFrozen(j, node, o)
	case SeenSaved:
		t.observeSaved(j, m, o)
	case SeenExited:
		t.observeExited(j, m, node, o)
	case SeenLost:
		t.observeLost(j, m, node, o)
	case SeenAbsent:
		t.observeAbsent(j, m, node, o)
	case SeenFailed:
		if m != nil && o.Move == m.ID {
			t.failMove(j, m, Cause{Text: o.Cause})
		}
	}
}

// takeBack returns a VM to its task, which was thought to have none, and reports whether it did. Either the run was
// declared lost too early, or a restored backup does not know how the VM got to the node. The run must be the newest
// of a task without a VM or a move, and must not have reported its exit. No node may have a condemned copy of it: then
// it has already been decided which copy goes on.
func (t *transaction) takeBack(node NodeID, o Observation) bool {
	task := t.task(o.Run.Task())
	there := o.Seen == SeenStray || o.Seen == SeenFrozen || o.Seen == SeenRunning || o.Seen == SeenBooting
	if task == nil || !there || t.Move(o.Run.Task()) != nil {
		return false
	}
	restored := task.Attempts == 0 && task.RetryAt > t.Now
	if task.Phase != Idle && !(task.Phase == Saved && restored) {
		return false
	}
	exited := task.Run == o.Run.Number && task.Exit != nil && task.Exit.Reported()
	disputed := t.rival(o.Run, 0) != 0 || t.Contested(o.Run.Task()) != 0
	if o.Run.Number < task.Run || exited || disputed || !t.Job(o.Run.Job).Schedulable() || t.Node(node).Health != Ready {
		return false
	}
	if t.Format >= handsOut && !t.handedOut(node, o.Run) {
		return false
	}
	j := t.edit(o.Run.Job)
	task = &j.Tasks[o.Run.Index]
	task.Phase, task.Run, task.Node, task.Image, task.RetryAt = Running, o.Run.Number, node, 0, 0
	task.Cap, task.Observed, task.Frozen = max(o.Cap, j.Spec.MinShare()), o.Cap, o.Seen != SeenRunning
	t.giveTo(task, node)
	t.measure(j, o)
	t.house(node, j.Spec)
	t.forgetStray(node, o.Run)
	if t.Target(j.ID) == nil {
		t.wish(j.ID)
	}
	t.emit(Event{Kind: TaskFound, Job: j.ID, Task: o.Run.Index, Run: o.Run.Number, Node: node, CPU: task.Cap,
		Tier: task.Tier})
	return true
}

// house counts the memory of a stray that becomes the VM of its task. From now on it is occupied.
func (t *transaction) house(node NodeID, spec *Spec) {
	n := t.editNode(node)
	n.Astray = max(0, n.Astray-t.Charge(spec))
	t.occupy(node, t.Charge(spec))
}

// handedOut reports whether the node may have the VM of a task that stands still: the run was the task's last and was
// given to this node, and the job may run there. A node that lies can claim no job that it never had. While nodes speak
// for the first time after a restore, which the generation dates, runs count that the backup does not know.
func (t *transaction) handedOut(node NodeID, run RunID) bool {
	task := t.task(run.Task())
	last := run.Number == task.Run && run.Number > 0 && task.wasGiven(node)
	restored := t.Generation > 1 && t.Now < Time(t.Generation)+importGrace
	return (last || restored) && t.Node(node).allows(t.Job(run.Job).Spec, "")
}

func (t *transaction) observeStray(node NodeID, o Observation) {
	i, found := slices.BinarySearchFunc(t.Node(node).Strays, o.Run, RunID.Compare)
	switch o.Seen {
	case SeenAbsent, SeenLost, SeenExited, SeenSaved:
		t.forgetStray(node, o.Run)
		t.findStray(o.Run.Task())
	case SeenStray, SeenBooting, SeenRunning, SeenFrozen, SeenArrived:
		if !found && (t.Format < boundsNodes || len(t.Node(node).Strays) < maxStrays) {
			n := t.editNode(node)
			n.Strays = slices.Insert(t.ownStrays(n), i, o.Run)
			if contains(n.Condemned, o.Run) {
				t.markNodesChanged() // it holds its task where it is
			}
			t.emit(Event{Kind: NodeStray, Job: o.Run.Job, Task: o.Run.Index, Run: o.Run.Number, Node: node})
		}
	}
}

// ownStrays returns the node's strays as a list that this command may change. It copies the list once per command, not
// once per stray.
func (t *transaction) ownStrays(n *Node) []RunID {
	if t.strays == n.ID {
		return n.Strays
	}
	t.strays = n.ID
	return slices.Clone(n.Strays)
}

// forgetStray removes the run from the node's strays and from its condemned runs.
func (t *transaction) forgetStray(node NodeID, run RunID) {
	if n, is := t.Node(node), func(r RunID) bool {
		return r == run
	}; slices.ContainsFunc(n.Strays, is) || slices.ContainsFunc(n.Condemned, is) {
		n := t.editNode(node)
		n.Strays = slices.DeleteFunc(slices.Clone(n.Strays), is)
		n.Condemned = slices.DeleteFunc(slices.Clone(n.Condemned), is)
		t.contests.Delete(contest{run, node})
	}
}

func (t *transaction) observeBooting(j *Job, m *Move, node NodeID, o Observation) {
	task := &j.Tasks[o.Run.Index]
	if m != nil && m.Kind == Start && m.To == node {
		t.complete(j, m)
		*task = Task{Phase: Booting, Run: m.Run, Node: node, Cap: m.CPU, Tier: m.Tier, Platform: o.Platform,
			Exit: task.Exit, Failures: task.Failures, Losses: task.Losses, LossesSince: task.LossesSince,
			Given: task.Given, Killed: task.Killed}
		if t.Format >= measures {
			task.Began = m.Started
		}
	}
	if task.Node == node && task.Phase == Booting {
		task.Observed = o.Cap
		if task.Platform == "" {
			task.Platform = o.Platform
		}
		t.endResize(j, o)
		t.measure(j, o)
	}
}

func (t *transaction) observeRunning(j *Job, m *Move, node NodeID, o Observation) {
	task := &j.Tasks[o.Run.Index]
	t.observeBooting(j, m, node, o)
	if m != nil && m.Kind == Resume && m.To == node {
		t.complete(j, m)
		t.measureRestore(m.Started)
		task.Phase, task.Node, task.Cap, task.Tier, task.Image, task.Progress = Running, node, m.CPU, m.Tier, 0, nil
		t.emitMove(TaskResumed, m, Cause{})
	}
	if task.Node != node {
		return
	}
	if task.Phase == Booting {
		t.measureStart(j.Spec.digest(), task.Began)
		task.Phase, task.Began = Running, 0
		t.emit(Event{Kind: TaskStarted, Job: j.ID, Task: o.Run.Index, Run: o.Run.Number, Node: node, CPU: o.Cap,
			Tier: task.Tier})
	}
	if task.Frozen {
		task.Frozen = false
		t.emit(Event{Kind: TaskThawed, Job: j.ID, Task: o.Run.Index, Run: o.Run.Number, Node: node})
	}
	task.Observed = o.Cap
	t.endResize(j, o)
	t.measure(j, o)
}

// endResize ends a Resize whose cap and tier are in force.
func (t *transaction) endResize(j *Job, o Observation) {
	m := t.Move(o.Run.Task())
	if m == nil || m.Kind != Resize || o.Cap != m.CPU || !t.inTier(m, o, j.Tasks[o.Run.Index].InTier) {
		return
	}
	t.complete(j, m)
	t.emitMove(TaskResized, m, Cause{})
}

// inTier reports whether the observation shows the VM in the tier that the Resize of a task of the given tier wants.
// One that tells no tier shows only that a tier that is to stay has stayed.
func (t *transaction) inTier(m *Move, o Observation, before Tier) bool {
	switch {
	case t.Format < observes:
		return true
	case o.Tiered:
		return o.Tier == m.Tier
	}
	return m.Tier == before
}

// measure records the tier in force and the work that the observation reports, from the Format observes on.
func (t *transaction) measure(j *Job, o Observation) {
	task := &j.Tasks[o.Run.Index]
	if t.Format >= observes && o.Tiered {
		task.InTier = o.Tier
	}
	switch {
	case t.Format < observes:
	case o.Work == nil:
		task.Progress = nil
	default:
		task.works(*o.Work, o.Tier, t.Now, j.Spec.VCPUs())
	}
}

func (t *transaction) observeArrived(j *Job, m *Move, node NodeID, o Observation) {
	if m == nil || m.Kind != Migrate || m.To != node {
		return
	}
	t.complete(j, m)
	t.condemn(m.From, o.Run) // a switch-over that was disturbed may have left it there, too
	task := &j.Tasks[o.Run.Index]
	task.Node, task.Cap, task.Tier, task.Observed, task.Frozen = node, m.CPU, m.Tier, o.Cap, false
	task.InTier, task.Progress = 0, nil
	t.measure(j, o)
	t.emitMove(TaskMigrated, m, Cause{})
}

func (t *transaction) observeFrozen(j *Job, node NodeID, o Observation) {
	task := &j.Tasks[o.Run.Index]
	if task.Node == node && task.Present() && !task.Frozen {
		task.Frozen = true
		t.emit(Event{Kind: TaskFrozen, Job: j.ID, Task: o.Run.Index, Run: o.Run.Number, Node: node})
	}
}

func (t *transaction) observeSaved(j *Job, m *Move, o Observation) {
	if m == nil || m.Kind != Pause || o.Move != m.ID {
		return
	}
	t.complete(j, m)
	task := &j.Tasks[o.Run.Index]
	task.Phase, task.Node, task.Cap, task.Observed, task.Frozen, task.Image = Saved, 0, 0, 0, false, max(1, o.Image)
	task.InTier, task.Progress = 0, nil
	task.forsake()
	t.emitMove(TaskPaused, m, Cause{})
	if j.Ending != nil {
		t.finishTask(j, o.Run.Index)
		t.finishJob(j)
	}
}

func (t *transaction) observeExited(j *Job, m *Move, node NodeID, o Observation) {
	task := &j.Tasks[o.Run.Index]
	exit := o.Exit
	if exit == nil {
		exit = t.exit(Because(WhyNoExit))
	}
	if t.Format >= cleansUp {
		node = t.cleanUp(task, m, node, o.Run)
	}
	t.vacate(j, m, o.Run)
	task.Exit = exit
	t.emit(Event{Kind: TaskExited, Job: j.ID, Task: o.Run.Index, Run: o.Run.Number, Node: node, Cause: exit.Explain()})
	switch {
	case exit.OK() || j.Ending != nil:
		t.finishTask(j, o.Run.Index)
	default:
		task.Failures++
		if task.Failures > j.Spec.Restarts {
			t.finishTask(j, o.Run.Index)
			t.end(j, Failed, exit.Explain().from(WhyTask, int64(o.Run.Index)))
		}
		t.uproot(j)
	}
	t.finishJob(j)
}

// cleanUp makes the other end of a migration destroy what is there of a run that has exited, and returns the node that
// the task was on. Any node reads the exit in the store, and the destination of a migration may do so first. An end
// that cannot be reached tells what it has when it is back, and nobody waits for that: no copy goes on after an exit.
func (t *transaction) cleanUp(task *Task, m *Move, node NodeID, run RunID) NodeID {
	if m != nil && m.Kind == Migrate {
		other := m.To
		if node == m.To {
			other = m.From
		}
		if t.Node(other).Reachable() {
			t.condemn(other, run)
		}
	}
	if task.Present() {
		return task.Node
	}
	return node
}

// exit returns the exit of a run for which no guest reported an exit.
func (t *transaction) exit(c Cause) *Exit {
	c = t.kept(c)
	return &Exit{Cause: c.Text, Why: c.Why}
}

// vacate records that the VM of the run no longer exists. Its task becomes idle, and a move under way is undone.
func (t *transaction) vacate(j *Job, m *Move, run RunID) {
	task := &j.Tasks[run.Index]
	if m != nil {
		t.undo(j, m)
	}
	if task.Present() {
		t.occupy(task.Node, -t.Charge(j.Spec))
	}
	task.Phase, task.Run, task.Node, task.Cap, task.Observed, task.Image = Idle, run.Number, 0, 0, 0, 0
	if task.Attempts > 0 {
		task.RetryAt = 0
	}
	task.Frozen, task.Platform, task.Attempts, task.InTier, task.Progress = false, "", 0, 0, nil
	task.Killed, task.Began, task.Trouble = false, 0, nil
}

func (t *transaction) observeLost(j *Job, m *Move, node NodeID, o Observation) {
	task := &j.Tasks[o.Run.Index]
	if m != nil && m.Kind == Migrate && m.To == node && task.Node != node {
		return // the source decides the outcome of a migration that did not arrive
	}
	if t.Format >= blames && m != nil && m.Kind == Migrate && t.Node(m.To).Health == Down {
		cause := Because(WhyNodeDown, int64(m.To)) // if it has left, it went down with its destination
		t.lose(j, m, m.To, o.Run, Cause{cause.Why, o.Cause})
		return
	}
	t.lose(j, m, node, o.Run, Cause{Text: o.Cause})
}

// lossPeriod is how long a loss counts. A task that is lost more than maxLosses times within it makes its job fail.
const lossPeriod = 24 * Hour

// countLoss counts one more loss. It resets the count first if the first counted loss is older than lossPeriod. Below
// Format 3 losses are never forgotten.
func (s *State) countLoss(task *Task) {
	if s.Format >= forgetsLoss && (task.Losses == 0 || s.Now-task.LossesSince > lossPeriod) {
		task.Losses, task.LossesSince = 0, s.Now
	}
	task.Losses++
}

// lose records that the cluster lost a run. The task starts again, without counting as a failure of the guest, unless
// its job is ending, fails on loss, or has lost the task more than maxLosses times.
func (t *transaction) lose(j *Job, m *Move, node NodeID, run RunID, cause Cause) {
	t.vacate(j, m, run)
	task := &j.Tasks[run.Index]
	if task.Exit = t.exit(cause); cause.empty() {
		task.Exit = t.exit(Because(WhyGone))
	}
	t.countLoss(task)
	t.emit(Event{Kind: TaskLost, Job: j.ID, Task: run.Index, Run: run.Number, Node: node, Cause: cause})
	switch {
	case j.Ending != nil:
		t.finishTask(j, run.Index)
		t.finishJob(j)
	case j.Spec.FailOnLoss:
		t.finishTask(j, run.Index)
		t.end(j, Failed, cause.from(WhyLostOnce, int64(run.Index)))
	case task.Losses > maxLosses:
		t.finishTask(j, run.Index)
		t.end(j, Failed, cause.from(WhyLostOften, int64(run.Index), int64(task.Losses)))
	case !t.findStray(TaskID{j.ID, run.Index}):
		why := Reason{Job: j.ID, Code: WhyLost, Values: []int64{int64(node)}}
		if rival := t.disputed(j); rival != 0 {
			why.Code, why.Values = WhyContested, []int64{int64(node), int64(rival)}
		}
		t.unplace(j, why)
	}
}

// findStray takes back a VM of the task that a node had already listed as a stray, before the task was lost elsewhere
// or while another node contested it. It reports whether there was one.
func (t *transaction) findStray(id TaskID) bool {
	for n := range t.Clone().Nodes() {
		for _, run := range n.Strays {
			if run.Task() == id && t.takeBack(n.ID, Observation{Run: run, Seen: SeenStray}) {
				return true
			}
		}
	}
	return false
}

// observeAbsent ends a Stop. Without a Stop under way, an absent VM is a lost one.
func (t *transaction) observeAbsent(j *Job, m *Move, node NodeID, o Observation) {
	task := &j.Tasks[o.Run.Index]
	if m == nil || m.Kind != Stop {
		if task.Node == node && task.Present() {
			t.observeLost(j, m, node, o)
		}
		return
	}
	t.vacate(j, m, o.Run)
	t.emitMove(TaskStopped, m, Cause{})
	if j.Ending != nil {
		t.finishTask(j, o.Run.Index)
		t.finishJob(j)
	}
}
