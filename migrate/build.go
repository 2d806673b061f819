package migrate

import (
	"slices"

	"aliquot/cluster"
)

// Build returns the plan from the actual to the target allocation. What cannot be moved
// for now is listed as blocked, with the reason.
func Build(v *cluster.View) Plan {
	b := newBuilder(v)
	for j := range v.Jobs() {
		for i := range j.Tasks {
			b.want(j, i)
		}
	}
	b.relieve()
	b.fill()
	b.grow()
	return b.plan
}

// builder makes a plan in three passes: what gives memory or CPU up, what takes memory,
// what takes CPU.
type builder struct {
	v       *cluster.View
	plan    Plan
	ledgers map[cluster.NodeID]*ledger
	store   cluster.Bytes // room left for images
	frees   []cluster.Move
	gangs   []*gang // moves that take memory, by job
	grows   []cluster.Move
}

// ledger is what a node's memory will be as the plan is carried out.
type ledger struct {
	free    cluster.Bytes // now, less what steps of the plan took of it
	pending []credit      // will be free when a step or a move under way has ended, unspent
	relief  []credit      // all that gives CPU up, for those that take it
}

// credit is memory that becomes free when a step, or a move under way, has ended.
type credit struct {
	bytes cluster.Bytes
	step  int            // index; -1: await
	await cluster.MoveID // 0: step
}

// gang is the moves of one job that take memory; starts and resumes happen together.
type gang struct {
	charge cluster.Bytes
	moves  []cluster.Move
}

func newBuilder(v *cluster.View) *builder {
	b := &builder{v: v, ledgers: map[cluster.NodeID]*ledger{}, store: v.StoreRoom()}
	for n := range v.Nodes() {
		b.ledgers[n.ID] = &ledger{free: n.Capacity().Memory - n.Occupied}
	}
	for m := range v.Moves() {
		if m.Kind.Frees() {
			b.credit(m.From, credit{v.Charge(v.Job(m.Task.Job).Spec), -1, m.ID})
		}
	}
	return b
}

func (b *builder) credit(node cluster.NodeID, c credit) {
	l := b.ledgers[node]
	if c.bytes > 0 {
		l.pending = append(l.pending, c)
	}
	l.relief = append(l.relief, c)
}

// want sorts the task into what must be done for it, if anything.
func (b *builder) want(j *cluster.Job, index int) {
	task := &j.Tasks[index]
	m, obstacle := b.next(j, index)
	switch {
	case obstacle != "":
		b.plan.Blocked = append(b.plan.Blocked, Blocked{cluster.TaskID{Job: j.ID, Index: index}, obstacle})
	case m.Kind == 0:
	case m.Kind.Fills():
		b.join(m, b.v.Charge(j.Spec))
	case m.Kind == cluster.Resize && m.CPU > task.Cap:
		b.grows = append(b.grows, m)
	default:
		b.frees = append(b.frees, m)
	}
}

// next is the move that brings the task nearer to its target; Kind 0 is none.
func (b *builder) next(j *cluster.Job, index int) (m cluster.Move, why Obstacle) {
	task, target := &j.Tasks[index], b.v.Target(j.ID)
	m = cluster.Move{Task: cluster.TaskID{Job: j.ID, Index: index}, Run: task.Run, From: task.Node}
	if target != nil {
		m.CPU, m.Tier = target.CPU, target.Tier
	}
	switch {
	case task.Phase == cluster.Done || b.v.Move(m.Task) != nil:
		return m, ""
	case target == nil:
		m.Kind, why = b.yield(j, task)
	default:
		m.Kind, m.To, why = approach(task, target, index)
	}
	switch {
	case m.Kind == 0:
		return m, why
	case !b.reachable(m.From) || !b.reachable(m.To):
		return cluster.Move{}, NodeUnreachable
	case task.RetryAt > b.v.At && j.Ending == nil && m.Kind != cluster.Resize:
		return cluster.Move{}, BacksOff
	}
	return m, why
}

// yield is the kind of move by which a task that holds nothing gives up what it has.
func (b *builder) yield(j *cluster.Job, task *cluster.Task) (cluster.MoveKind, Obstacle) {
	switch {
	case !task.Present():
		return 0, ""
	case j.Ending != nil || task.Phase == cluster.Booting:
		return cluster.Stop, ""
	}
	return cluster.Pause, ""
}

// approach is the kind of move, and where to, that brings a task to its place.
func approach(task *cluster.Task, target *cluster.Placement, index int) (cluster.MoveKind, cluster.NodeID, Obstacle) {
	to := target.Nodes[index]
	switch {
	case task.Phase == cluster.Idle:
		return cluster.Start, to, ""
	case task.Phase == cluster.Saved:
		return cluster.Resume, to, ""
	case task.Node != to && task.Phase == cluster.Booting:
		return 0, 0, StillBooting
	case task.Node != to:
		return cluster.Migrate, to, ""
	case task.Cap != target.CPU || task.Tier != target.Tier:
		return cluster.Resize, 0, ""
	}
	return 0, 0, ""
}

