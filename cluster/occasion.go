package cluster

import "slices"

// Occasion lists the changes since the last adopted decision. Adoption clears the changes that the decision saw, even
// if it decided nothing.
type Occasion struct {
	Submitted    []JobID // new, released, restarted and unplaced jobs to decide on. Invariant: sorted, all schedulable
	Ended        bool    // a job or a task ended, so that there may be room
	NodesChanged bool    // a node came, went, grew, shrank, drains, or gained or lost the store
	Due          []Alarm // alarms whose time has come, by time; computed by View.Pending
	// Ended may have left room in the foreground, or may have let jobs overtake. False: only background jobs ended.
	// Invariant: false unless Ended.
	EndedForeground bool
}

// Empty reports whether there is nothing to decide.
func (o Occasion) Empty() bool {
	return len(o.Submitted) == 0 && !o.Ended && !o.NodesChanged && len(o.Due) == 0
}

// Rings reports whether an alarm of the kind is due.
func (o Occasion) Rings(kind AlarmKind) bool {
	return slices.ContainsFunc(o.Due, func(a Alarm) bool { return a.Kind == kind })
}

// For returns the occasion for a policy with alarms of these kinds. Alarms of other kinds are left out.
func (o Occasion) For(kinds ...AlarmKind) Occasion {
	foreign := func(a Alarm) bool { return !slices.Contains(kinds, a.Kind) }
	if slices.ContainsFunc(o.Due, foreign) {
		o.Due = slices.DeleteFunc(slices.Clone(o.Due), foreign)
	}
	return o
}

// wish notes that the job wants a placement. Clones share the list, so its elements never change. Only the original may
// append in place, because its clones get no spare capacity: a burst of submissions costs no copies.
func (s *State) wish(id JobID) {
	list := s.Occasion.Submitted
	i, found := slices.BinarySearch(list, id)
	switch {
	case found:
	case i == len(list):
		s.Occasion.Submitted = append(list, id)
	default:
		s.Occasion.Submitted = slices.Concat(list[:i], []JobID{id}, list[i:])
	}
}

// unwish notes that the job wants none.
func (s *State) unwish(id JobID) {
	if i, found := slices.BinarySearch(s.Occasion.Submitted, id); found {
		s.Occasion.Submitted = slices.Concat(s.Occasion.Submitted[:i], s.Occasion.Submitted[i+1:])
	}
}

// Within reports whether every change of the occasion is in the other one.
func (o Occasion) Within(other Occasion) bool {
	submitted := func(id JobID) bool { _, found := slices.BinarySearch(other.Submitted, id); return !found }
	due := func(a Alarm) bool { return !slices.Contains(other.Due, a) }
	return !slices.ContainsFunc(o.Submitted, submitted) && !slices.ContainsFunc(o.Due, due) &&
		(other.Ended || !o.Ended) && (other.EndedForeground || !o.EndedForeground) && (other.NodesChanged || !o.NodesChanged)
}
