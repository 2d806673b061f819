package cluster

import "slices"

func (a Join) apply(t *transaction) Result {
	if !nameForm.MatchString(a.Name) || len(a.Name) > MaxName {
		return reject(CodeInvalid, "name", "%q is not a node name: use letters, digits, dots and dashes", a.Name)
	}
	if a.Description.CPU < 1 || a.Description.Memory < 1 || a.Description.Overhead < 0 {
		return reject(CodeInvalid, "description", "node %s offers %v and %v after its reserve; both must be above zero",
			a.Name, a.Description.CPU, a.Description.Memory.Words())
	}
	if t.Format >= boundsNodes && !a.Description.Plausible() {
		return reject(CodeInvalid, "description", "node %s offers %v and %v at an overhead of %v per VM, which no node has",
			a.Name, a.Description.CPU, a.Description.Memory.Words(), a.Description.Overhead.Words())
	}
	n := t.NodeNamed(a.Name)
	if n != nil && n.Admission != a.Admission || n == nil && a.Admission != 0 {
		return reject(CodeForbidden, "name", "the certificate of node %s was withdrawn: the node was removed or joined anew",
			a.Name)
	}
	if n == nil {
		n = &Node{ID: t.NextNode, Name: a.Name, Since: t.Now}
		t.NextNode++
		t.nodes.put(n)
		t.emitNode(NodeJoined, n.ID, Cause{Text: a.Description.Hypervisor})
	}
	n = t.editNode(n.ID)
	if t.Format >= awaits {
		n.Joined = t.Revision
	}
	if n.Absent {
		n.Absent, n.Cordoned, n.Draining = false, false, false
		t.emitNode(NodeJoined, n.ID, Cause{Text: a.Description.Hypervisor})
	}
	if n.Health != Ready {
		n.Health, n.Since = Ready, t.Now
		t.awaitReport(n)
		t.emitNode(NodeReady, n.ID, Because(WhyConnected))
	}
	if n.Boot != a.Boot {
		n.Strays, n.Astray = nil, 0 // no VM outlives its machine's boot
	}
	was := n.Description.Speed
	if was != a.Description.Speed {
		t.settleAt(n.ID)
	}
	n.Boot, n.Description = a.Boot, a.Description
	if n.Description.Speed.Known() < was.Known() {
		t.cutAt(n.ID)
	}
	if n.Invitation != nil && n.Invitation.used() {
		n.Invitation = nil
	}
	t.markNodesChanged()
	t.recharge()
	return Result{Node: n.ID}
}

// settleAt integrates the progress of the jobs on the node up to now: from now on they progress at another rate.
func (t *transaction) settleAt(id NodeID) {
	for j := range t.Clone().Jobs() {
		if j.on(id) {
			t.edit(j.ID)
		}
	}
}

// cutAt cuts the caps of the jobs that are placed on the node at what they can use there.
func (t *transaction) cutAt(id NodeID) {
	for job, p := range t.TargetAll().Clone().All() {
		if grant := t.grant(p, t.Job(job).Spec); grant != p.Grant && slices.Contains(p.Nodes, id) {
			t.place(t.edit(job), &Placement{Grant: grant, Nodes: p.Nodes, Cores: p.Cores})
		}
	}
}

// awaitReport closes the node to new VMs until it has reported what is there under orders of now.
func (t *transaction) awaitReport(n *Node) {
	if t.Format >= awaits {
		n.Awaited = t.Revision
	}
}

// recharge recomputes all loads when the overhead per VM has changed.
func (t *transaction) recharge() {
	overhead := Bytes(0)
	for n := range t.Nodes() {
		overhead = max(overhead, n.Description.Overhead)
	}
	if overhead != t.overhead {
		t.overhead = overhead
		t.recount()
	}
}

// recount derives the nodes' loads and occupied memory from target, tasks and moves.
func (s *State) recount() {
	t := &transaction{State: s, growth: map[NodeID]CPU{}}
	for n := range s.Clone().nodes.all() {
		n = t.editNode(n.ID)
		n.Load, n.Occupied = Load{}, 0
	}
	for id, p := range s.target.All() {
		t.count(t, s.Job(id), p, 1)
	}
	for j := range s.Jobs() {
		for i := range j.Tasks {
			if j.Tasks[i].Present() {
				t.occupy(j.Tasks[i].Node, s.Charge(j.Spec))
			}
		}
	}
	for m := range s.Moves() {
		if m.Kind.Fills() {
			t.occupy(m.To, s.Charge(s.Job(m.Task.Job).Spec))
		}
	}
}

