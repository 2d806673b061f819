package cluster

import "cmp"

// contest records that the node must destroy its copy of the run's VM. The index of all contests is derived from
// Node.Condemned. It is neither stored nor hashed.
type contest struct {
	run  RunID
	node NodeID
}

func (a contest) less(b contest) bool {
	return cmp.Or(a.run.Compare(b.run), cmp.Compare(a.node, b.node)) < 0
}

// Contested returns a node, other than the task's own, that may still have a VM of the task's latest run although it
// must destroy it; 0 means none. While cut off, that node may follow older orders and let its copy run once it finds
// the task's own VM gone. Until the node reports that it has no copy, or is down, the task may continue where it is,
// and end, but it may neither get another VM nor be saved.
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

// Clings reports whether the node lists a VM of the run among its strays. If the node must destroy that VM, it has
// failed to do so.
func (n *Node) Clings(run RunID) bool { return contains(n.Strays, run) }

// rival returns a node that must destroy a VM of the run, is not down and is not exclude; 0 means none.
func (s *State) rival(run RunID, exclude NodeID) (node NodeID) {
	s.contests.AscendGreaterOrEqual(contest{run: run}, func(c contest) bool {
		if c.run == run && c.node != exclude && s.Node(c.node).Health != Down {
			node = c.node
		}
		return c.run == run && node == 0
	})
	return node
}

// disputed returns a node that contests one of the job's tasks without a VM; 0 means none.
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
