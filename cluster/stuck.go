package cluster

// Stuck tells whether the job can only be left where it is for now: a task of it is on a
// node that is silent, or contested by one that is silent or Clings to its copy, or failed to move so often that it is
// left alone for a while.
func (v *View) Stuck(j *Job) bool {
	_, stuck := v.obstacle(j)
	return stuck
}

// Why is the job's reason as things are now: what keeps a Stuck job where it is comes before what was decided for it, and
// seconds until something are those that are left.
func (v *View) Why(j *Job) Reason {
	if why, stuck := v.obstacle(j); stuck {
		return why
	}
	switch {
	case j.Why.Code == WhyRetry:
		return Reason{j.ID, WhyRetry, []int64{j.Why.value(0), v.secondsUntil(j.retryAt())}}
	case j.Why.Code == WhyWaitsTick && v.Occasion.Next != 0:
		return Reason{j.ID, WhyWaitsTick, []int64{v.secondsUntil(v.Occasion.Next)}}
	}
	return j.Why
}

// secondsUntil counts what is left until then in seconds, begun ones whole.
func (v *View) secondsUntil(at Time) int64 {
	return int64((max(0, at-v.At) + Second - 1) / Second)
}

// obstacle is what keeps the job where it is, if it is Stuck.
func (v *View) obstacle(j *Job) (why Reason, stuck bool) {
	if v.still {
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
