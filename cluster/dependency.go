package cluster

import (
	"cmp"
	"slices"
)

// MaxAfter is the number of jobs that one job may wait for.
const MaxAfter = 1000

// A Dependency lets a job run only after another one has ended in a certain way.
type Dependency struct {
	Job  JobID
	When Outcomes
}

// Outcomes are the outcomes of a job that a Dependency asks for.
type Outcomes uint8

// Outcomes that dependencies may ask for.
const (
	OnSuccess Outcomes = iota // it succeeded
	OnFailure                 // it failed or was cancelled
	OnEnd                     // it ended in any way
)

func (w Outcomes) String() string { return [...]string{"succeeded", "failed", "ended"}[w] }

// words returns them as in "only if it has failed".
func (w Outcomes) words() string {
	return [...]string{"has succeeded", "has failed or was cancelled", "has ended"}[w]
}

// Include reports whether the outcome is one of them.
func (w Outcomes) Include(o Outcome) bool { return w == OnEnd || (w == OnSuccess) == (o == Succeeded) }

// dependent is an entry of the index of jobs by a job that they wait for. It is derived, neither stored nor hashed.
type dependent struct{ on, job JobID }

func (a dependent) less(b dependent) bool {
	return cmp.Or(cmp.Compare(a.on, b.on), cmp.Compare(a.job, b.job)) < 0
}

func (s *Spec) checkAfter() *Rejection {
	if len(s.After) > MaxAfter {
		return invalid("after", "a job waits for %d others at most, not %d", MaxAfter, len(s.After))
	}
	for i, d := range s.After {
		if d.Job < 1 || i > 0 && s.After[i-1].Job >= d.Job {
			return invalid("after", "name each job once")
		}
	}
	if len(s.After) > 0 && (s.Reserve != nil || s.Deadline != nil) {
		return invalid("after", "a job that is promised an interval or its end cannot wait for others: nobody knows when they end")
	}
	return nil
}

// unmeetable returns why a job that the spec waits for is unknown or has not ended as needed, or nil.
func (s *State) unmeetable(spec *Spec) *Rejection {
	for _, d := range spec.After {
		past := s.Ended(d.Job)
		switch {
		case s.Job(d.Job) != nil || past != nil && d.When.Include(past.Ending.Outcome):
		case past != nil:
			return reject(CodeConflict, "after", "%v has ended (%v), and this job may run only if it %v", d.Job,
				past.Ending.Outcome, d.When.words()).Rejection
		default:
			return reject(CodeNotFound, "after", "there is no job %v, or it was forgotten", d.Job).Rejection
		}
	}
	return nil
}

// open returns the jobs that the spec waits for and that have not ended.
func (s *State) open(spec *Spec) (list []JobID) {
	for _, d := range spec.After {
		if s.Job(d.Job) != nil {
			list = append(list, d.Job)
		}
	}
	return list
}

// noteDependencies enters the job in the index of those that wait.
func (s *State) noteDependencies(j *Job) {
	for _, id := range s.open(j.Spec) {
		s.dependents.ReplaceOrInsert(dependent{id, j.ID})
	}
}

// await makes a new job wait for the jobs of its spec that have not ended.
func (t *transaction) await(j *Job) {
	t.noteDependencies(j)
	j.Waits = len(t.open(j.Spec))
	t.tellWait(j)
}

// tellWait says of a job that is not held that it waits for others, if it does. If the others have ended in this
// command, too, the job hears of them next.
func (t *transaction) tellWait(j *Job) {
	open := t.open(j.Spec)
	if j.Waits == 0 || j.Held || len(open) == 0 && t.Format >= hearsMany {
		return
	}
	if j.Why.Code != WhyAfter {
		t.emitJob(JobDependent, j.ID, Cause{})
	}
	j.Why = Reason{Job: j.ID, Code: WhyAfter, Values: []int64{int64(open[0]), int64(len(open) - 1)}}
}

// wished notes that a job wants a placement, unless it must wait.
func (t *transaction) wished(j *Job) {
	if j.Schedulable() {
		t.wish(j.ID)
	}
}

// meetAll tells the jobs that wait for those that this command has ended, and for those that end thereby.
func (t *transaction) meetAll() {
	for len(t.over) > 0 {
		ended := t.over[0]
		t.over = t.over[1:]
		t.meet(ended)
	}
}

// meet tells the jobs that wait for one that has ended.
func (t *transaction) meet(ended *Job) {
	var waiting []JobID
	t.dependents.AscendGreaterOrEqual(dependent{on: ended.ID}, func(d dependent) bool {
		if d.on == ended.ID {
			waiting = append(waiting, d.job)
		}
		return d.on == ended.ID
	})
	for _, id := range waiting {
		t.dependents.Delete(dependent{ended.ID, id})
		if t.Job(id) != nil {
			t.hear(t.edit(id), ended)
		}
	}
}

// hear counts a job that has ended for one that waited for it: that one may run after the last, or never.
func (t *transaction) hear(j, ended *Job) {
	j.Waits--
	if j.Ending != nil {
		return
	}
	at := slices.IndexFunc(j.Spec.After, func(d Dependency) bool { return d.Job == ended.ID })
	switch {
	case !j.Spec.After[at].When.Include(ended.Ending.Outcome):
		j.Eligible = t.Now // its flow time never began
		t.end(j, Cancelled, Because(WhyUnmet, int64(ended.ID), int64(ended.Ending.Outcome)))
	case j.Waits > 0:
		t.tellWait(j)
	default:
		t.begin(j)
	}
}

// begin lets a job run that has waited for others, unless its user holds it.
func (t *transaction) begin(j *Job) {
	j.Eligible = t.Now
	if j.Held {
		return
	}
	j.Why = Reason{Job: j.ID, Code: WhyNotDecided}
	t.emitJob(JobEligible, j.ID, Because(WhyMet))
	t.wish(j.ID)
}
