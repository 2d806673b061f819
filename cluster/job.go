package cluster

// Spec is what a user asks for; it never changes after submission.
type Spec struct {
	Name           string
	Owner, Project string
	Tasks          int         // identical tasks, at least 1
	Need           CPU         // what a task uses at full speed; may be granted in part
	Requirement    Requirement // granted whole or not at all
	Image          string      // name@sha256:digest
	Command        []string    // nil: the image's own
	Args           []string
	Env            []Pair // sorted by key
	Restarts       int    // failures of the guest after which a task starts again
	Limits         Limits
	Estimate       Time // zero: none. All that a policy may know about the run time
	Labels         []Pair
	Placement      Constraint
	FailOnLoss     bool `wire:"-"` // the job fails when the cluster loses a run; false: its task starts again
}

// Requirement is what a task needs whole.
type Requirement struct {
	Memory Bytes
}

// Pair is a key with its value.
type Pair struct{ Key, Value string }

// Limits end or cut what grows; zero means the system's own limit.
type Limits struct {
	Runtime  Time  // running wall time of the job
	LogBytes Bytes // output kept per task
}

// Constraint restricts the nodes of a job's tasks.
type Constraint struct {
	Nodes  []string // names; nil: all
	Match  []Pair   // labels that a node must carry
	Spread bool     // no two tasks on one node
}

// Job is a submitted job that has not ended, or, in the history, one that has.
type Job struct {
	ID        JobID
	Spec      *Spec
	Submitted Time
	Held      bool
	Ending    *Ending // why its tasks are being stopped; nil while it may run
	Ended     Time    // zero while it has not
	Tasks     []Task
	Why       Reason // for its present state, by the last decision that touched it
	Clock     Clock
	Started   Time // first time that all tasks ran; zero: never
	Moves     int  // times that it was resumed or migrated; what overlaps is one time
	Moved     Time // when the last of that ended; zero: never
}

// Ending is the outcome of a job and its cause, which is empty if there is nothing to say.
type Ending struct {
	Outcome Outcome
	Cause
}

// Outcome is how a job ended.
type Outcome uint8

// The outcomes of a job.
const (
	Succeeded Outcome = iota + 1
	Failed
	Cancelled
)

func (o Outcome) String() string {
	return [...]string{"", "succeeded", "failed", "cancelled"}[o]
}

// VCPUs is the number of virtual CPUs of each task: its need rounded up to whole cores.
func (s *Spec) VCPUs() int { return int((s.Need + Core - 1) / Core) }

// MinShare is the smallest share that a task can be given.
func (s *Spec) MinShare() CPU { return min(minShare*CPU(s.VCPUs()), s.Need) }

// Live counts the tasks that have not ended.
func (j *Job) Live() int {
	n := 0
	for i := range j.Tasks {
		if j.Tasks[i].Phase != Done {
			n++
		}
	}
	return n
}

// Schedulable tells whether policies may see the job.
func (j *Job) Schedulable() bool { return !j.Held && j.Ending == nil }

// clone returns a copy that may be changed without changing j.
func (j *Job) clone() *Job {
	c := *j
	c.Tasks = append([]Task(nil), j.Tasks...)
	return &c
}
