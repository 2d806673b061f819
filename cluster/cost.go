package cluster

// Cost is what rescheduling a job takes and has taken, for policies that weigh what a move
// gains against it. What is not known is zero.
type Cost struct {
	PauseTime   Time  // estimated, while which the job makes no progress
	ResumeTime  Time  // …once it is paused
	MoveTime    Time  // …to move all its tasks
	PauseBytes  Bytes // memory that is written
	ResumeBytes Bytes // …that is read once it is paused
	MoveBytes   Bytes // …that is moved with all its tasks
	LastMoved   Time  // when it was last resumed or moved; zero: never
	Unpaid      Time  // time that it still stands still for the last rescheduling
	Moves       int   // times that it was resumed or moved
	Weight      int64 // the higher, the more its user says that it matters
}

// Cost is what is known of the cost of rescheduling the job: in a live cluster the memory
// that it concerns, in a simulation everything. The published policies do not ask.
func (v *View) Cost(j *Job) Cost {
	if v.costs != nil {
		return v.costs(j)
	}
	var c Cost
	for i := range j.Tasks {
		switch t := &j.Tasks[i]; {
		case t.Present():
			c.PauseBytes += v.Charge(j.Spec)
		case t.Phase == Saved:
			c.ResumeBytes += t.Image
		}
	}
	c.MoveBytes = c.PauseBytes
	c.ResumeBytes += c.PauseBytes // what is still to be paused has to come back too
	return c
}
