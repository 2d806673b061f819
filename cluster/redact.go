package cluster

// Redacted returns a copy of the state without secrets, for bug reports: the values of environments are empty, and the
// hashes of tokens and invitations are zero. Policies decide on the copy as on the state.
func (s *State) Redacted() *State {
	c := s.Clone()
	redactAll(c.jobs, s.jobs)
	redactAll(c.history, s.history)
	for n := range s.nodes.all() {
		if n.Invitation != nil {
			bare := n.clone()
			bare.Invitation = &Invitation{Expires: n.Invitation.Expires}
			c.nodes.put(bare)
		}
	}
	for t := range s.tokens.all() {
		bare := *t
		bare.Hash = [32]byte{}
		c.tokens.ReplaceOrInsert(&bare)
	}
	return c
}

// redactAll puts redacted copies of the jobs that have an environment into the table.
func redactAll(to, from table[JobID, Job]) {
	for j := range from.all() {
		if len(j.Spec.Env) > 0 {
			to.put(j.redacted())
		}
	}
}

func (j *Job) redacted() *Job {
	bare, spec := j.clone(), *j.Spec
	spec.Env = make([]Pair, len(j.Spec.Env))
	for i, p := range j.Spec.Env {
		spec.Env[i].Key = p.Key
	}
	bare.Spec = &spec
	return bare
}
