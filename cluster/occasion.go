package cluster

// Occasion is what came since the last adopted decision. Adoption clears what the
// decision saw, also when it decided nothing.
type Occasion struct {
	Submitted    []JobID // by id; submitted, released or restarted jobs that hold nothing
	Ended        bool    // a job or a task ended, so that there may be room
	NodesChanged bool    // a node came, went, grew, shrank, drains, or began or ceased to reach the store
	Due          bool    // the periodic tick
	Next         Time    // the next tick after now; zero: none
}

// Empty tells whether there is nothing to decide.
func (o Occasion) Empty() bool {
	return len(o.Submitted) == 0 && !o.Ended && !o.NodesChanged && !o.Due
}
