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

// storeRate is what a live cluster is assumed to save, restore and move memory at, in bytes per microsecond: what Gigabit
// Ethernet carries.
const storeRate = 100

// Cost is what is known of the cost of rescheduling the job. A simulation knows everything. A live cluster knows the
// memory that it concerns and estimates times from it, which for a live migration are the most that the job can stand
// still; it knows how often and when the job was moved. It has no word from the user, and what is unpaid is a move under
// way there. The published policies do not ask.
func (v *View) Cost(j *Job) Cost {
	if v.costs != nil {
		return v.costs(j)
	}
	c := Cost{LastMoved: j.Moved, Moves: j.Moves}
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
	c.PauseTime, c.ResumeTime, c.MoveTime = Time(c.PauseBytes/storeRate), Time(c.ResumeBytes/storeRate), Time(c.MoveBytes/storeRate)
	return c
}