func (a SetNode) apply(t *transaction) Result {
	if n := t.Node(a.Node); n == nil || n.Absent {
		return reject(CodeNotFound, "node", "there is no node %d", a.Node)
	}
	n := t.editNode(a.Node)
	switch a.Want {
	case Cordon, ForceCordon:
		if r := t.Unready(a); r != nil {
			return Result{Rejection: r}
		}
		n.Cordoned = true
		n.wanted(false)
		t.emitNode(NodeCordoned, n.ID, Cause{})
		if r := t.guard(a.Want == Cordon && t.Format >= cordons); r != nil {
			return Result{Rejection: r}
		}
	case Drain, ForceDrain:
		if r := t.Unready(a); r != nil {
			return Result{Rejection: r}
		}
		n.Cordoned, n.Draining = true, true
		n.wanted(true)
		t.emitNode(NodeDraining, n.ID, Cause{})
		if r := t.guard(a.Want == Drain && t.Format >= guards); r != nil {
			return Result{Rejection: r}
		}
	case Uncordon:
		if n.InMaintenance() != nil { // it ends
			n.Maintenance = slices.Clone(n.Maintenance[1:])
		}
		n.Cordoned, n.Draining = false, false
		t.emitNode(NodeUncordoned, n.ID, Cause{})
	case ConfirmDown:
		switch {
		case n.Health == Ready && n.Unlinked != 0:
			return reject(CodeConflict, "node", "node %s has no connection, but its lease is not over yet; confirm that it is "+
				"down once it is silent", n.Name)
		case n.Health == Ready:
			return reject(CodeConflict, "node",
				"node %s is connected and ready; stop its monitor before you confirm that it is down", n.Name)
		}
		t.takeDown(n, Cause{Because(WhyConfirmed).Why, t.command.Actor.Name})
	default:
		return reject(CodeInvalid, "want", "unknown wish %d", a.Want)
	}
	t.markNodesChanged()
	return Result{Node: a.Node}
}

// guard looks at the promises, if it is on, and refuses a command that would break some.
func (t *transaction) guard(on bool) *Rejection {
	if !on {
		return nil
	}
	if t.review(); t.broken == 0 {
		return nil
	}
	return reject(CodeConflict, "node", "it would break the promises to %s: plan maintenance for another time, or force it",
		t.unlucky()).Rejection
}

func (a SetHealth) apply(t *transaction) Result {
	if n := t.Node(a.Node); n == nil || n.Absent {
		return reject(CodeNotFound, "node", "there is no node %d", a.Node)
	}
	n := t.editNode(a.Node)
	switch {
	case a.Health == n.Health:
		return Result{}
	case a.Health == Down && n.Health != Silent:
		return reject(CodeConflict, "node", "node %s is %v again", n.Name, n.Health)
	case a.Health == Down && !n.FenceAlive:
		return reject(CodeConflict, "node",
			"the fence of node %s was not alive at its last report; only a person can confirm that it is down", n.Name)
	case a.Health == Down:
		t.takeDown(n, Because(WhyFenced))
	case a.Health == Silent:
		n.Health, n.Since = Silent, t.Now
		t.freezeAll(n.ID)
		t.emitNode(NodeSilent, n.ID, Because(WhyLeaseOut))
	case a.Health == Ready:
		n.Health, n.Since = Ready, t.Now
		t.awaitReport(n)
		t.emitNode(NodeReady, n.ID, Because(WhyLeaseValid))
	default:
		return reject(CodeInvalid, "health", "unknown health %d", uint8(a.Health))
	}
	t.markNodesChanged()
	return Result{Node: a.Node}
}

func (a SetLink) apply(t *transaction) Result {
	n := t.Node(a.Node)
	switch {
	case n == nil || n.Absent:
		return reject(CodeNotFound, "node", "there is no node %d", a.Node)
	case a.Broken < 0 || a.Broken > t.Now:
		return reject(CodeInvalid, "broken", "the link of node %s cannot have broken at %v", n.Name, a.Broken)
	case a.Broken != 0 && n.Health != Ready:
		return reject(CodeConflict, "node", "node %s is %v", n.Name, n.Health)
	case (a.Broken != 0) == (n.Unlinked != 0):
		return Result{}
	}
	n = t.editNode(a.Node)
	n.Unlinked = a.Broken
	t.markNodesChanged()
	if n.Unlinked == 0 {
		t.emitNode(NodeReachable, n.ID, Cause{})
		return Result{Node: n.ID}
	}
	t.emitNode(NodeUnreachable, n.ID, Cause{})
	t.divert(n, WhyNoLink)
	return Result{Node: n.ID}
}

// freezeAll marks all runs on the node as frozen: no progress is assumed until it reports them again.
func (t *transaction) freezeAll(node NodeID) {
	for _, run := range t.runsOn(node) {
		t.edit(run.Job).Tasks[run.Index].Frozen = true
	}
}

