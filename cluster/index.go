package cluster

import (
	"cmp"
	"iter"
	"slices"
)

// located records that a task of the job is on the node, or that a move takes it to or from the node. The index of all
// of them is derived from tasks and moves. It is neither stored nor hashed.
type located struct {
	node NodeID
	job  JobID
}

func (a located) less(b located) bool {
	return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.job, b.job)) < 0
}

// past is an entry of the index of ended jobs by the time they ended. The oldest are forgotten first.
type past struct {
	ended Time
	job   JobID
}

func (a past) less(b past) bool {
	return cmp.Or(cmp.Compare(a.ended, b.ended), cmp.Compare(a.job, b.job)) < 0
}

// deadline is an entry of the index of jobs by the time after which they will have run for longer than they may. A job
// that makes no progress has none, unless it has already run for too long.
type deadline struct {
	at  Time
	job JobID
}

func (a deadline) less(b deadline) bool {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.job, b.job)) < 0
}

// nodesOfJob returns the nodes that have a task of the job or are an end of one of its moves.
func (s *State) nodesOfJob(id JobID) map[NodeID]bool {
	at := map[NodeID]bool{}
	j := s.Job(id)
	if j == nil {
		return at
	}
	for i := range j.Tasks {
		at[j.Tasks[i].Node] = true
	}
	for _, m := range s.movesOf(id) {
		at[m.From], at[m.To] = true, true
	}
	delete(at, 0)
	return at
}

// movesOf returns the moves of the job's tasks, by task index.
func (s *State) movesOf(id JobID) (moves []*Move) {
	if s.moves.Len() == 0 {
		return nil
	}
	s.moves.AscendGreaterOrEqual(&Move{Task: TaskID{Job: id}}, func(m *Move) bool {
		if m.Task.Job == id {
			moves = append(moves, m)
		}
		return m.Task.Job == id
	})
	return moves
}

// relocate updates the located index for the job, given the nodes it was at before.
func (s *State) relocate(id JobID, before map[NodeID]bool) {
	after := s.nodesOfJob(id)
	for n := range before {
		if !after[n] {
			s.located.Delete(located{n, id})
		}
	}
	for n := range after {
		if !before[n] {
			s.located.ReplaceOrInsert(located{n, id})
		}
	}
}

// resettle updates the indexes of the job and of its placement.
func (t *transaction) resettle(id JobID) {
	t.sort(t.edited[id])
	t.noteRetries(t.origin.Job(id), t.Job(id))
	t.noteDeadline(t.origin.Job(id), t.Job(id))
	old, now := t.origin.Target(id), t.Target(id)
	was, is := t.least(t.edited[id], old), t.least(t.edited[id], now)
	if old == now || old != nil && now != nil && was == is && slices.Equal(old.Nodes, now.Nodes) {
		return
	}
	for n := range old.on {
		t.held.Delete(located{n, id})
		t.growth[n] -= was
	}
	for n := range now.on {
		t.held.ReplaceOrInsert(located{n, id})
		t.growth[n] += is
	}
}

// sort updates the job's membership of the index sets waiting, unsettled and others.
func (s *State) sort(j *Job) {
	here := s.Job(j.ID) != nil
	note(s.waiting, j.ID, here && s.Target(j.ID) == nil)
	note(s.unsettled, j.ID, here && !s.settled(j))
	note(s.others, j.ID, here && j.Spec.Class != StandardClass)
}

// settled reports whether every task of the job has the node, cap and tier that the Target wants.
func (s *State) settled(j *Job) bool {
	p := s.Target(j.ID)
	for i := range j.Tasks {
		switch t := &j.Tasks[i]; {
		case t.Phase == Done:
		case p == nil:
			if t.Present() {
				return false
			}
		case i >= len(p.Nodes) || t.Node != p.Nodes[i] || t.Cap != p.Cap || t.Tier != p.Tier || t.Killed:
			return false
		}
	}
	return true
}

// on yields the node of each task that has one. A nil placement yields none.
func (p *Placement) on(yield func(NodeID) bool) {
	if p == nil {
		return
	}
	for _, n := range p.Nodes {
		if n != 0 && !yield(n) {
			return
		}
	}
}

// resurvey updates the indexes of nodes.
func (t *transaction) resurvey() {
	// Room per VM, or the set of open nodes, may have changed on every node.
	if t.overhead != t.origin.overhead || (t.StoreFree < 0) != (t.origin.StoreFree < 0) {
		for n := range t.nodes.all() {
			t.growth[n.ID] += 0
		}
	}
	for id, grown := range t.growth {
		t.survey(t.Node(id), grown)
	}
	t.sumUp()
}

