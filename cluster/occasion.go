package cluster

import "slices"

// Occasion is what came since the last adopted decision. Adoption clears what the
// decision saw, also when it decided nothing.
type Occasion struct {
	Submitted    []JobID // by id; submitted, released or restarted jobs that hold nothing
	Ended        bool    // a job or a task ended, so that there may be room
	NodesChanged bool    // a node came, went, grew, shrank, drains, or began or ceased to reach the store
	Due          []Alarm // by time; found out by View.Pending: a State's own occasion has none
}

// Empty reports whether there is nothing to decide.
func (o Occasion) Empty() bool {
	return len(o.Submitted) == 0 && !o.Ended && !o.NodesChanged && len(o.Due) == 0
}

// Rings reports whether an alarm of the kind is due.
func (o Occasion) Rings(kind AlarmKind) bool {
	return slices.ContainsFunc(o.Due, func(a Alarm) bool { return a.Kind == kind })
}

// For returns the occasion as it concerns a policy that has alarms of these kinds: those of other families are not due
// for it.
func (o Occasion) For(kinds ...AlarmKind) Occasion {
	foreign := func(a Alarm) bool { return !slices.Contains(kinds, a.Kind) }
	if slices.ContainsFunc(o.Due, foreign) {
		o.Due = slices.DeleteFunc(slices.Clone(o.Due), foreign)
	}
	return o
}

// Within reports whether all of the occasion is in the other one.
func (o Occasion) Within(other Occasion) bool {
	submitted := func(id JobID) bool { _, found := slices.BinarySearch(other.Submitted, id); return !found }
	due := func(a Alarm) bool { return !slices.Contains(other.Due, a) }
	return !slices.ContainsFunc(o.Submitted, submitted) && !slices.ContainsFunc(o.Due, due) &&
		(other.Ended || !o.Ended) && (other.NodesChanged || !o.NodesChanged)
}
