package cluster

import "slices"

// Command is what Raft replicates: who asks, when, and for what.
type Command struct {
	At      Time   // by the proposer's clock; State's clock goes back by SetTime alone
	TimeSet uint64 // State.TimeSet as the proposer knew it; At counts only if it is the state's
	Actor   Actor  // who asks
	Request string // names the request, so that a repetition is not done twice; "" : not needed
	Epoch   uint64 // of the leader's claim, for what only the leader may do; 0 for users' commands
	Action  Action
}

// Actor is who asks for something.
type Actor struct {
	Name    string // of the token, or system
	Owner   string
	Project string
	Role    Role
}

// Role is what an actor may do.
type Role uint8

// The roles, each may do all that the ones before may.
const (
	Viewer   Role = iota + 1 // looks
	User                     // submits, and steers its own jobs
	Operator                 // steers all jobs and nodes
	Admin                    // tokens, policy, debugging
	System                   // the manager itself
)

func (r Role) String() string {
	return [...]string{"", "viewer", "user", "operator", "admin", "system"}[r]
}

// Action is what a command does; the types of this file implement it.
type Action interface{ apply(*transaction) Result }

// What users ask for.
type (
	// Submit adds a job. Result.Job is its id.
	Submit struct{ Spec *Spec }
	// Cancel ends a job; its tasks are stopped. Cancelled by the manager itself, for a limit, it has failed.
	Cancel struct {
		Job JobID
		Cause
	}
	// Hold keeps a job from running until it is released.
	Hold struct{ Job JobID }
	// Release undoes Hold.
	Release struct{ Job JobID }
	// SetNode changes what an operator wants of a node.
	SetNode struct {
		Node NodeID
		Want NodeWish
	}
	// SettleStray adopts or destroys a VM of ours that State does not expect where it was found.
	SettleStray struct {
		Node    NodeID
		Run     RunID
		Destroy bool
	}
	// SetPolicy chooses the policy by its published name and the period of its tick.
	SetPolicy struct {
		Name   string
		Period Time
	}
	// PutImage registers an image that has been stored.
	PutImage struct{ Image Image }
	// RemoveImage forgets an image that no job uses.
	RemoveImage struct{ Digest string }
	// PutToken creates a token or, with the same ID, revokes it.
	PutToken struct{ Token Token }
	// SetTime sets the cluster's clock, forward or back. No job makes progress by it, and alarms stay as far away as
	// they were.
	SetTime struct{ To Time }
)

// NodeWish is what an operator wants of a node.
type NodeWish uint8

// What an operator may want of a node.
const (
	Uncordon    NodeWish = iota + 1 // take new VMs again
	Cordon                          // take no new VMs
	Drain                           // take no new VMs and move all away
	ConfirmDown                     // a person vouches that nothing runs there
)

func (w NodeWish) String() string {
	return [...]string{"", "uncordon", "cordon", "drain", "confirm-down"}[w]
}

