package cluster

// keep puts a promise in place of an earlier one to its job.
func (s *State) keep(p *Promise) {
	s.forgo(p.Job)
	s.promises.put(p)
	s.turns.ReplaceOrInsert(p.turn())
}

// forgo removes the promise to a job, if there is one.
func (s *State) forgo(id JobID) {
	if p := s.promises.get(id); p != nil {
		s.turns.Delete(p.turn())
		s.promises.remove(id)
	}
}

// due returns the time from which the promise counts, in microseconds: its VMs are started then.
func (p *Promise) due() Time { return p.From - p.Lead }

// turn returns the next time at which the promise asks for a decision: when it falls due, and when it ends.
func (p *Promise) turn() Alarm {
	if p.Met {
		return Alarm{At: p.Until, Kind: AlarmPromise, Job: p.Job}
	}
	return Alarm{At: p.due(), Kind: AlarmPromise, Job: p.Job}
}
