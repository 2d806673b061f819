package cluster

// Cost is the cost of rescheduling a job, for policies that weigh the gain of a move against it. Unknown values are
// zero. Times are in microseconds, sizes in bytes.
type Cost struct {
	PauseTime   Time  // estimated; the job makes no progress during it
	ResumeTime  Time  // …once it is paused
	MoveTime    Time  // …to move all its tasks
	PauseBytes  Bytes // memory that is written
	ResumeBytes Bytes // …that is read once it is paused
	MoveBytes   Bytes // …that is moved with all its tasks
	LastMoved   Time  // when it was last resumed or moved; zero: never
	Unpaid      Time  // remaining standstill from the last rescheduling
	Moves       int   // times that it was resumed or moved
	Weight      int64 // the user's weight; a higher one matters more
}

// storeRate is the rate at which a live cluster is assumed to save, restore and move memory, in bytes per microsecond:
// that of Gigabit Ethernet.
const storeRate = 100

// Cost returns a live cluster's estimate of the cost of rescheduling the job. It derives times from the memory
// concerned, and reports how often and when the job was moved. MoveTime is an upper bound on the standstill in a live
// migration. Weight is 0, because users state none. Unpaid is 0: the unpaid part of a rescheduling is a move under way.
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
	c.ResumeBytes += c.PauseBytes // memory that is yet to be paused must be read back too
	c.PauseTime, c.ResumeTime, c.MoveTime = Time(c.PauseBytes/storeRate), Time(c.ResumeBytes/storeRate),
		Time(c.MoveBytes/storeRate)
	return c
}
