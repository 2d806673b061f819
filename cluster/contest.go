package cluster

import "cmp"

// contest says that the node is to destroy what it has of the run's VM. The index of all of
// these follows from what nodes have Condemned; it is neither written down nor hashed.
type contest struct {
	run  RunID
	node NodeID
}

func (a contest) less(b contest) bool {
	return cmp.Or(a.run.Compare(b.run), cmp.Compare(a.node, b.node)) < 0
}

// Contested returns a node other than the task's own that may still have a VM of its latest
// run, although it is to destroy it; 0: there is none. Cut off, that node may follow older
// orders and let the VM run once it finds the task's own VM gone. Until it has told that
// there is none, or is down, the task may run on where it is, and end, but not get another
// VM nor be saved.
func (s *State) Contested(id TaskID) NodeID {
	if s.contests.Len() == 0 {
		return 0 // nearly always, and it is asked for every task in every decision
	}
	task := s.task(id)
	if task == nil {
		return 0
	}
	return s.rival(RunID{id.Job, id.Index, task.Run}, task.Node)
}

// Clings tells whether the node, which is to destroy what it has of the task's VM, has told that it still has it: it
// cannot.
func (s *State) Clings(node NodeID, id TaskID) bool {
	task := s.task(id)
	return task != nil && contains(s.Node(node).Strays, RunID{id.Job, id.Index, task.Run})
}

// rival returns a node, not down and another than the one given, that is to destroy a VM of the run; 0: none.
func (s *State) rival(run RunID, exclude NodeID) (node NodeID) {
	s.contests.AscendGreaterOrEqual(contest{run: run}, func(c contest) bool {
		if c.run == run && c.node != exclude && s.Node(c.node).Health != Down {
			node = c.node
		}
		return c.run == run && node == 0
	})
	return node
}

// disputed returns a node that contests a task of the job that has no VM; 0: none does.
func (s *State) disputed(j *Job) NodeID {
	for i := range j.Tasks {
		if j.Tasks[i].Present() {
			continue
		}
		if node := s.Contested(TaskID{j.ID, i}); node != 0 {
			return node
		}
	}
	return 0
}
