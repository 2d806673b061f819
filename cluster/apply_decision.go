package cluster

import "slices"

func (a Adopt) apply(t *transaction) Result {
	t.adopt(a)
	for _, h := range a.Set {
		if j := t.Job(h.Job); j != nil && j.Schedulable() && t.Target(h.Job) == nil && !t.PromiseTo(h.Job).early(t.Now) {
			t.edit(h.Job).Why = Reason{Job: h.Job, Code: WhyNotDecided}
		}
	}
	t.clear(a)
	return Result{}
}

func (a Enact) apply(t *transaction) Result {
	if a.Basis != t.before {
		return reject(CodeStaleBasis, "basis",
			"the plan was made for revision %d, the state is at %d: ask for the plan again", a.Basis, t.before)
	}
	var result Result
	switch wish := a.Wish.(type) {
	case nil:
	case SetPolicy:
		if r := t.require(Admin); r != nil {
			return Result{Rejection: r}
		}
		result = wish.apply(t)
	case Submit, Stand, SetNode:
		result = wish.apply(t)
	default:
		return reject(CodeInvalid, "wish", "a plan cannot carry %T", wish)
	}
	if result.Rejection == nil {
		a.Decision.Basis = t.Revision
		a.Decision.apply(t)
	}
	return result
}

// adopt makes the decision the Target: as a whole if it fits, else the part that fits. Jobs that move fewer tasks go
// first, in the decision's order among equals.
func (t *transaction) adopt(a Adopt) {
	t.earlier = t.nodes.clone()
	t.turnPromises()
	d := adoption{State: t.State, to: t}
	fits := d.adopt(a)
	kept := t.honour()
	if !fits || len(kept) > 0 {
		t.repair(d.set)
	}
	t.makeRoom(kept)
	d.conclude(a)
	latest := a.Basis >= t.author.at // otherwise the target that this difference was made against has been replaced
	if t.author = (author{at: t.Revision}); d.fault == nil && latest {
		t.author.name = a.By
	}
	for _, id := range d.dropped {
		t.emitJob(JobUnplaced, id, Cause{Why: []Reason{t.Job(id).Why}})
	}
	for _, c := range append(d.set, kept...) {
		t.announce(c)
	}
}

// repair adopts the part of the decision that still fits. A job whose new placement does not fit keeps its old one, if
// that fits. Jobs that get what they were promised come first.
func (t *transaction) repair(set []change) {
	set = slices.DeleteFunc(slices.Clone(set), func(c change) bool { return t.PromiseTo(c.job).inForce(t.Now) })
	for _, c := range set {
		t.place(t.edit(c.job), nil)
	}
	slices.SortStableFunc(set, func(x, y change) int { return t.displaced(x) - t.displaced(y) })
	for _, c := range set {
		if !t.squeeze(c.job, c.now) {
			t.wish(c.job)
			t.squeeze(c.job, c.was)
		}
	}
}

// squeeze gives the job the placement if it fits, and reports whether it does.
func (t *transaction) squeeze(id JobID, p *Placement) bool {
	if p == nil {
		return false
	}
	t.place(t.edit(id), p)
	if t.overfull(t, p) == nil {
		return true
	}
	t.place(t.edit(id), nil)
	return false
}

// announce emits the event for the change of the job's placement, if it changed.
func (t *transaction) announce(c change) {
	p := t.Target(c.job)
	switch {
	case p == nil && c.was != nil:
		t.emitJob(JobUnplaced, c.job, Because(WhyNoFit))
	case p != nil && (c.was == nil || c.was.Grant != p.Grant || !slices.Equal(c.was.Nodes, p.Nodes)):
		why := Cause{Why: []Reason{t.Job(c.job).Why}}
		t.emit(Event{Kind: JobPlaced, Job: c.job, Task: -1, CPU: p.Cap, Tier: p.Tier, Cause: why})
	}
}

// displaced counts the tasks that a change would move.
func (t *transaction) displaced(c change) int {
	n, j := 0, t.Job(c.job)
	for i := range j.Tasks {
		if j.Tasks[i].Phase != Done && t.whereabouts(j, i) != c.now.Nodes[i] {
			n++
		}
	}
	return n
}

// place gives the job a placement, or none, and keeps the nodes' loads.
func (t *transaction) place(j *Job, p *Placement) {
	t.retarget(t, j, p)
	if p != nil {
		t.waiting.Delete(j.ID)
		return
	}
	t.waiting.ReplaceOrInsert(j.ID)
	t.unsettled.ReplaceOrInsert(j.ID) // until resettle has looked at its tasks
}

// refuse ends a job that can never run.
func (t *transaction) refuse(j *Job, why Reason) {
	t.end(t.edit(j.ID), Failed, Cause{Why: []Reason{why}})
}

// kill gives up the work of a job. That is neither a loss nor a failure.
func (t *transaction) kill(j *Job) {
	t.State.kill(j)
	t.emitJob(JobKilled, j.ID, Cause{Why: []Reason{j.Why}})
}

// load adds to the node's load.
func (t *transaction) load(id NodeID, more Load) {
	t.editNode(id).Load.add(more)
}

// loadBefore returns the node's load before the decision.
func (t *transaction) loadBefore(id NodeID) Load { return t.earlier.get(id).Load }

// clear removes the changes that the decision saw from the occasion, and takes over its alarms.
func (t *transaction) clear(a Adopt) {
	open := make(map[JobID]bool, len(a.Set)) // the decision set a placement that did not fit
	for _, h := range a.Set {
		open[h.Job] = t.Target(h.Job) == nil
	}
	seen := make(map[JobID]bool, len(a.Seen.Submitted))
	for _, id := range a.Seen.Submitted {
		seen[id] = !open[id]
	}
	t.Occasion.Submitted = slices.DeleteFunc(slices.Clone(t.Occasion.Submitted), func(id JobID) bool { return seen[id] })
	if t.ended <= a.Basis {
		t.Occasion.Ended, t.Occasion.EndedForeground = false, false
	}
	t.forgetFreed(a.Basis)
	if t.changed <= a.Basis {
		t.Occasion.NodesChanged = false
	}
	if a.Basis == t.Revision || t.Agenda.Next(AlarmTick) == a.Tick { // else another policy was chosen meanwhile
		t.Agenda = t.agenda(a.Alarms)
	}
}
