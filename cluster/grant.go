package cluster

import "slices"

// Grant is the CPU that a placement gives to each of its tasks.
//
// Invariant: Cap is from 1 to the job's need, Guaranteed from 0 to Cap, and 0 in the background.
type Grant struct {
	Cap        CPU  // the most that the task may use, in millicores
	Guaranteed CPU  // part of Cap that its node provides at any time, in millicores; the rest is best effort
	Tier       Tier // a background task gets the CPU that foreground tasks leave
}

// Grant returns the tier's usual grant: the foreground guarantees all of the cap, the background nothing of it.
func (t Tier) Grant(cap CPU) Grant {
	if t == Background {
		return Grant{Cap: cap, Tier: Background}
	}
	return Grant{Cap: cap, Guaranteed: cap}
}

// BestEffort returns the part of the cap that is not guaranteed, in millicores.
func (g Grant) BestEffort() CPU { return g.Cap - g.Guaranteed }

// Suits reports whether a job of the need may hold the grant.
func (g Grant) Suits(need CPU) bool {
	return 1 <= g.Cap && g.Cap <= need && 0 <= g.Guaranteed && g.Guaranteed <= g.Cap &&
		(g.Tier == Foreground || g.Guaranteed == 0)
}

// grants reports whether the decision names a grant that is not its tier's usual one.
func (a Adopt) grants() bool {
	return slices.ContainsFunc(a.Set, func(h Holding) bool {
		g := h.Placement.Grant
		return g != g.Tier.Grant(g.Cap)
	})
}

// binds reports whether the decision binds tasks to processors.
func (a Adopt) binds() bool {
	return slices.ContainsFunc(a.Set, func(h Holding) bool { return h.Placement.Cores != nil })
}

// grant returns the placement's grant as the state keeps it for a task of the spec: no more than it can use on the
// slowest of its nodes. Formats below grants know the usual grants only.
func (s *State) grant(p *Placement, spec *Spec) Grant {
	g := p.Grant
	if most := s.ceiling(spec, p.Nodes); most < spec.Need {
		g.Cap, g.Guaranteed = min(g.Cap, most), min(g.Guaranteed, most)
	}
	if s.Format < grants {
		return g.Tier.Grant(g.Cap)
	}
	return g
}

// ceiling returns the most that each task of the spec can use if they run on these nodes, in reference millicores.
func (s *State) ceiling(spec *Spec, nodes []NodeID) CPU {
	most := spec.Need
	for _, id := range nodes {
		if n := s.Node(id); n != nil {
			most = min(most, n.Ceiling(spec))
		}
	}
	return most
}

// counted returns the grant as loads count it. Below the Format grants, all tiers count as guaranteed.
func (s *State) counted(g Grant) Grant {
	if s.Format < grants {
		g.Guaranteed = g.Cap
	}
	return g
}
