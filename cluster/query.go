package cluster

import "iter"

// Job returns the job that has not ended, or nil.
func (s *State) Job(id JobID) *Job { return s.jobs.get(id) }

// Ended returns the job that has ended, or nil if it has not or is forgotten.
func (s *State) Ended(id JobID) *Job { return s.history.get(id) }

// Jobs yields the jobs that have not ended, by id.
func (s *State) Jobs() iter.Seq[*Job] { return s.jobs.all() }

// History yields the jobs that have ended, by id.
func (s *State) History() iter.Seq[*Job] { return s.history.all() }

// Node returns the node, absent ones included, or nil.
func (s *State) Node(id NodeID) *Node { return s.nodes.get(id) }

// NodeNamed returns the node of that name, absent ones included, or nil.
func (s *State) NodeNamed(name string) *Node {
	for n := range s.nodes.all() {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Nodes yields the nodes that are not absent, by id.
func (s *State) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		s.nodes.root.eachLeaf(s.nodes.height-1, func(nodes *[16]*Node) bool {
			for _, n := range nodes { // over leaves, not over all(): decisions read all nodes all the time
				if n != nil && !n.Absent && !yield(n) {
					return false
				}
			}
			return true
		})
	}
}

// NodeCount returns the number of nodes, absent ones included.
func (s *State) NodeCount() int { return s.nodes.Len() }

// Move returns the task's move under way, or nil.
func (s *State) Move(task TaskID) *Move {
	if s.moves.Len() == 0 {
		return nil
	}
	m, _ := s.moves.Get(&Move{Task: task})
	return m
}

// Moves yields the moves under way, by task.
func (s *State) Moves() iter.Seq[*Move] { return s.moves.all() }

// Images yields the images, by digest.
func (s *State) Images() iter.Seq[*Image] { return s.images.all() }

// Image returns the image of that digest, or nil.
func (s *State) Image(digest string) *Image { i, _ := s.images.Get(&Image{Digest: digest}); return i }

// Builtin returns the newest built-in image, which jobs that name none boot, or nil.
func (s *State) Builtin() (newest *Image) {
	for i := range s.Images() {
		if i.Builtin && (newest == nil || i.Added >= newest.Added) {
			newest = i
		}
	}
	return newest
}

// Tokens yields the tokens, by id.
func (s *State) Tokens() iter.Seq[*Token] { return s.tokens.all() }

// Target returns the job's adopted placement, or nil.
func (s *State) Target(id JobID) *Placement { return s.target.Get(id) }

// TargetAll returns the adopted allocation; it must not be changed, but may be cloned.
func (s *State) TargetAll() Allocation { return s.target }

// Counts returns how many jobs have not ended, how many ended ones are remembered, and how many moves are under way.
func (s *State) Counts() (jobs, history, moves int) {
	return s.jobs.Len(), s.history.Len(), s.moves.Len()
}

// Charge returns the memory, in bytes, that a task takes from a node: its own and the hypervisor's overhead.
func (s *State) Charge(spec *Spec) Bytes { return spec.Requirement.Memory + s.overhead }

// saving returns the store space, in bytes, that pausing the job will take, without the pauses under way.
func (s *State) saving(j *Job) Bytes {
	tasks, moves := 0, s.moves.Len() > 0
	for i := range j.Tasks {
		if !j.Tasks[i].Present() || j.Tasks[i].Killed {
			continue
		}
		if moves {
			if m := s.Move(TaskID{j.ID, i}); m != nil && m.Kind == Pause {
				continue
			}
		}
		tasks++
	}
	return Bytes(tasks) * s.Charge(j.Spec)
}

// StoreRoom returns the space of the store that is free and not reserved, in bytes; negative means that there is no
// store.
func (s *State) StoreRoom() Bytes {
	if s.StoreFree < 0 {
		return -1
	}
	return max(0, s.StoreFree-s.reserved)
}

func (t tree[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) { t.Ascend(yield) }
}
