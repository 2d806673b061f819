package cluster

import (
	"cmp"
	"slices"
)

// Refuse returns why the job is not taken, or nil.
func (a Submit) Refuse(s *State) *Rejection {
	_, r := a.admit(s)
	return r
}

// admit returns what the job is promised, or nil if it asks for nothing, or why it is not taken.
func (a Submit) admit(s *State) (*Promise, *Rejection) {
	if a.Spec == nil {
		return nil, reject(CodeInvalid, "", "a job needs a specification").Rejection
	}
	if r := cmp.Or(a.Spec.Validate(), s.Unready(a)); r != nil {
		return nil, r
	}
	a.Spec = s.adapted(a.Spec)
	if a.Hold < 0 || a.Hold > MaxHold {
		return nil, invalid("hold", "must be from 0 s to %s", MaxHold.Words())
	}
	if r := s.unacceptable(a); r != nil {
		return nil, r
	}
	p, r := s.promiseOf(a.Spec)
	return p, cmp.Or(r, s.unmeetable(a.Spec))
}

// unacceptable returns why a valid job is not taken, whatever it asks to be promised, or nil.
func (s *State) unacceptable(a Submit) *Rejection {
	if s.jobs.Len() >= maxJobs {
		return reject(CodeLimit, "",
			"%d jobs are unfinished, which is the most that are taken; try again when some have ended", maxJobs).Rejection
	}
	return cmp.Or(s.Unfit(a.Spec), s.Unconnectable(a.Spec), s.Impossible(a.Spec), s.Exceeded(a.Spec))
}

func (a Submit) apply(t *transaction) Result {
	p, r := a.admit(t.State)
	switch {
	case r == nil:
		j := t.enter(a.Spec, 0)
		t.book(j, p)
		return Result{Job: j.ID}
	case a.Hold > 0 && len(r.Alternatives) > 0:
		return t.offer(a, r)
	}
	return Result{Rejection: r}
}

// submit adds a job as a step of a workflow; zero: of none.
func (t *transaction) submit(spec *Spec, workflow JobID) *Rejection {
	p, r := (Submit{Spec: spec}).admit(t.State)
	if r != nil {
		return r
	}
	t.book(t.enter(spec, workflow), p)
	return nil
}

// enter adds a job that was not refused.
func (t *transaction) enter(spec *Spec, workflow JobID) *Job {
	j := &Job{ID: t.NextJob, Spec: t.adapted(spec), Submitted: t.Now, Tasks: make([]Task, spec.Tasks), Workflow: workflow,
		Why: Reason{Code: WhyNotDecided}}
	j.Why.Job = j.ID
	t.NextJob++
	t.connect(j)
	t.expect(j)
	t.jobs.put(j)
	t.tally(j.Spec, 1)
	t.waiting.ReplaceOrInsert(j.ID)
	t.edited[j.ID] = j
	t.emitJob(JobSubmitted, j.ID, Cause{Text: j.Spec.Name})
	t.await(j)
	t.wished(j)
	return j
}

func (a Cancel) apply(t *transaction) Result {
	j, r := t.steer(a.Job)
	if r != nil {
		return Result{Rejection: r}
	}
	outcome := Cancelled
	if t.command.Actor.Role == System {
		outcome = Failed
	}
	t.end(j, outcome, a.Cause)
	t.markEnded(Foreground) // also if it held nothing: others may wait behind it
	return Result{Job: a.Job}
}

func (a Hold) apply(t *transaction) Result {
	j, r := t.steer(a.Job)
	if r != nil {
		return Result{Rejection: r}
	}
	if j.Ending != nil {
		return reject(CodeConflict, "", "%v is already being stopped", j.ID)
	}
	if p := t.PromiseTo(j.ID); p != nil {
		return reject(CodeConflict, "", "%v has a promise until %s: cancel it instead", j.ID, p.End().Moment())
	}
	if !j.Held {
		j.Held, j.Why = true, Reason{Job: j.ID, Code: WhyHeld}
		t.giveUp(j)
		t.markEnded(Foreground)
		t.unwish(j.ID)
		t.emitJob(JobHeld, j.ID, Cause{})
	}
	return Result{Job: a.Job}
}

