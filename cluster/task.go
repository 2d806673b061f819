package cluster

import "slices"

// Task is the actual state of one task, written by Apply. A change under way is a Move, which State keeps apart.
type Task struct {
	Phase       Phase     // stable state; changes when a move completes or its VM ends
	Tier        Tier      // last ordered, with Cap; without a VM it means nothing
	InTier      Tier      // tier in force, as reported; Foreground without a report
	Killed      bool      // Adopt gave its run up, which is yet to be stopped. Invariant: it has a VM or a move under way
	Frozen      bool      // no progress is assumed: the fence has stopped its vCPUs, or nothing confirms that it runs
	Node        NodeID    // where its VM is; 0: it has none. Invariant: nonzero exactly if Present
	Run         int       // number of the latest run, from 1; 0: never started
	Cap         CPU       // last ordered, in millicores; 0 without a VM
	Observed    CPU       // cap in force, as its node last reported, in millicores; 0: no VM, or no report of it yet
	Progress    *Progress // of the present VM, by its node's reports; nil: no VM, or nothing that can be true was reported
	Image       Bytes     // size of the saved memory image, in bytes. Invariant: nonzero exactly in the phase Saved
	Platform    string    // fixed by the first start of its run; "": no run, or not started yet
	Exit        *Exit     // of the last run that ended; nil: none has
	Failures    int       // runs that the guest failed
	Losses      int       // runs that the cluster lost, since LossesSince
	LossesSince Time      // first loss that counts, in microseconds; zero: none does, or the Format counts all
	Attempts    int       // moves that failed in a row; reset by one that succeeds
	RetryAt     Time      // no move before this time, in microseconds; zero: at once
	Avoid       NodeID    // node where its last Start or Resume failed; 0: none
	Began       Time      // when the start of its VM was ordered, in microseconds; zero: it does not boot
	Given       *Given    // nodes that its latest run was given to; nil: none from Format 3 on. Shared, never changed
	// Trouble is why its last move failed, written by failMove. It is nil if that succeeded, or failed below Format 10.
	// Invariant: nil without Attempts. Shared, never changed.
	Trouble *Cause
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

// Exit describes the end of a run. Code and Signal mean nothing unless the guest Reported.
type Exit struct {
	Code   int      // of the command, from 0 to 255; 128 plus its number if a signal killed the command
	Signal string   // name of the signal that killed the command, such as SIGKILL; "": none did
	Cause  string   // the node's words, if the run was lost or could not start; "": it says nothing
	Why    []Reason `wire:"-"` // the same by the state's own finding; a node never sets it
}

// OK reports whether the guest reported success.
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

// The tiers. Background VMs get the CPU that foreground VMs leave.
const (
	Foreground Tier = iota
	Background
)

func (t Tier) String() string { return [...]string{"foreground", "background"}[t] }

// Given lists the nodes that a run was given to, the latest last. Invariant: no node twice, at most maxGiven.
type Given struct {
	Nodes []NodeID
}

// maxGiven limits a Given. A node that it has dropped and that still has the VM lists it as a stray.
const maxGiven = 8

// and returns g with the node.
func (g *Given) and(node NodeID) *Given {
	if g == nil {
		return &Given{[]NodeID{node}}
	}
	others := slices.DeleteFunc(slices.Clone(g.Nodes), func(n NodeID) bool { return n == node })
	return &Given{append(others[max(0, len(others)+1-maxGiven):], node)}
}

// wasGiven reports whether the task's latest run was given to the node. Nothing is recorded of runs from before Format
// 3: those whose start failed were given to the node to avoid, others may have been anywhere.
func (t *Task) wasGiven(node NodeID) bool {
	if t.Given == nil {
		return t.Attempts == 0 || t.Avoid == node
	}
	return contains(t.Given.Nodes, node)
}

// forsake forgets what is left of a killed run: its saved image. A run that has a VM or a move is not at that point.
func (t *Task) forsake() {
	if t.Killed && !t.Present() {
		t.Phase, t.Image, t.Platform, t.Killed = Idle, 0, "", false
	}
}

// Present reports whether a VM of the task exists on its node.
func (t *Task) Present() bool { return t.Phase == Booting || t.Phase == Running }
