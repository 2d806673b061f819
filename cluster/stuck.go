package cluster

// Stuck tells whether the job can only be left where it is for now: a task of it is on a
// node that is silent, or contested by one that is silent or Clings to its copy, or failed to move so often that it is
// left alone for a while.
func (v *View) Stuck(j *Job) bool {
	_, stuck := v.obstacle(j)
	return stuck
}

// Reason returns why the job is where it is, as things are now. What keeps a Stuck job there comes before Job.Why,
// which a decision left, and seconds until something count from now.
func (v *View) Reason(j *Job) Reason {
	if why, stuck := v.obstacle(j); stuck {
		return why
	}
	switch {
	case j.Why.Code == WhyRetry:
		return Reason{j.ID, WhyRetry, []int64{j.Why.value(0), v.secondsUntil(j.retryAt())}}
	case j.Why.Code == WhyWaitsTick && v.NextTick() != 0:
		return Reason{j.ID, WhyWaitsTick, []int64{v.secondsUntil(v.NextTick())}}
	}
	return j.Why
}

// secondsUntil counts what is left until then in seconds, begun ones whole.
func (v *View) secondsUntil(at Time) int64 {
	return int64((max(0, at-v.At) + Second - 1) / Second)
}

// obstacle is what keeps the job where it is, if it is Stuck.
func (v *View) obstacle(j *Job) (why Reason, stuck bool) {
	if v.state.calm() {
		return why, false
	}
	for i := range j.Tasks {
		if !j.Tasks[i].Present() {
			continue
		}
		if code, values := v.obstructs(j, i); code != "" {
			return Reason{j.ID, code, values}, true
		}
	}
	return why, false
}

// calm reports whether no task can be Stuck: no node is silent, and no task waits to be tried again or is contested. It
// is nearly always so, and saves looking at every task of every job.
func (s *State) calm() bool { return s.silent.Len() == 0 && s.serene() }

// obstructs is what keeps a task that has a VM where it is; "": nothing.
func (v *View) obstructs(j *Job, index int) (ReasonCode, []int64) {
	t, id := &j.Tasks[index], TaskID{j.ID, index}
	if v.Node(t.Node).Health == Silent {
		return WhySilent, []int64{int64(index), int64(t.Node)}
	}
	switch rival := v.Contested(id); {
	case rival == 0:
	case v.Node(rival).Health == Silent:
		return WhyRivalSilent, []int64{int64(index), int64(rival)}
	case v.Clings(rival, id):
		return WhyClings, []int64{int64(index), int64(rival)}
	}
	if t.Attempts >= quarantineAfter && t.RetryAt > v.At {
		return WhyQuarantined, []int64{int64(index), int64(t.Attempts), v.secondsUntil(t.RetryAt)}
	}
	return "", nil
}
