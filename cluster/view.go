package cluster

import (
	"iter"
	"slices"
)

// View is the state as policies and planners see it at one moment. It is read-only, independent of later commands, and
// taking one copies nothing. It gives no access to the State: a policy can neither apply a command nor read a user's
// token. Of the join tokens of nodes it can read the hashes (Node.Invitation), never the secrets.
//
// An Oracle answers the questions that the state cannot.
type View struct {
	At     Time // the present, in microseconds; not before the state's own clock
	state  *State
	oracle Oracle
	queue  *queue // of a Model: its jobs without a placement, by width; nil: the State's own index is used
	// of a Model: the intervals that are kept for jobs; nil: a State keeps none
	promises *Promises
	part     *part // limits it to the standard jobs; nil: it has all jobs
}

// View returns the state as it is at now, or at the state's own clock if that is ahead.
func (s *State) View(now Time) *View { return s.Snapshot(now).View() }

// TellsTiers reports whether occasions know the tier of ended jobs. Below its Format each end may be in the foreground.
func (v *View) TellsTiers() bool { return v.state.Format >= tellsTiers }

// Pending returns the occasion to decide on: the changes since the last adopted decision that can be acted on now.
func (v *View) Pending() Occasion {
	o := v.state.Occasion
	o.Due = v.state.due(v.At)
	o.NodesChanged = o.NodesChanged || v.state.turned(v.At) // they have more or less for the other jobs
	if v.state.noneBlocked() && v.part == nil && v.state.promises.Len() == 0 {
		return o // all of them are candidates
	}
	o.Submitted = nil
	var retries []Alarm
	for _, id := range v.state.Occasion.Submitted {
		if j := v.Job(id); j != nil && v.shows(j) && v.Candidate(j) {
			o.Submitted = append(o.Submitted, id)
			j.eachRetry(func(a Alarm) { retries = append(retries, a) })
		}
	}
	if len(retries) > 0 && v.state.Format >= keepsAlarms {
		o.Due = append(retries, o.Due...)
		slices.SortFunc(o.Due, Alarm.compare)
		o.Due = slices.Compact(o.Due)
	}
	return o
}

// WakeAt returns the next time at which the occasion, or the set of tasks that may be moved, changes by itself; zero
// means never.
func (v *View) WakeAt() Time {
	wake := Time(0)
	if later := v.state.Agenda[v.state.Agenda.later(v.At):]; len(later) > 0 {
		wake = later[0].At
	}
	for a := range v.state.retriesAfter(v.At) {
		wake = earliest(wake, a.At)
		break
	}
	wake = earliest(wake, v.state.standsAfter(v.At))
	return earliest(earliest(wake, v.state.turnAfter(v.At)), v.state.expiryAfter(v.At))
}

// Agenda returns those of the wanted alarms that the state keeps. Managers of earlier versions cannot read others.
func (v *View) Agenda(wanted []Alarm) Agenda { return v.state.agenda(wanted) }

// Grant returns the form in which the state keeps the grant of the wanted placement of the job: no more than its tasks
// can use on the slowest of their nodes. Managers of earlier versions know only the usual grants of the tiers.
func (v *View) Grant(j *Job, wanted *Placement) Grant { return v.state.grant(wanted, j.Spec) }

// NextTick returns the time at which the periodic decision is or was due; zero means that none was asked for.
func (v *View) NextTick() Time { return v.state.Agenda.Next(AlarmTick) }

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

// Candidate reports whether a policy may place the job now: it may run, and waits neither to be tried again nor for a
// node that contests it, nor for the interval that it was promised.
func (v *View) Candidate(j *Job) bool {
	if v.promiseTo(j).early(v.At) {
		return false
	}
	if !j.Schedulable() || v.state.noneBlocked() {
		return j.Schedulable()
	}
	return v.Target(j.ID) != nil || j.retryAt() <= v.At && v.state.disputed(j) == 0
}

// promiseTo returns the promise to the job as it is at the time of the view, or nil.
func (v *View) promiseTo(j *Job) *Promise { return v.state.promises.get(j.ID).at(j, v.At) }

// noneBlocked reports whether no task awaits a retry and no node contests one. This is nearly always so, and saves a
// look at every task of every job.
func (s *State) noneBlocked() bool { return s.retries.Len() == 0 && s.contests.Len() == 0 }

// retryAt returns the time from which all tasks of the job may be moved again; zero means at once.
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
	if p == nil || v.Stuck(v.Job(id)) {
		return p
	}
	for _, n := range p.Nodes {
		if n != 0 && v.Condition(v.Node(n)) == NodeLeaving {
			return nil
		}
	}
	return p
}

// Open reports whether the node takes VMs that are not on it.
func (s *State) Open(n *Node) bool {
	return n.Reachable() && n.Awaited == 0 && !n.Cordoned && !n.Draining && s.reaches(n)
}

// reaches reports whether the node has proven the store; without it no VM starts there. While no node has proven the
// store, all nodes count as reaching it: there is no better one to choose.
func (s *State) reaches(n *Node) bool { return n.StoreProven || s.StoreFree < 0 }

// Allows reports whether a task of the job may run on the node, as State.Allows does.
func (v *View) Allows(n *Node, spec *Spec, platform string) bool {
	return v.state.Allows(n, spec, platform)
}

// LacksLimit is State.LacksLimit.
func (v *View) LacksLimit(n *Node, spec *Spec) bool { return v.state.LacksLimit(n, spec) }