// up returns what the nodes have together that are not down. While a command changes nodes, they are added up.
func (s *State) up() (sum Offer) {
	if s.sum != nil {
		return *s.sum
	}
	for n := range s.Nodes() {
		sum = sum.plus(n.Offer(), 1)
	}
	return sum
}

// plus returns an offer with another one added so many times.
func (o Offer) plus(more Offer, times int) Offer {
	return Offer{o.CPU + more.CPU*CPU(times), o.Memory + more.Memory*Bytes(times)}
}

// sumUp brings the sum of what nodes have up to date.
func (t *transaction) sumUp() {
	if t.sum != nil {
		return
	}
	sum := t.origin.up()
	for id := range t.growth {
		if was := t.origin.Node(id); was != nil {
			sum = sum.plus(was.Offer(), -1)
		}
		sum = sum.plus(t.Node(id).Offer(), 1)
	}
	t.sum = &sum
}

// reindex rebuilds all indexes.
func (s *State) reindex() {
	empty := New(s.Cluster, s.Policy)
	s.located, s.held, s.waiting, s.unsettled = empty.located, empty.held, empty.waiting, empty.unsettled
	s.turns, s.serviced = empty.turns, empty.serviced
	s.retries, s.deadlines, s.astray, s.silent = empty.retries, empty.deadlines, empty.astray, empty.silent
	s.pasts, s.contests, s.vacancies, s.others = empty.pasts, empty.contests, empty.vacancies, empty.others
	s.dependents = empty.dependents
	s.reindexRequests()
	s.reindexRefusals()
	s.reindexUses()
	s.reindexBlocks()
	s.reindexShelves()
	least := map[NodeID]CPU{}
	for j := range s.Jobs() {
		s.noteDependencies(j)
		s.relocate(j.ID, nil)
		s.sort(j)
		s.noteRetries(nil, j)
		s.noteDeadline(nil, j)
		p := s.Target(j.ID)
		for n := range p.on {
			s.held.ReplaceOrInsert(located{n, j.ID})
			least[n] += s.least(j, p)
		}
	}
	for p := range s.promises.all() {
		s.turns.ReplaceOrInsert(p.turn())
	}
	s.sum = nil
	sum := s.up()
	s.sum = &sum
	for j := range s.History() {
		s.pasts.ReplaceOrInsert(past{j.Ended, j.ID})
	}
	for n := range s.nodes.all() {
		s.survey(n, least[n.ID])
		for _, run := range n.Condemned {
			s.contests.ReplaceOrInsert(contest{run, n.ID})
		}
	}
}

// jobsAt yields, by id, the jobs with a task on the node or on its way to or from it.
func (s *State) jobsAt(node NodeID) func(yield func(*Job) bool) {
	return func(yield func(*Job) bool) {
		s.located.AscendGreaterOrEqual(located{node: node}, func(l located) bool {
			return l.node == node && yield(s.Job(l.job))
		})
	}
}

// heldAt yields, by id, the jobs that the Target places on the node.
func (s *State) heldAt(node NodeID) iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		s.held.AscendGreaterOrEqual(located{node: node}, func(l located) bool {
			return l.node == node && yield(s.Job(l.job))
		})
	}
}

// members yields the jobs of an index, by id.
func (s *State) members(of set[JobID]) iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		of.Ascend(func(id JobID) bool { return yield(s.Job(id)) })
	}
}

// Unsettled yields, by id, the jobs with a task whose node, cap or tier differs from the Target.
func (s *State) Unsettled() iter.Seq[*Job] { return s.members(s.unsettled) }

// Overrun yields the jobs that have run for longer than they may, as of now, and are not ending; first those whose
// limit was over first.
func (s *State) Overrun(now Time) iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		s.deadlines.AscendLessThan(deadline{at: now}, func(d deadline) bool { return yield(s.Job(d.job)) })
	}
}

// noteDeadline brings the index of deadlines up to date, given the job before; either may be nil.
func (s *State) noteDeadline(before, now *Job) {
	if before != nil && before.limited() {
		s.deadlines.Delete(deadline{before.deadline(), before.ID})
	}
	if now != nil && now.limited() {
		s.deadlines.ReplaceOrInsert(deadline{now.deadline(), now.ID})
	}
}

// limited reports whether the job's running time is, or will be, above its limit if nothing changes.
func (j *Job) limited() bool {
	limit := j.Spec.Limits.Runtime
	return limit > 0 && j.Ending == nil && (j.Clock.Share > 0 || j.Clock.Running > limit)
}

// deadline returns the time at which the running time of a limited job reaches its limit.
func (j *Job) deadline() Time { return j.Clock.At + j.Spec.Limits.Runtime - j.Clock.Running }