func (a Release) apply(t *transaction) Result {
	j, r := t.steer(a.Job)
	if r != nil {
		return Result{Rejection: r}
	}
	if j.Ending != nil {
		return reject(CodeConflict, "", "%v is already being stopped", j.ID)
	}
	if j.Held {
		j.Held, j.Why = false, Reason{Job: j.ID, Code: WhyNotDecided}
		t.emitJob(JobReleased, j.ID, Cause{})
		t.tellWait(j)
		t.wished(j)
	}
	return Result{Job: a.Job}
}

// end makes a job end. Running tasks are ordered to stop, ignoring back-off; tasks without a VM end immediately, unless
// they have a move under way.
func (t *transaction) end(j *Job, outcome Outcome, cause Cause) {
	if j.Ending != nil {
		return
	}
	j.Ending = &Ending{outcome, t.kept(cause)}
	t.emitJob(JobEnding, j.ID, cause.from(WhyOutcome, int64(outcome)))
	t.unpromise(j.ID)
	t.giveUp(j)
	t.unwish(j.ID)
	for i := range j.Tasks {
		j.Tasks[i].Attempts, j.Tasks[i].RetryAt, j.Tasks[i].Trouble = 0, 0, nil
	}
	t.finishIdle(j)
}

// finishIdle ends the tasks of an ending job that have neither a VM nor a move under way.
func (t *transaction) finishIdle(j *Job) {
	for i := range j.Tasks {
		if task := &j.Tasks[i]; !task.Present() && task.Phase != Done && t.Move(TaskID{j.ID, i}) == nil {
			t.finishTask(j, i)
		}
	}
	t.finishJob(j)
}

// finishTask marks the task as ended for good; it must not be present nor moving.
func (t *transaction) finishTask(j *Job, index int) {
	task := &j.Tasks[index]
	task.Phase, task.Node, task.Cap, task.Observed, task.Image, task.Frozen = Done, 0, 0, 0, 0, false
	task.Killed = false
	t.vacateNode(j.ID, index)
	t.release(j, index)
}

// release takes an ended task out of the job's placement.
func (t *transaction) release(j *Job, index int) {
	p := t.Target(j.ID)
	if p == nil || p.Nodes[index] == 0 {
		return
	}
	next := &Placement{Grant: p.Grant, Nodes: slices.Clone(p.Nodes)}
	next.Nodes[index] = 0
	next.Cores = p.kept(next.Nodes)
	t.place(j, next)
	t.markFreed(p) // the other tasks may get more where they are
}

// giveUp removes the job's placement, which may make room for others.
func (t *transaction) giveUp(j *Job) {
	if p := t.Target(j.ID); p != nil {
		t.place(j, nil)
		t.markFreed(p)
	}
}

// finishJob moves a job whose tasks have all ended to the history.
func (t *transaction) finishJob(j *Job) {
	if j.Live() > 0 || j.Ended != 0 {
		return
	}
	if j.Ending == nil {
		j.Ending = &Ending{Outcome: Succeeded}
	}
	t.unpromise(j.ID)
	t.place(j, nil)
	t.unwish(j.ID)
	j.Clock = j.Clock.at(t.Now, j.Spec.Need)
	j.Clock.Share, j.Clock.Steal, j.Ended = 0, 0, t.Now
	t.waiting.Delete(j.ID)
	t.unsettled.Delete(j.ID)
	t.learn(j)
	t.archive(j)
	t.emitJob(JobEnded, j.ID, Because(WhyOutcome, int64(j.Ending.Outcome)))
	t.over = append(t.over, j)
}

// markEnded notes that a job or task ended that may have had a placement in the tier.
func (t *transaction) markEnded(tier Tier) {
	t.Occasion.Ended, t.ended = true, t.Revision
	if tier == Foreground && t.Format >= tellsTiers {
		t.Occasion.EndedForeground = true
	}
}

func (t *transaction) markNodesChanged() { t.Occasion.NodesChanged, t.changed = true, t.Revision }