// Allowing returns the rule by which the job's tasks may be placed on nodes: by its constraint, by the platforms of
// its runs, and by the node's condition. A task may stay where it is, or where a migration under way brings it, when
// the node takes no others, but not when it has to be left; a Stuck job can be nowhere but where it is. A job that
// runs, and may stay, is kept where it is if one of its nodes is Immobile, and goes to none that is: it would have to
// be paused. A node on which the job failed to start is avoided for a while, as long as the others have the memory. A
// policy may need more nodes than that, for instance one for each task. The facts that are the same for all nodes are
// computed once.
func (v *View) Allowing(j *Job) func(*Node) bool {
	if v.Stuck(j) {
		return func(n *Node) bool { return n.Health != Down && j.on(n.ID) }
	}
	settled, rooted := v.settled(j)
	held := v.Target(j.ID) // where it may be on its way to
	takes := func(n *Node) bool {
		c := v.Condition(n)
		alive := !settled || !rooted && !n.Description.Immobile || held != nil && slices.Contains(held.Nodes, n.ID)
		if c == NodeClosed {
			return v.comesTo(j, n.ID)
		}
		return c == NodeOpen && (alive && v.state.limits(n, j.Spec.Network) || j.on(n.ID))
	}
	platforms, avoided := v.bonds(j)
	if !j.Spec.Choosy() && len(platforms)+len(avoided) == 0 {
		return takes
	}
	avoids := len(avoided) > 0 && !rooted && v.alternative(j, platforms, avoided)
	return func(n *Node) bool {
		return n.suits(j.Spec, platforms) && takes(n) && !(avoids && contains(avoided, n.ID))
	}
}

// settled reports whether all live tasks of the job have VMs that may stay where they are, so that the job goes to
// other nodes alive or not at all, and whether one of them is on a node that is Immobile.
func (v *View) settled(j *Job) (settled, rooted bool) {
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase == Done {
			continue
		}
		if !t.Present() || v.Condition(v.Node(t.Node)) == NodeLeaving {
			return false, false
		}
		rooted = rooted || v.Node(t.Node).Description.Immobile
	}
	return true, rooted
}

// avoidFor is how long after it may be tried again a task avoids the node on which it failed to start.
const avoidFor = 2 * Minute

// shuns reports whether the task failed to start on the node a short time ago.
func (t *Task) shuns(n NodeID, now Time) bool { return t.Avoid == n && now < t.RetryAt+avoidFor }

// shuns reports whether one of the job's live tasks does.
func (j *Job) shuns(n NodeID, now Time) bool {
	return slices.ContainsFunc(j.Tasks, func(t Task) bool { return t.Phase != Done && t.shuns(n, now) })
}

// bonds lists the platforms to which live tasks of the job are bound, and the nodes that they avoid.
func (v *View) bonds(j *Job) (platforms []string, avoided []NodeID) {
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase == Done {
			continue
		}
		if t.Platform != "" && !contains(platforms, t.Platform) {
			platforms = append(platforms, t.Platform)
		}
		if t.Avoid != 0 && t.shuns(t.Avoid, v.At) && !contains(avoided, t.Avoid) {
			avoided = append(avoided, t.Avoid)
		}
	}
	return platforms, avoided
}

// suits reports whether the node may take tasks of the job that are bound to all of these platforms.
func (n *Node) suits(spec *Spec, platforms []string) bool {
	for _, p := range platforms {
		if !n.offers(p) {
			return false
		}
	}
	return n.allows(spec, "")
}

// alternative reports whether open nodes that the job does not avoid have the memory for all its tasks. The node
// where a start failed once may be in order again, so the job should not wait beside it for room elsewhere.
func (v *View) alternative(j *Job, platforms []string, avoided []NodeID) bool {
	homeless, charge := j.Live(), v.Charge(j.Spec)
	other := map[NodeID]bool{}
	for n := range v.Nodes() {
		if v.Condition(n) == NodeOpen && v.state.limits(n, j.Spec.Network) && n.suits(j.Spec, platforms) &&
			!contains(avoided, n.ID) {
			other[n.ID] = true
			homeless -= int(max(0, n.Capacity().Memory-n.Load.Memory) / charge)
		}
	}
	if held := v.Target(j.ID); held != nil {
		for _, id := range held.Nodes {
			if other[id] {
				homeless--
			}
		}
	}
	return homeless <= 0
}

// Bound returns the node that the task's VM is on, or that a migration under way brings it to. A node that is down gets
// none: the migration fails.
func Bound(v *View, task TaskID) NodeID {
	m := v.Move(task)
	if m == nil || m.Kind != Migrate || m.Aborted || v.Node(m.To).Health == Down {
		return v.Job(task.Job).Tasks[task.Index].Node
	}
	return m.To
}

// comesTo reports whether a VM of the job is on the node to stay, or on its way there.
func (v *View) comesTo(j *Job, id NodeID) bool {
	for i := range j.Tasks {
		if j.Tasks[i].Present() && Bound(v, TaskID{j.ID, i}) == id {
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

// Saving returns the store space, in bytes, that pausing the job will take, without the pauses under way.
func (v *View) Saving(j *Job) Bytes { return v.state.saving(j) }

// Spare returns the space of the store, in bytes, that no pause under way or decided will take. Zero or less means
// none.
func (v *View) Spare() Bytes { return v.state.spare() - v.reserve() }

// spare implements Spare. It looks only at unsettled jobs: a settled job without a placement has nothing to save.
func (s *State) spare() Bytes {
	spare := s.StoreRoom()
	for j := range s.Unsettled() {
		if j.Ending == nil && s.Target(j.ID) == nil {
			spare -= s.saving(j)
		}
	}
	return spare
}
