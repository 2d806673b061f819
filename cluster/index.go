package cluster

import (
	"cmp"
	"iter"
	"slices"
)

// located says that a task of the job is on the node, or on its way to or from it. The
// index of all of these follows from tasks and moves; it is neither written down nor hashed.
type located struct {
	node NodeID
	job  JobID
}

func (a located) less(b located) bool {
	return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.job, b.job)) < 0
}

// past orders ended jobs by when they ended, so that the oldest are forgotten first.
type past struct {
	ended Time
	job   JobID
}

func (a past) less(b past) bool {
	return cmp.Or(cmp.Compare(a.ended, b.ended), cmp.Compare(a.job, b.job)) < 0
}

// nodesOfJob are the nodes that the tasks of the job, or their moves, are at.
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

// movesOf are the moves of the job's tasks, by index.
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

// relocate brings the index of the job up to date, given where it was before.
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

// resettle brings the indexes of the job, and of what it holds, up to date.
func (t *transaction) resettle(id JobID) {
	t.sort(t.edited[id])
	t.noteRetries(t.origin.Job(id), t.Job(id))
	old, now := t.origin.Target(id), t.Target(id)
	was, is := t.least(t.edited[id], old), t.least(t.edited[id], now)
	if old == now || old != nil && now != nil && was == is && slices.Equal(old.Nodes, now.Nodes) {
		return
	}
	for n := range old.on {
		t.held.Delete(located{n, id})
		t.stirred[n] -= was
	}
	for n := range now.on {
		t.held.ReplaceOrInsert(located{n, id})
		t.stirred[n] += is
	}
}

// sort puts the job into the sets in which it is to be found.
func (s *State) sort(j *Job) {
	here := s.Job(j.ID) != nil
	note(s.waiting, j.ID, here && s.Target(j.ID) == nil)
	note(s.unsettled, j.ID, here && !s.settled(j))
	note(s.limited, j.ID, here && j.Spec.Limits.Runtime > 0)
}

// settled tells whether every task of the job is where and as the Target wants it.
func (s *State) settled(j *Job) bool {
	p := s.Target(j.ID)
	for i := range j.Tasks {
		switch t := &j.Tasks[i]; {
		case t.Phase == Done:
		case p == nil:
			if t.Present() {
				return false
			}
		case i >= len(p.Nodes) || t.Node != p.Nodes[i] || t.Cap != p.Cap || t.Tier != p.Tier:
			return false
		}
	}
	return true
}

// on yields the node of each task that has one. Nothing is on none.
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

// resurvey brings the indexes of nodes up to date.
func (t *transaction) resurvey() {
	// what they hold, and who is open
	if t.overhead != t.origin.overhead || (t.StoreFree < 0) != (t.origin.StoreFree < 0) {
		for n := range t.Nodes() {
			t.stirred[n.ID] += 0
		}
	}
	for id, grown := range t.stirred {
		t.survey(t.Node(id), grown)
	}
}

// reindex derives all indexes anew.
func (s *State) reindex() {
	empty := New(s.Cluster, s.Policy)
	s.located, s.held, s.waiting, s.unsettled = empty.located, empty.held, empty.waiting, empty.unsettled
	s.retries, s.limited, s.astray, s.silent = empty.retries, empty.limited, empty.astray, empty.silent
	s.pasts, s.contests, s.vacancies = empty.pasts, empty.contests, empty.vacancies
	least := map[NodeID]CPU{}
	for j := range s.Jobs() {
		s.relocate(j.ID, nil)
		s.sort(j)
		s.noteRetries(nil, j)
		p := s.Target(j.ID)
		for n := range p.on {
			s.held.ReplaceOrInsert(located{n, j.ID})
			least[n] += s.least(j, p)
		}
	}
	for j := range s.History() {
		s.pasts.ReplaceOrInsert(past{j.Ended, j.ID})
	}
	for n := range s.Nodes() {
		s.survey(n, least[n.ID])
		for _, run := range n.Condemned {
			s.contests.ReplaceOrInsert(contest{run, n.ID})
		}
	}
}

// jobsAt yields the jobs with a task on the node, or on its way to or from it, by id.
func (s *State) jobsAt(node NodeID) func(yield func(*Job) bool) {
	return func(yield func(*Job) bool) {
		s.located.AscendGreaterOrEqual(located{node: node}, func(l located) bool {
			return l.node == node && yield(s.Job(l.job))
		})
	}
}

// members yields the jobs of an index by id.
func (s *State) members(of set[JobID]) iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		of.Ascend(func(id JobID) bool { return yield(s.Job(id)) })
	}
}

// Unsettled yields by id the jobs of which a task is not where or as the Target wants it.
func (s *State) Unsettled() iter.Seq[*Job] { return s.members(s.unsettled) }

// Limited yields by id the jobs whose running time is limited.
func (s *State) Limited() iter.Seq[*Job] { return s.members(s.limited) }
