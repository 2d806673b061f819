package cluster

import "fmt"

// Redacted returns a copy of the state without secrets, for bug reports: the commands, arguments and user-data of
// jobs, the values of their environments and labels and the contents of their files are empty, and the hashes of tokens
// and invitations are zero. Numbers stand for the types of jobs, which may quote commands. Policies decide on the
// copy as on the state.
func (s *State) Redacted() *State {
	c := s.Clone()
	types := pseudonyms{}
	redactAll(c.jobs, s.jobs, types)
	redactAll(c.history, s.history, types)
	redactTimes(c.experience, s.experience, types)
	redactTimes(c.speeds, s.speeds, types)
	for n := range s.nodes.all() {
		if n.Invitation != nil {
			bare := n.clone()
			bare.Invitation = &Invitation{Expires: n.Invitation.Expires}
			c.nodes.put(bare)
		}
	}
	for o := range s.offers.all() {
		bare := *o
		bare.Spec, bare.Request = o.Spec.redacted(types), ""
		c.putOffer(&bare)
	}
	for o := range s.standings.all() {
		bare := *o
		bare.Spec, bare.Request = o.Spec.redacted(types), ""
		c.standings.put(&bare)
	}
	for t := range s.tokens.all() {
		bare := *t
		bare.Hash = [32]byte{}
		c.tokens.ReplaceOrInsert(&bare)
	}
	return c
}

// redactAll puts redacted copies of the jobs into the table.
func redactAll(to, from table[JobID, Job], types pseudonyms) {
	for j := range from.all() {
		to.put(j.redacted(types))
	}
}

// pseudonyms maps types of jobs to names that tell nothing.
type pseudonyms map[string]string

func (p pseudonyms) of(name string) string {
	if p[name] == "" {
		p[name] = fmt.Sprint("type-", len(p)+1)
	}
	return p[name]
}

func (j *Job) redacted(types pseudonyms) *Job {
	bare := j.clone()
	bare.Spec = j.Spec.redacted(types)
	return bare
}

func (s *Spec) redacted(types pseudonyms) *Spec {
	spec := *s
	spec.Type = types.of(s.Category().Type)
	spec.Command, spec.Args = make([]string, len(spec.Command)), make([]string, len(spec.Args))
	spec.Env, spec.Labels = withoutValues(spec.Env), withoutValues(spec.Labels)
	spec.CloudInit, spec.Files = "", withoutValues(spec.Files)
	return &spec
}

// withoutValues returns a copy of the pairs without their values.
func withoutValues(pairs []Pair) []Pair {
	bare := make([]Pair, len(pairs))
	for i, p := range pairs {
		bare[i].Key = p.Key
	}
	return bare
}

// redactTimes replaces the run times of the copy by those of the state without the types' names.
func redactTimes(to, from tree[*RunTimes], types pseudonyms) {
	to.Clear(false)
	for r := range from.all() {
		bare := *r
		bare.Type = types.of(r.Type)
		to.ReplaceOrInsert(&bare)
	}
}
