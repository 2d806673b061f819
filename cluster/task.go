package cluster

// Task is the actual state of one task. What is under way is a Move, kept apart.
type Task struct {
	Phase       Phase
	Run         int      // number of the latest run; 0: never started
	Node        NodeID   // where its VM is; 0: nowhere
	Cap         CPU      // cap ordered
	Observed    CPU      // cap in force, as reported
	Tier        Tier     // ordered
	Frozen      bool     // vCPUs stopped by the fence
	Image       Bytes    // size of the saved memory image; 0: none
	Platform    string   // fixed by the first start of a run; "": not yet
	Exit        *Exit    // of the last run that ended
	Failures    int      // runs that the guest failed
	Losses      int      // runs that the cluster lost, from LossesSince on
	LossesSince Time     // of the first loss that counts, in microseconds; zero: none does, or the Format counts all
	Attempts    int      // moves that failed in a row
	RetryAt     Time     // no move before this; zero: at once
	Avoid       NodeID   // where its last start failed; 0: nowhere
	InTier      Tier     // tier in force, as reported; Foreground while nothing is
	Progress    Progress // of the run that is present, by its node's reports; zero while no VM is
}

// Phase is the stable state of a task between moves.
type Phase uint8

// The phases of a task.
const (
	Idle    Phase = iota // no VM and no saved image
	Booting              // its VM exists, the guest has not reported its start
	Running              // the guest runs, or is frozen
	Saved                // its memory image is in the store, no VM
	Done                 // ended for good
)

func (p Phase) String() string {
	return [...]string{"idle", "booting", "running", "saved", "done"}[p]
}

// Exit is how a run ended.
type Exit struct {
	Code   int
	Signal string   // "" unless killed by one
	Cause  string   // words of the node; set when the run was lost or could not start: then Code means nothing
	Why    []Reason `wire:"-"` // the same, where the state itself found out; a node never says it
}

// OK tells whether the guest reported success.
func (e *Exit) OK() bool { return e.Reported() && e.Signal == "" && e.Code == 0 }

// Reported reports whether the guest itself said how it ended.
func (e *Exit) Reported() bool { return e.Cause == "" && len(e.Why) == 0 }

// Explain returns why the run ended.
func (e *Exit) Explain() Cause {
	switch {
	case !e.Reported():
		return Cause{e.Why, e.Cause}
	case e.Signal != "":
		return Cause{Because(WhySignal).Why, e.Signal}
	}
	return Because(WhyExitCode, int64(e.Code))
}

// Tier is the class of service of a VM on its node.
type Tier uint8

// The tiers: background VMs get what foreground VMs leave.
const (
	Foreground Tier = iota
	Background
)

func (t Tier) String() string { return [...]string{"foreground", "background"}[t] }

// Present tells whether a VM of the task exists on its node.
func (t *Task) Present() bool { return t.Phase == Booting || t.Phase == Running }
