package cluster

// Spec is the user's description of a job. Submit may set its network to Isolated. A Reschedule replaces it by one with
// another end.
type Spec struct {
	Name           string       // for people; need not be unique
	Owner, Project string       // users may steer the jobs of their own owner and project
	Tasks          int          // number of identical tasks, at least 1
	Need           CPU          // CPU of one task at full speed, in millicores; a Grant may be for less
	Requirement    Requirement  // of each task; granted whole or not at all
	Image          string       // name@sha256:digest
	Command        []string     // nil: the image's own
	Args           []string     // arguments of the program
	Env            []Pair       // sorted by key
	Restarts       int          // failures of the guest, per task, after which the task starts again
	Limits         Limits       // on the running time and the output
	Estimate       Time         // forecast of the run time, in microseconds; zero: that of Reserve, or none
	Labels         []Pair       // for people; sorted by key
	Placement      Constraint   // restricts the nodes of all tasks
	FailOnLoss     bool         `wire:"-"` // the job fails when the cluster loses a run; false: its task starts again
	Class          Class        `wire:"-"` // which tiers the job may run in
	Reserve        *Reservation `wire:"-"` // the interval in which it is promised its full need; nil: none
	Deadline       *Deadline    `wire:"-"` // the time until which it is promised to have its work; nil: none
	Budget         Price        `wire:"-"` // the most that its promise may cost; 0: anything
	MinYield       Parts        `wire:"-"` // its yield is never below while it runs; 0: no more than every job gets
	Disk           Bytes        // virtual size of the disk of each task, in bytes; zero: that of the image
	CloudInit      string       // user-data for cloud-init in a disk image, YAML; "": none
	Files          []Pair       // path and content of each file that tasks find; sorted by path
	After          []Dependency `wire:"-"` // jobs that must have ended before; sorted by job
	Workflow       string       `wire:"-"` // name of the workflow that the job is a step of; "": of none
	Outputs        []string     // paths and patterns of the files that are kept when a task ends; in the user's order
	Network        Network      `wire:"-"` // that the VMs are on
	BootsDisk      bool         `wire:"-"` // its image is a disk; written by Submit from Format 10 on
	Type           string       `wire:"-"` // of work: jobs of one type are expected to take equally long; "": derived, see Category
}

// Requirement is what a task needs whole.
type Requirement struct {
	Memory Bytes // in bytes, without the overhead of the VM
}

// Pair is a key with its value.
type Pair struct{ Key, Value string }

// Limits bound the running time and the output of a job.
type Limits struct {
	Runtime  Time  // running wall time of the job, in microseconds; zero: no limit
	LogBytes Bytes // output kept per task, in bytes; zero: the system's default

	ResultBytes Bytes // files kept per task, see Spec.Outputs, in bytes; zero: the system's default
}

// Constraint restricts the nodes of a job's tasks.
type Constraint struct {
	Nodes  []string // names; nil: all
	Match  []Pair   // labels that a node must carry
	Spread bool     // no two tasks on one node
}