func (b *builder) reachable(id cluster.NodeID) bool {
	return id == 0 || b.v.Node(id).Health == cluster.Ready
}

// join adds the move to its job's gang. A migration is a gang of its own: the other tasks
// run on meanwhile.
func (b *builder) join(m cluster.Move, charge cluster.Bytes) {
	if n := len(b.gangs); n > 0 && m.Kind != cluster.Migrate {
		last := b.gangs[n-1]
		if head := last.moves[0]; head.Task.Job == m.Task.Job && head.Kind != cluster.Migrate {
			last.moves = append(last.moves, m)
			return
		}
	}
	b.gangs = append(b.gangs, &gang{charge, []cluster.Move{m}})
}

// relieve plans what gives memory or CPU up: none of it waits for anything.
func (b *builder) relieve() {
	for _, m := range b.frees {
		charge := b.v.Charge(b.v.Job(m.Task.Job).Spec)
		if m.Kind == cluster.Pause {
			if b.store < charge {
				b.plan.Blocked = append(b.plan.Blocked, Blocked{m.Task, NoStoreRoom})
				continue
			}
			b.store -= charge
		}
		if !m.Kind.Frees() {
			charge = 0
		}
		b.credit(m.From, credit{charge, b.add(Step{Move: m}), 0})
	}
}

func (b *builder) add(s Step) int {
	b.plan.Steps = append(b.plan.Steps, s)
	return len(b.plan.Steps) - 1
}

// fill plans what takes memory, as it becomes free, until nothing more can be planned;
// then it breaks a cycle and goes on.
func (b *builder) fill() {
	for len(b.gangs) > 0 {
		before := len(b.gangs)
		b.gangs = slices.DeleteFunc(b.gangs, b.admit)
		if len(b.gangs) == before && !b.breakCycle() {
			for _, g := range b.gangs {
				for _, m := range g.moves {
					b.plan.Blocked = append(b.plan.Blocked, Blocked{m.Task, NoMemory})
				}
			}
			return
		}
	}
}

// admit plans a gang if its nodes have, or will have, the memory for all of it.
func (b *builder) admit(g *gang) bool {
	needs := map[cluster.NodeID]cluster.Bytes{}
	for _, m := range g.moves {
		needs[m.To] += g.charge
	}
	for node, bytes := range needs {
		if !b.ledgers[node].affords(bytes) {
			return false
		}
	}
	var wait Step
	for node, bytes := range needs {
		b.ledgers[node].spend(bytes, &wait)
	}
	slices.Sort(wait.After)
	slices.Sort(wait.Await)
	for _, m := range g.moves {
		index := b.add(Step{m, wait.After, wait.Await})
		if m.Kind.Frees() {
			b.credit(m.From, credit{g.charge, index, 0})
		}
	}
	return true
}

func (l *ledger) affords(bytes cluster.Bytes) bool {
	sum := l.free
	for _, c := range l.pending {
		sum += c.bytes
	}
	return sum >= bytes
}

// spend takes memory from what is free now, then from what becomes free, and notes what must end first.
func (l *ledger) spend(bytes cluster.Bytes, wait *Step) {
	l.free -= bytes
	for l.free < 0 {
		c := l.pending[0]
		l.pending = l.pending[1:]
		l.free += c.bytes
		if c.await != 0 {
			wait.Await = append(wait.Await, c.await)
		} else {
			wait.After = append(wait.After, c.step)
		}
	}
}

// breakCycle turns the first migration for which the store has room into a pause and a
// resume, so that the memory that it holds becomes free.
func (b *builder) breakCycle() bool {
	for i, g := range b.gangs {
		m := g.moves[0]
		if m.Kind != cluster.Migrate || b.store < g.charge {
			continue
		}
		b.store -= g.charge
		pause := m
		pause.Kind, pause.To = cluster.Pause, 0
		step := b.add(Step{Move: pause})
		b.credit(m.From, credit{g.charge, step, 0})
		b.gangs[i].moves = nil
		b.gangs = slices.Delete(b.gangs, i, i+1)
		return true
	}
	return false
}

// grow plans what takes CPU: after everything that gives CPU up on the same node.
func (b *builder) grow() {
	for _, m := range b.grows {
		s := Step{Move: m}
		for _, c := range b.ledgers[m.From].relief {
			if c.await != 0 {
				s.Await = append(s.Await, c.await)
			} else {
				s.After = append(s.After, c.step)
			}
		}
		b.add(s)
	}
}
