package cluster

import (
	"fmt"
	"runtime/debug"
)

// Apply applies the command as the given revision, which must be above the last. A rejected command changes nothing but
// the revision and the clock. A panic in an action is contained: the half-done change is discarded, on every replica
// alike.
func (s *State) Apply(revision uint64, c Command) Result {
	if revision <= s.Revision {
		panic(fmt.Sprintf("cluster: revision %d applied after %d", revision, s.Revision))
	}
	last := s.Revision
	s.Revision, s.Now = revision, s.clockAfter(c)
	if done, ok := s.repeated(c); ok {
		return done
	}
	if again, ok := s.refusedBefore(c); ok {
		return again
	}
	t := &transaction{State: s.Clone(), command: c, origin: s, before: last, edited: map[JobID]*Job{},
		growth: map[NodeID]CPU{}}
	t.Occasion = s.Occasion // with the spare capacity of its list: t takes the place of s
	result := t.run()
	result.Revision = revision
	if result.Rejection != nil {
		s.refuse(c)
		return result
	}
	t.remember(c.Request, result)
	result.Events = t.events
	*s = *t.State
	return result
}

// transaction applies one command to a private clone of the state.
type transaction struct {
	*State
	command  Command
	origin   *State // before the command; not changed
	before   uint64 // revision before the command
	edited   map[JobID]*Job
	growth   map[NodeID]CPU      // of the sum of smallest shares, by edited node
	earlier  table[NodeID, Node] // nodes before the decision being adopted
	events   []Event
	broken   int    // promises that this command broke
	loosened bool   // a promise ended, or a part of one
	over     []*Job // jobs that this command has ended, of which those that wait for them have not been told
	strays   NodeID // node with a list of strays that this command has copied already; 0: none
}

func (t *transaction) run() (result Result) {
	defer func() {
		if r := recover(); r != nil {
			result = reject(CodeInternalBug, "", "revision %d, %T: %v\n%s", t.Revision, t.command.Action, r, debug.Stack())
		}
	}()
	if r := t.authorize(); r != nil {
		return Result{Rejection: r}
	}
	t.expireOffers()
	result = t.command.Action.apply(t)
	if result.Rejection == nil {
		t.meetAll()
		t.stepStandings()
		t.advance()
		t.review()
		t.reviewOffers()
		t.settleClocks()
		t.clockPromises()
		for id := range t.edited {
			t.relocate(id, t.origin.nodesOfJob(id))
			t.resettle(id)
		}
		t.resurvey()
	}
	return result
}

// authorize checks the command's authority: the leader by its epoch, people by their role.
func (t *transaction) authorize() *Rejection {
	c := &t.command
	switch c.Action.(type) {
	case Adopt, StartMoves, AbortMove, Report, Join, SetHealth, SetLink, Checkpoint, Raise:
		if c.Epoch != t.Epoch {
			return t.staleEpoch()
		}
		return nil
	case Claim, Import, Admit:
		return t.require(System)
	case SetTime:
		if c.Actor.Role == System && c.Epoch != t.Epoch { // a deposed leader's own
			return t.staleEpoch()
		}
		return t.require(Admin)
	case SetPolicy, PutToken, SetQuota, SetSubnet:
		return t.require(Admin)
	case SetNode, Maintain, Reopen, RemoveNode, Invite, SettleStray, PutImage, RemoveImage, Enact, SetTheta:
		return t.require(Operator)
	}
	return t.require(User)
}

func (t *transaction) staleEpoch() *Rejection {
	return &Rejection{Code: CodeStaleEpoch,
		Detail: fmt.Sprintf("epoch %d is not the current one, %d: another manager leads", t.command.Epoch, t.Epoch)}
}

func (t *transaction) require(least Role) *Rejection {
	if t.command.Actor.Role < least {
		return &Rejection{Code: CodeForbidden, Detail: fmt.Sprintf("%q has the role %v; this needs %v", t.command.Actor.Name,
			t.command.Actor.Role, least)}
	}
	return nil
}

// Steers reports whether the actor may change jobs of the specification, and act in their VMs.
func (a Actor) Steers(s *Spec) bool {
	return a.Role >= Operator || a.Owner == s.Owner && a.Project == s.Project
}

// steer returns the job for editing if the actor may steer it.
func (t *transaction) steer(id JobID) (*Job, *Rejection) {
	j := t.Job(id)
	if j == nil || j.Ended != 0 {
		if past := t.Ended(id); past != nil {
			return nil, &Rejection{Code: CodeConflict, Detail: fmt.Sprintf("%v has ended: %v", id, past.Ending.Outcome)}
		}
		return nil, &Rejection{Code: CodeNotFound, Detail: fmt.Sprintf("there is no job %v", id)}
	}
	if !t.command.Actor.Steers(j.Spec) {
		return nil, &Rejection{Code: CodeForbidden, Detail: fmt.Sprintf("%v belongs to %s in project %s", id, j.Spec.Owner,
			j.Spec.Project)}
	}
	return t.edit(id), nil
}

// edit returns the job for changing; it must exist.
func (t *transaction) edit(id JobID) *Job {
	if j := t.edited[id]; j != nil {
		return j
	}
	j := t.Job(id)
	if j == nil {
		panic(fmt.Sprintf("no job %v to edit", id))
	}
	j = j.clone()
	t.edited[id] = j
	t.jobs.put(j)
	return j
}

// editNode returns the node for changing; it must exist.
func (t *transaction) editNode(id NodeID) *Node {
	n := t.Node(id)
	if n == nil {
		panic(fmt.Sprintf("no node %d to edit", id))
	}
	n = n.clone()
	t.nodes.put(n)
	t.growth[id] += 0
	t.sum = nil
	return n
}

// settleClocks integrates the virtual time of every edited job up to now and takes its new rate.
func (t *transaction) settleClocks() {
	for _, j := range t.edited {
		j.Clock = j.Clock.at(t.Now, j.Spec.Need)
		j.Clock.At = t.Now
		j.Clock.Share, j.Clock.Steal = t.pace(j, t.Format >= observes)
		if j.Started == 0 && j.Clock.Share > 0 {
			j.Started = t.Now
		}
	}
}

func (t *transaction) emit(e Event) {
	e.Revision, e.Index, e.At, e.Actor = t.Revision, len(t.events), t.Now, t.command.Actor.Name
	t.events = append(t.events, e)
}

func (t *transaction) emitJob(kind EventKind, id JobID, cause Cause) {
	t.emit(Event{Kind: kind, Job: id, Task: -1, Cause: cause})
}

func (t *transaction) emitNode(kind EventKind, id NodeID, cause Cause) {
	t.emit(Event{Kind: kind, Node: id, Task: -1, Cause: cause})
}