// Job is a submitted job. State.Jobs holds those that have not ended, State.History those that have.
type Job struct {
	ID        JobID   // given by Submit, from 1; never reused
	Spec      *Spec   // as submitted, but with the network that it got and its present end. Invariant: not nil, immutable
	Submitted Time    // time of the Submit, in microseconds
	Held      bool    // set by Hold, cleared by Release. Invariant: a held job has no placement
	Ending    *Ending // its outcome; nil while it may run. While tasks are left, they are being stopped
	Ended     Time    // time of the end, in microseconds; zero: it has not ended
	Tasks     []Task  // by index. Invariant: there are Spec.Tasks of them
	Why       Reason  // reason for its present state; set by Adopt and by other commands that change it
	Clock     Clock   // its virtual and running time; Apply settles it whenever it changes the job
	Started   Time    // first time that all live tasks made progress, in microseconds; zero: never
	Moves     int     // times that it was resumed or migrated; moves that overlap in time count once
	Moved     Time    // end of the last such move, in microseconds; zero: never
	// Foreground is the time of the decision that last took the job to the foreground, in microseconds; zero: none did.
	// Only Adopt writes it. It says nothing of a job whose target is not in the foreground.
	Foreground Time
	Workflow   JobID // the first job of the workflow that it is a step of; zero: it is of none
	Waits      int   // jobs of Spec.After that have not ended
	Eligible   Time  // when the last job that it waited for ended, in microseconds; zero: it never waited
	// Expected is what nine in ten similar jobs took when it was submitted, and Longest what the longest of them did, at
	// full speed, in microseconds. Zero: too few were known.
	Expected, Longest Time
	Shifted           Time // by which Reschedules moved its end, in microseconds
	// Address is that of its first task; the others follow in a row. Submit gives them, and an ended job has them no more.
	// Zero: it has no network.
	Address Address
	// Segment is that of its VMs in the network. Submit gives it with the address. Zero: they are not isolated.
	Segment Segment
	// Standing is the standing reservation of which it is an occurrence; zero: of none.
	Standing StandingID
}

// Ending is the outcome of a job and its cause. The cause may be empty.
type Ending struct {
	Outcome Outcome
	Cause
}

// Outcome is the result of a job.
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

// VCPUs returns the number of virtual CPUs of each task: its need rounded up to whole cores.
func (s *Spec) VCPUs() int { return int(vcpus(s.Need)) }

// MinShare returns the smallest share that a task can be given, in millicores. It is at least the job's floor.
func (s *Spec) MinShare() CPU {
	floor := CPU((int64(s.Need)*int64(s.MinYield) + int64(Whole) - 1) / int64(Whole))
	return max(floor, min(minShare*CPU(s.VCPUs()), s.Need))
}

// adapted returns the specification as its job has it if it is submitted now: with the network that it gets, and with
// what its image needs of nodes.
func (s *State) adapted(spec *Spec) *Spec {
	a := *spec
	if a.Network == Bridged && s.Bridge() != Bridged {
		a.Network = Isolated
	}
	i := s.Image(a.digest())
	a.BootsDisk = s.Format >= isolates && i != nil && i.Kind == DiskImage
	return &a
}

// adaptAll adapts what was submitted before.
func (t *transaction) adaptAll() {
	for j := range t.Jobs() {
		if spec := t.adapted(j.Spec); j.Ended == 0 && spec.BootsDisk != j.Spec.BootsDisk {
			t.edit(j.ID).Spec = spec
		}
	}
}

// Demands are what a job asks of its nodes besides names, labels and room. The zero value asks for nothing.
type Demands struct {
	Network     Network
	BootsDisk   bool
	Need, Least CPU // with a least yield: the need, and the least share, which slow nodes do not give
}

// Demands returns what the job asks of its nodes besides names, labels and room.
func (s *Spec) Demands() Demands {
	d := Demands{Network: s.Network, BootsDisk: s.BootsDisk}
	if s.MinYield > 0 {
		d.Need, d.Least = s.Need, s.MinShare()
	}
	return d
}

// Choosy reports whether nodes may refuse the job although they have room.
func (s *Spec) Choosy() bool {
	return len(s.Placement.Nodes)+len(s.Placement.Match) > 0 || s.Demands() != Demands{}
}

// Sinks reports whether the job may run in the background, which guarantees no share.
func (s *Spec) Sinks() bool { return s.MinYield == 0 }

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

// Schedulable reports whether policies may place the job: it is neither held nor ending, and waits for no other job.
func (j *Job) Schedulable() bool { return !j.Held && j.Ending == nil && j.Waits == 0 }

// clone returns a copy that may be changed without changing j.
func (j *Job) clone() *Job {
	c := *j
	c.Tasks = append([]Task(nil), j.Tasks...)
	return &c
}
