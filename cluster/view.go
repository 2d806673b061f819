package cluster

import "iter"

// View is the state as policies and planners see it at one moment. It is read-only and
// independent of later commands; taking one copies nothing.
type View struct {
	*State
	At    Time
	still bool            // of a Model: Actual is Target, nothing fails, every node is ready, tasks end together
	costs func(*Job) Cost // of a Model; nil: what the state knows
	queue *queue          // of a Model; nil: nobody knows who waits
}

// View returns the state as it is at now, or at the state's own clock if that is ahead.
func (s *State) View(now Time) *View { return &View{State: s.Clone(), At: max(now, s.Now)} }

// Pending is the occasion to decide on: what came since the last adopted decision, as far as it can be acted on now.
func (v *View) Pending() Occasion {
	o := v.Occasion
	o.Due = o.Next != 0 && v.At >= o.Next
	if v.still {
		return o
	}
	o.Submitted = nil
	for _, id := range v.Occasion.Submitted {
		if j := v.Job(id); j != nil && v.Candidate(j) {
			o.Submitted = append(o.Submitted, id)
		}
	}
	return o
}

// WakeAt is the next time at which the occasion, or what may be moved, changes by itself; zero: never.
func (v *View) WakeAt() Time {
	wake := v.Occasion.Next
	if v.still {
		return wake
	}
	for j := range v.members(v.deferred) {
		for i := range j.Tasks {
			if at := j.Tasks[i].RetryAt; at > v.At {
				wake = earliest(wake, at)
			}
		}
	}
	return wake
}

func earliest(a, b Time) Time {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Candidates yields the jobs that a policy decides on, by id.
func (v *View) Candidates() iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		for j := range v.Jobs() {
			if v.Candidate(j) && !yield(j) {
				return
			}
		}
	}
}

// Candidate tells whether a policy may place the job now: it may run, and waits neither to be tried again nor for a
// node that contests it.
func (v *View) Candidate(j *Job) bool {
	return j.Schedulable() && (v.still || v.Target(j.ID) != nil || j.retryAt() <= v.At && v.disputed(j) == 0)
}

// retryAt is when all tasks of the job may be moved again.
func (j *Job) retryAt() (at Time) {
	for i := range j.Tasks {
		at = max(at, j.Tasks[i].RetryAt)
	}
	return at
}

// Mapped returns the job's adopted placement, or nil. A job with a task on a node that
// drains or is down counts as not mapped, so that the policy places it anew; a Stuck one stays.
func (v *View) Mapped(id JobID) *Placement {
	p := v.Target(id)
	if p == nil || v.still || v.Stuck(v.Job(id)) {
		return p
	}
	for _, n := range p.Nodes {
		if n != 0 && (v.Node(n).Health == Down || v.Node(n).Draining) {
			return nil
		}
	}
	return p
}

// Offer is what the node has for VMs of ours: nothing if it is down. Who may use it is
// Allows' to say.
func (v *View) Offer(n *Node) Offer {
	if n.Health == Down {
		return Offer{}
	}
	return n.Capacity()
}

// Open tells whether the node takes VMs that are not on it.
func (s *State) Open(n *Node) bool {
	return n.Health == Ready && !n.Cordoned && !n.Draining && s.reaches(n)
}

// reaches tells whether the node has proven the store, without which no VM begins there. Where no node has, that is no
// reason to choose another one.
func (s *State) reaches(n *Node) bool { return n.StoreProven || s.StoreFree < 0 }

// NoNode is the reason of a job that no node may take a task of, with what keeps each node from it.
func (v *View) NoNode(tasks int) Reason {
	var nodes, cordoned, draining, away, excluded, storeless int64
	for n := range v.Nodes() {
		nodes++
		switch {
		case n.Health != Ready:
			away++
		case n.Draining:
			draining++
		case n.Cordoned:
			cordoned++
		case !v.reaches(n):
			storeless++
		default:
			excluded++
		}
	}
	return Reason{Code: WhyNoNode, Values: []int64{int64(tasks), nodes, cordoned, draining, away, excluded, storeless}}
}

// Allows tells whether the job's tasks may be placed on the node: by its constraint, by its
// runs' platforms, and by the node's condition. Where a task is, it may stay when the node
// is cordoned or does not reach the store, but not when it drains; a Stuck job can be nowhere but where it is. A node
// on which the job failed to start is avoided as long as there is another one.
func (v *View) Allows(j *Job, n *Node) bool { return v.Allowing(j)(n) }

// Allowing is Allows for one job and many nodes: what is the same for all is found out once.
func (v *View) Allowing(j *Job) func(*Node) bool {
	if v.still {
		return func(n *Node) bool { return n.Allows(j.Spec, "") }
	}
	if v.Stuck(j) {
		return func(n *Node) bool { return n.Health != Down && j.on(n.ID) }
	}
	return func(n *Node) bool {
		if n.Health != Ready || n.Draining || !v.Open(n) && !j.on(n.ID) {
			return false
		}
		return v.suits(j, n) && !(j.avoids(n) && v.alternative(j))
	}
}

func (v *View) suits(j *Job, n *Node) bool {
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Phase != Done && !n.Allows(j.Spec, t.Platform) {
			return false
		}
	}
	return true
}

func (j *Job) avoids(n *Node) bool {
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Phase != Done && t.Avoid == n.ID {
			return true
		}
	}
	return false
}

// alternative tells whether there is a node open to the job that it does not avoid.
func (v *View) alternative(j *Job) bool {
	for n := range v.Nodes() {
		if v.Open(n) && v.suits(j, n) && !j.avoids(n) {
			return true
		}
	}
	return false
}

func (j *Job) on(id NodeID) bool {
	for i := range j.Tasks {
		if j.Tasks[i].Present() && j.Tasks[i].Node == id {
			return true
		}
	}
	return false
}

// Saving is the store space that pausing the job will take, as far as no pause is under way.
func (v *View) Saving(j *Job) Bytes {
	if !v.still {
		return v.saving(j)
	}
	if !j.Tasks[0].Present() {
		return 0
	}
	return Bytes(len(j.Tasks)) * v.Charge(j.Spec)
}

// Spare is the space of the store that no pause, under way or decided, will take; not above zero: none.
func (v *View) Spare() Bytes {
	spare := v.StoreRoom()
	if v.still {
		return spare
	}
	for j := range v.Unplaced() {
		if j.Ending == nil {
			spare -= v.saving(j)
		}
	}
	return spare
}

// Pausable tells whether the job may lose its placement and keep its work: nothing of it
// runs, or there is a store with room for its images.
func (v *View) Pausable(j *Job) bool {
	need := v.Saving(j)
	return need == 0 || v.StoreRoom() >= need
}
