package cluster

// Stuck reports whether the job must stay where it is for now. One of its tasks is on a node that is silent or whose
// hypervisor is, or is contested by a node that is silent or Clings to its copy, or has failed to move so often that it
// is left alone for a while.
func (v *View) Stuck(j *Job) bool {
	_, stuck := v.obstacle(j)
	return stuck
}

// Reason returns the present reason for the job's state. The obstacle of a Stuck job takes precedence over Job.Why,
// which dates from a decision. Seconds until an event are counted from now, the yield of a placed job is that of its
// placement, and a promised start that has passed is not told any more.
func (s *Snapshot) Reason(j *Job) Reason {
	v := s.View()
	if why, stuck := v.obstacle(j); stuck {
		return why
	}
	switch {
	case j.Why.Code == WhyRetry:
		return Reason{j.ID, WhyRetry, []int64{j.Why.value(0), v.secondsUntil(j.retryAt())}}
	case j.Why.Code == WhyNotDecided && j.retryAt() > v.At: // as after it was held and released
		return Reason{j.ID, WhyRetry, []int64{j.attempts(), v.secondsUntil(j.retryAt())}}
	case j.Why.Code == WhyWaitsTick && v.NextTick() != 0:
		return Reason{j.ID, WhyWaitsTick, []int64{v.secondsUntil(v.NextTick())}}
	case s.outlived(j):
		return s.overdue(j)
	case (j.Why.Code == WhyPlaced || j.Why.Code == WhyBackground) && !s.begun(j):
		return Reason{j.ID, WhyToStart, s.placed(j).Values}
	}
	return s.placed(j)
}

// outlived reports whether the job waits on although its promised start has passed.
func (s *Snapshot) outlived(j *Job) bool {
	start, booked := j.promisedStart()
	return booked && start <= s.At
}

// overdue returns the reason of an outlived job. It names the job that should have ended if that is past its
// estimate.
func (s *Snapshot) overdue(j *Job) Reason {
	r := Reason{j.ID, WhyOverdue, []int64{j.Why.value(0), j.Why.value(1), 0, 0}}
	if j.Why.Code == WhyPromisedCores {
		r.Code = WhyOverdueCores
	}
	awaited := JobID(j.Why.value(3))
	if o := s.Job(awaited); o != nil && s.Target(awaited) != nil && o.Forecast(s.At) <= o.VirtualTime(s.At) {
		r.Values[2], r.Values[3] = int64(awaited), j.Why.value(4)
	}
	return r
}

// attempts returns the most moves of one of the job's tasks that failed in a row.
func (j *Job) attempts() (most int64) {
	for i := range j.Tasks {
		most = max(most, int64(j.Tasks[i].Attempts))
	}
	return most
}

// placed returns the reason of the job's decision with its present yield: not every decision that changes that has a
// reason.
func (s *Snapshot) placed(j *Job) Reason {
	p := s.Target(j.ID)
	if j.Why.Code != WhyPlaced || p == nil {
		return j.Why
	}
	return Reason{j.ID, WhyPlaced, []int64{int64(p.Cap * 1000 / j.Spec.Need)}}
}

// begun reports whether a task of the job has a VM or a move that gives it one.
func (s *State) begun(j *Job) bool {
	for i := range j.Tasks {
		if j.Tasks[i].Present() || s.Move(TaskID{j.ID, i}) != nil {
			return true
		}
	}
	return false
}

// secondsUntil returns the time from now to at in seconds, rounded up; 0 if at has passed.
func (v *View) secondsUntil(at Time) int64 {
	return int64((max(0, at-v.At) + Second - 1) / Second)
}

// obstacle returns the reason that the job is Stuck, and whether it is.
func (v *View) obstacle(j *Job) (why Reason, stuck bool) {
	if v.state.noneStuck() {
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

// noneStuck reports whether no job can be Stuck: no node or hypervisor is silent, and no task awaits a retry or is
// contested. This is nearly always so, and saves a look at every task of every job.
func (s *State) noneStuck() bool { return s.silent.Len() == 0 && s.noneBlocked() }

// obstructs returns the code and values of the reason that a task with a VM must stay where it is; "" means none.
func (v *View) obstructs(j *Job, index int) (ReasonCode, []int64) {
	t, id := &j.Tasks[index], TaskID{j.ID, index}
	if v.Node(t.Node).Health == Silent {
		return WhySilent, []int64{int64(index), int64(t.Node)}
	}
	if v.Node(t.Node).HypervisorSilent {
		return WhyHypervisor, []int64{int64(index), int64(t.Node)}
	}
	if v.Node(t.Node).Unlinked != 0 {
		return WhyUnreachable, []int64{int64(index), int64(t.Node)}
	}
	switch rival := v.Contested(id); {
	case rival == 0:
	case v.Node(rival).Health == Silent:
		return WhyRivalSilent, []int64{int64(index), int64(rival)}
	case v.Node(rival).Clings(RunID{j.ID, index, t.Run}):
		return WhyClings, []int64{int64(index), int64(rival)}
	}
	if t.Attempts >= quarantineAfter && t.RetryAt > v.At {
		return WhyQuarantined, []int64{int64(index), int64(t.Attempts), v.secondsUntil(t.RetryAt)}
	}
	return "", nil
}