// What managers propose; all but Claim, Enact and Import carry the leader's epoch.
type (
	// Claim makes the proposer the leader. Result.Epoch is its epoch.
	Claim struct {
		Replica uint64
		Term    uint64
	}
	// Adopt makes a decision the Target.
	Adopt struct {
		Basis  uint64 // revision of the view that was decided on
		Seen   Occasion
		Tick   Time      // the next tick of the agenda that was decided on, in microseconds; zero: it had none
		Set    []Holding // jobs whose placement changes
		Drop   []JobID   // jobs that lose theirs
		Refuse []Refusal // jobs that can never run
		Alarms []Alarm   // all that the decision asks for, see NewAgenda; they take the place of the earlier agenda
		Why    []Reason
		By     string // who decided, if it wants to know its work again
	}
	// StartMoves starts moves of the current plan. The state gives them their ids.
	StartMoves struct{ Moves []Move }
	// AbortMove asks the nodes to give up a move that takes too long; their reports end it.
	AbortMove struct {
		Task TaskID
		Move MoveID
		Cause
	}
	// Report is what a monitor observed since its last report.
	Report struct {
		Node         NodeID
		Foreign      Foreign
		FenceAlive   bool
		StoreProven  bool
		StoreFree    Bytes // negative: unknown
		Observations []Observation
	}
	// Join adds a node or describes it anew after its monitor connected. Result.Node is its id.
	Join struct {
		Name        string
		Boot        string // changes with every boot of the machine
		Description Description
	}
	// SetHealth says that a node's lease ran out, or was renewed, or that its fence must have acted.
	SetHealth struct {
		Node   NodeID
		Health Health
	}
	// Checkpoint lets replicas compare their states, or, without a hash, shows the leader's time or asks for it.
	Checkpoint struct {
		Revision uint64
		Hash     [32]byte
	}
	// Enact does what a plan announced, all or nothing, if the state is still its basis:
	// first the wish that the plan was asked about, then the decision that followed.
	Enact struct {
		Basis    uint64
		Wish     Action // Submit, SetNode, SetPolicy, or nil
		Decision Adopt
	}
	// Import opens a new generation after a backup was restored. Job ids skip those that
	// may have been given out since the backup was made.
	Import struct{ Generation uint64 }
)

// Holding is a job's placement as a decision names it: a multiset of nodes, one for each live task.
type Holding struct {
	Job       JobID
	Placement Placement
}

// Refusal says that a job can never run, and why.
type Refusal struct {
	Job    JobID
	Reason Reason
}

// Observation is one thing that a monitor saw of a run on its node.
type Observation struct {
	Run      RunID
	Move     MoveID // that it completes or fails; 0: none
	Seen     Sight
	Cap      CPU    // SeenRunning, SeenBooting, SeenArrived: in force
	Image    Bytes  // SeenSaved: size
	Platform string // SeenBooting: what the run is bound to
	Exit     *Exit  // SeenExited
	Cause    string // SeenFailed, SeenLost
	Tier     Tier   // SeenRunning, SeenBooting, SeenArrived: in force, if Tiered
	Tiered   bool   // the monitor tells the tier; those of programs that know only Formats below 3 do not
	Work     *Work  // SeenRunning, SeenBooting, SeenArrived: since it is measured; nil: it is not observed
}

// Within returns the action without what a manager that knows no higher Format cannot read.
func Within(a Action, format uint32) Action {
	switch a := a.(type) {
	case Report:
		return a.within(format)
	case Cancel:
		a.Cause = a.Cause.within(format)
		return a
	case AbortMove:
		a.Cause = a.Cause.within(format)
		return a
	}
	return a
}

// within returns the report without what commands of the Format may not hold.
func (a Report) within(format uint32) Report {
	if format >= observes || !a.observes() {
		return a
	}
	a.Observations = slices.Clone(a.Observations)
	for i := range a.Observations {
		o := &a.Observations[i]
		o.Tier, o.Tiered, o.Work = 0, false, nil
	}
	return a
}

// observes reports whether the report tells what commands below a Format may not hold.
func (a Report) observes() bool {
	return slices.ContainsFunc(a.Observations, func(o Observation) bool { return o.Tiered || o.Work != nil })
}

// Sight is what was seen of a run.
type Sight uint8

// What a monitor may see of a run.
const (
	SeenBooting Sight = iota + 1 // the VM exists, its guest has not reported its start
	SeenRunning                  // the guest runs
	SeenFrozen                   // the fence has stopped its vCPUs
	SeenSaved                    // its memory image is in the store, the VM is gone
	SeenExited                   // the guest reported its exit, the VM is gone
	SeenLost                     // the VM, or the image that it was to be restored from, is gone without an exit
	SeenAbsent                   // there is no such VM here, as ordered
	SeenArrived                  // the VM came from another node and runs here
	SeenFailed                   // the ordered move failed; all is as before it
	SeenStray                    // a VM of ours that the orders do not mention
)

func (s Sight) String() string {
	return [...]string{"", "booting", "running", "frozen", "saved", "exited", "lost", "absent", "arrived",
		"failed", "stray"}[s]
}
