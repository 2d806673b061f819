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

// storeRate is what a live cluster is assumed to save, restore and move memory at, in bytes per microsecond: what
// Gigabit Ethernet carries.
const storeRate = 100

// Cost is what a live cluster knows of the cost of rescheduling the job: the memory concerned, from which it estimates
// times, and how often and when the job was moved. For a live migration the time is the most that the job can stand
// still. The user says nothing about it, and what is unpaid is a move under way.
func (e estimates) Cost(j *Job) Cost {
	c := Cost{LastMoved: j.Moved, Moves: j.Moves}
	for i := range j.Tasks {
		switch t := &j.Tasks[i]; {
		case t.Present():
			c.PauseBytes += e.Charge(j.Spec)
		case t.Phase == Saved:
			c.ResumeBytes += t.Image
		}
	}
	c.MoveBytes = c.PauseBytes
	c.ResumeBytes += c.PauseBytes // what is still to be paused has to come back too
	c.PauseTime, c.ResumeTime, c.MoveTime = Time(c.PauseBytes/storeRate), Time(c.ResumeBytes/storeRate),
		Time(c.MoveBytes/storeRate)
	return c
}