// runsOn lists the runs whose VMs are on the node, in order.
func (s *State) runsOn(node NodeID) (runs []RunID) {
	for j := range s.jobsAt(node) {
		for i := range j.Tasks {
			if t := &j.Tasks[i]; t.Present() && t.Node == node {
				runs = append(runs, RunID{j.ID, i, t.Run})
			}
		}
	}
	return runs
}

// takeDown marks the node as down and its runs as lost. A run that is migrating to a node that is not down becomes that
// node's. Starts and Resumes on their way to the node fail.
func (t *transaction) takeDown(n *Node, cause Cause) {
	n.Health, n.Since = Down, t.Now
	t.emitNode(NodeDown, n.ID, cause)
	lost := cause.from(WhyNodeDown, int64(n.ID))
	for _, run := range t.runsOn(n.ID) {
		m := t.Move(run.Task())
		if m != nil && m.Kind == Migrate && t.Node(m.To).Health != Down {
			t.leaveTo(t.edit(run.Job), m)
			continue
		}
		t.lose(t.edit(run.Job), m, n.ID, run, lost)
	}
	for _, m := range slices.Collect(t.Moves()) {
		if m.To != n.ID {
			continue
		}
		j := t.edit(m.Task.Job)
		if m.Kind == Start {
			t.lose(j, m, n.ID, RunID{m.Task.Job, m.Task.Index, m.Run}, lost)
		} else if m.Kind == Resume {
			t.failMove(j, m, lost)
		}
	}
	for _, run := range n.Condemned { // a node that is down contests nothing
		t.findStray(run.Task())
	}
}

// leaveTo makes the destination of a migration responsible for the VM, because the source is down. The VM may have
// arrived, so it must not start elsewhere before the destination reports that it has not.
func (t *transaction) leaveTo(j *Job, m *Move) {
	t.complete(j, m)
	t.condemn(m.From, RunID{j.ID, m.Task.Index, m.Run})
	task := &j.Tasks[m.Task.Index]
	task.Node, task.Cap, task.Tier, task.Observed, task.Frozen = m.To, m.CPU, m.Tier, 0, true
	task.InTier, task.Progress = 0, nil
	t.emitMove(TaskFrozen, m, Because(WhySourceDown))
}

func (a SettleStray) apply(t *transaction) Result {
	n := t.Node(a.Node)
	if n == nil || !slices.Contains(n.Strays, a.Run) {
		return reject(CodeNotFound, "run", "%v is not listed as a stray of node %d", a.Run, a.Node)
	}
	if !a.Destroy {
		return t.adoptStray(a)
	}
	t.condemn(a.Node, a.Run)
	return Result{Node: a.Node, Job: a.Run.Job}
}

// condemn orders the node to destroy any copy of the run's VM, until the node reports that there is none.
func (t *transaction) condemn(node NodeID, run RunID) {
	if i, found := slices.BinarySearchFunc(t.Node(node).Condemned, run, RunID.Compare); !found {
		n := t.editNode(node)
		n.Condemned = slices.Insert(slices.Clone(n.Condemned), i, run)
		t.contests.ReplaceOrInsert(contest{run, node})
	}
}

// adoptStray makes a stray the VM of its task. The task must be at the same run and have no VM on a ready node.
func (t *transaction) adoptStray(a SettleStray) Result {
	if !t.Current(a.Run) || t.Move(a.Run.Task()) != nil {
		return reject(CodeConflict, "run", "%v has ended, was superseded or is being moved; it can only be destroyed", a.Run)
	}
	if health := t.Node(a.Node).Health; health != Ready {
		return reject(CodeConflict, "node", "node %d is %v; wait until it is connected and ready", a.Node, health)
	}
	j := t.edit(a.Run.Job)
	task := &j.Tasks[a.Run.Index]
	if task.Present() && t.Node(task.Node).Health == Ready {
		return reject(CodeConflict, "run", "%v runs on node %d; it can only be destroyed here", a.Run, task.Node)
	}
	if rival := t.rival(a.Run, a.Node); rival != 0 && rival != task.Node {
		return reject(CodeConflict, "run", "%s; adopt this one then", t.contention(rival))
	}
	if task.Present() {
		t.occupy(task.Node, -t.Charge(j.Spec))
	}
	t.house(a.Node, j.Spec)
	task.Phase, task.Node, task.Image, task.Frozen = Running, a.Node, 0, true
	task.Cap = max(task.Cap, j.Spec.MinShare())
	t.giveTo(task, a.Node)
	t.forgetStray(a.Node, a.Run)
	t.markNodesChanged()
	return Result{Node: a.Node, Job: a.Run.Job}
}
