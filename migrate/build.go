package migrate

import (
	"slices"

	"aliquot/cluster"
)

// Build returns the plan from the actual to the target allocation. Tasks that cannot be moved for now are listed as
// blocked, with the obstacle.
func Build(v *cluster.View) Plan {
	b := newBuilder(v)
	for j := range v.Unsettled() {
		target := v.Target(j.ID)
		for i := range j.Tasks {
			b.want(j, i, target)
		}
	}
	b.relieve()
	b.fill()
	b.grow()
	return b.plan
}

// builder makes a plan in three passes: moves that give up memory or CPU, moves that take memory, moves that take
// CPU.
type builder struct {
	v       *cluster.View
	plan    Plan
	ledgers map[cluster.NodeID]*ledger // of the nodes that the plan involves
	store   cluster.Bytes              // store space left for images
	frees   []cluster.Move
	groups  []*group // moves that take memory, by job
	grows   []cluster.Move
}

func newBuilder(v *cluster.View) *builder {
	b := &builder{v: v, ledgers: map[cluster.NodeID]*ledger{}, store: v.StoreRoom()}
	for m := range v.Moves() {
		j := v.Job(m.Task.Job)
		switch {
		case m.Kind.Frees():
			b.credit(m.From, credit{v.Charge(j.Spec), -1, m.ID})
		case m.Kind == cluster.Resize && guaranteed(m.Tier, m.CPU) < inForce(&j.Tasks[m.Task.Index]):
			b.credit(m.From, credit{0, -1, m.ID})
		}
	}
	return b
}

// guaranteed returns the CPU that a cap takes from other tasks. A task in the background takes none.
func guaranteed(tier cluster.Tier, cap cluster.CPU) cluster.CPU { return tier.Grant(cap).Guaranteed }

// inForce returns the CPU that the task takes by its node's last report.
func inForce(t *cluster.Task) cluster.CPU { return guaranteed(t.InTier, t.Observed) }

// ledger returns the node's ledger and creates it if necessary.
func (b *builder) ledger(id cluster.NodeID) *ledger {
	l := b.ledgers[id]
	if l == nil {
		n := b.v.Node(id)
		l = &ledger{ready: n.Reachable(), awaited: n.Awaited != 0, free: n.Capacity().Memory - n.Occupied}
		b.ledgers[id] = l
	}
	return l
}

func (b *builder) credit(node cluster.NodeID, c credit) {
	l := b.ledger(node)
	if c.bytes > 0 {
		l.pending = append(l.pending, c)
	}
	l.relief = append(l.relief, c)
}

// want adds the move that the task needs, if any, to its pass.
func (b *builder) want(j *cluster.Job, index int, target *cluster.Placement) {
	m, obstacle := b.next(j, index, target)
	switch {
	case obstacle != "":
		b.block(m.Task, obstacle)
	case m.Kind == 0:
	case m.Kind.Fills():
		b.join(m, b.v.Charge(j.Spec))
	case m.Kind == cluster.Resize && guaranteed(m.Tier, m.CPU) > guaranteed(j.Tasks[index].Tier, j.Tasks[index].Cap):
		b.grows = append(b.grows, m)
	default:
		b.frees = append(b.frees, m)
	}
}

// next returns the move that brings the task nearer to its target; Kind 0: none.
func (b *builder) next(j *cluster.Job, index int, target *cluster.Placement) (m cluster.Move, why Obstacle) {
	task := &j.Tasks[index]
	m = cluster.Move{Task: cluster.TaskID{Job: j.ID, Index: index}, Run: task.Run, From: task.Node}
	if task.Phase == cluster.Done || b.v.Move(m.Task) != nil {
		return m, ""
	}
	if target == nil {
		m.Kind = vacate(j, task)
	} else if m.Kind, m.To, why = approach(task, target, index); m.Kind != cluster.Stop {
		m.CPU, m.Tier = target.Cap, target.Tier
	}
	switch {
	case m.Kind == 0:
		return m, why
	case !b.reachable(m.From) || !b.reachable(m.To) || m.Kind.Fills() && b.ledger(m.To).awaited:
		return m, NodeUnreachable
	case m.Kind.Relocates() && b.v.Contested(m.Task) != 0:
		return m, b.contest(m)
	case task.RetryAt > b.v.At:
		return m, BacksOff
	case m.Kind == cluster.Start && stopping(j):
		return m, StillStopping
	}
	return m, ""
}

// contest returns the obstacle of a move whose task is contested.
func (b *builder) contest(m cluster.Move) Obstacle {
	rival := b.v.Node(b.v.Contested(m.Task))
	if rival.Clings(cluster.RunID{Job: m.Task.Job, Index: m.Task.Index, Number: m.Run}) {
		return Clings(rival.Name)
	}
	return Awaits(rival.Name)
}

// vacate returns the kind of move by which a task without a target gives up its resources.
func vacate(j *cluster.Job, task *cluster.Task) cluster.MoveKind {
	switch {
	case !task.Present():
		return 0
	case j.Ending != nil || task.Phase == cluster.Booting || task.Killed:
		return cluster.Stop
	}
	return cluster.Pause
}

// approach returns the kind and destination of the move that brings a task to its place.
func approach(task *cluster.Task, target *cluster.Placement, index int) (cluster.MoveKind, cluster.NodeID, Obstacle) {
	to := target.Nodes[index]
	switch {
	case task.Killed:
		return cluster.Stop, 0, ""
	case task.Phase == cluster.Idle:
		return cluster.Start, to, ""
	case task.Phase == cluster.Saved:
		return cluster.Resume, to, ""
	case task.Node != to && task.Phase == cluster.Booting:
		return 0, 0, StillBooting
	case task.Node != to:
		return cluster.Migrate, to, ""
	case task.Cap != target.Cap || task.Tier != target.Tier:
		return cluster.Resize, 0, ""
	}
	return 0, 0, ""
}

// stopping reports whether a run of the job that was given up may still be there. No task of the job starts before it
// is gone.
func stopping(j *cluster.Job) bool {
	return slices.ContainsFunc(j.Tasks, func(t cluster.Task) bool { return t.Killed })
}

func (b *builder) reachable(id cluster.NodeID) bool { return id == 0 || b.ledger(id).ready }

// relieve plans the moves that give up memory or CPU. They wait for nothing.
func (b *builder) relieve() {
	for _, m := range b.frees {
		charge := b.v.Charge(b.v.Job(m.Task.Job).Spec)
		if m.Kind == cluster.Pause {
			if b.store < charge {
				b.block(m.Task, NoStoreRoom)
				continue
			}
			b.store -= charge
		}
		if !m.Kind.Frees() {
			charge = 0
		}
		b.credit(m.From, credit{charge, b.add(Step{Move: m}), 0})
		if b.v.Target(m.Task.Job) != nil && b.v.Job(m.Task.Job).Tasks[m.Task.Index].Killed {
			b.block(m.Task, StillStopping)
		}
	}
}

// grow plans the moves that take CPU, after all moves that give up CPU on the same node.
func (b *builder) grow() {
	for _, m := range b.grows {
		s := Step{Move: m}
		s.wait(b.ledger(m.From).relief...)
		b.add(s)
	}
}

func (b *builder) add(s Step) int {
	b.plan.Steps = append(b.plan.Steps, s)
	return len(b.plan.Steps) - 1
}

func (b *builder) block(task cluster.TaskID, why Obstacle) {
	b.plan.Blocked = append(b.plan.Blocked, Blocked{task, why})
}
