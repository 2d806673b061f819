package cluster

import "slices"

// Command is one entry of the replicated log: an action, its actor and its time.
type Command struct {
	At      Time   // proposer's clock, in microseconds; State's clock follows, and only SetTime moves it back
	TimeSet uint64 // State.TimeSet as the proposer knew it; At is ignored if it differs from the state's
	Actor   Actor  // on whose behalf the action is done
	Request string // name of the request: a repetition is not applied again; "": no such protection
	Epoch   uint64 // of the leader's Claim, for actions that only the leader may propose; 0 for users' commands
	Action  Action
}

// Actor is the person or program that requests an action.
type Actor struct {
	Name    string // of the token, or system
	Owner   string
	Project string
	Role    Role
}

// Role is the set of actions that an actor may request.
type Role uint8

// The roles. Each includes those before it.
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

// Action is the change that a command asks for. The types of this file implement it.
type Action interface{ apply(*transaction) Result }

// Actions of users.
type (
	// Submit adds a job. Result.Job is its id. If the job cannot be promised what it asks for, Result.Offered says why,
	// and what is held instead.
	Submit struct {
		Spec *Spec
		Hold Time // for which alternatives are held, in microseconds; 0: it is rejected without
	}
	// SubmitWorkflow adds jobs that may depend on each other: all, or none. Result.Job is the id of the first; those of
	// the others follow it in the order of the steps.
	SubmitWorkflow struct {
		Joins JobID // a job of the workflow that they join; zero: they are a new one
		Seen  JobID // State.NextJob as its proposer knew it; no later job may have joined. Means nothing unless it joins
		Steps []Step
	}
	// Cancel ends a job and stops its tasks. A job that the manager itself cancels, for a limit, counts as failed.
	Cancel struct {
		Job JobID
		Cause
	}
	// Hold keeps a job from running until it is released.
	Hold struct{ Job JobID }
	// Release undoes Hold.
	Release struct{ Job JobID }
	// SetNode carries out an operator's wish for a node.
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
	// SetQuota limits what the jobs of a project or of an owner take. Without limits and weight the
	// quota is removed.
	SetQuota struct{ Quota Quota }
	// SetSubnet sets the addresses that VMs get, and the rules for their cards; the zero value: none. Another range is
	// refused while jobs have addresses.
	SetSubnet struct{ Subnet Subnet }
	// SetTime sets the cluster's clock, forward or back. Jobs make no progress through it, and alarms stay as far away
	// as they were.
	SetTime struct{ To Time }
)

// NodeWish is an operator's wish for a node.
type NodeWish uint8

// The wishes of an operator for a node.
const (
	Uncordon    NodeWish = iota + 1 // take new VMs again
	Cordon                          // take no new VMs; rejected if it would break promises
	Drain                           // take no new VMs and move all away; rejected if it would break promises
	ConfirmDown                     // a person vouches that nothing runs there
	ForceDrain                      // drain, whatever promises that breaks
	ForceCordon                     // cordon, whatever promises that breaks
)

func (w NodeWish) String() string {
	return [...]string{"", "uncordon", "cordon", "drain", "confirm-down", "drain", "cordon"}[w]
}

// Actions of managers. All but Claim, Enact and Import carry the leader's epoch.
type (
	// Claim makes the proposer the leader. Result.Epoch is its epoch.
	Claim struct {
		Replica uint64
		Term    uint64
	}
	// Adopt makes a decision the Target, as far as it still fits.
	Adopt struct {
		Basis  uint64    // revision of the view that the decision is based on
		Seen   Occasion  // that the decision answers; Apply clears it
		Tick   Time      // next tick of the agenda in that view, in microseconds; zero: none
		Set    []Holding // jobs whose placement changes
		Drop   []JobID   // jobs that lose their placement
		Refuse []Refusal // jobs that can never run
		Alarms []Alarm   // replace the earlier agenda, see NewAgenda
		Why    []Reason  // become Job.Why of the jobs they name
		By     string    // name of the policy, if it wants to recognize its own Target later
		Kill   []JobID   // jobs of Set whose work is given up: their runs are stopped, and they start anew
	}
	// StartMoves starts moves of the current plan. The state gives them their ids.
	StartMoves struct{ Moves []Move }
	// AbortMove asks the nodes to give up a move that takes too long; their reports end it.
	AbortMove struct {
		Task TaskID
		Move MoveID
		Cause
	}
	// Report holds a monitor's observations since its last report.
	Report struct {
		Node         NodeID
		Foreign      Foreign
		FenceAlive   bool
		StoreProven  bool
		StoreFree    Bytes // negative: unknown
		Observations []Observation
		Astray       Bytes // memory of VMs of ours that the orders do not mention; 0 from monitors before Format 3
		// The node's hypervisor has not answered for a while. Monitors that know only Formats below 3 do not report it.
		HypervisorSilent bool
		// Revision of the orders under which it saw all this, and weighed Astray; 1: not of orders that it got by its present
		// link. Monitors before Format 3 do not report it.
		Revision uint64
		Joined   uint64 `wire:"-"` // revision of the Join that opened the link; written by the leader; 0 before Format 3
	}
	// Join adds a node or describes it anew after its monitor connected. Result.Node is its id.
	Join struct {
		Name        string
		Boot        string // changes with every boot of the machine
		Description Description
		Admission   uint64 // that its certificate names; 0: none, before Format 3
	}
	// SetHealth records that a node's lease ran out or was renewed, or that its fence must have acted.
	SetHealth struct {
		Node   NodeID
		Health Health
	}
	// SetLink records that a Ready node's link to the leader broke, or that it has a lasting one again.
	SetLink struct {
		Node   NodeID
		Broken Time // when it broke, at most now; 0: it has a link
	}
	// Checkpoint lets replicas compare their states. Without a hash it only advances State's clock.
	Checkpoint struct {
		Revision uint64
		Hash     [32]byte
	}
	// Enact carries out a plan if the state is still the plan's basis: first the wish that the plan was made for,
	// then the decision that followed. A rejected wish rejects all of it.
	Enact struct {
		Basis    uint64
		Wish     Action // Submit, Stand, SetNode, SetPolicy, or nil
		Decision Adopt
	}
	// Import opens a new generation after a backup was restored. Job ids skip those that
	// may have been given out since the backup was made.
	Import struct{ Generation uint64 }
)

// Holding is a job's placement in a decision. Placement.Nodes is a multiset with one node per live task.
type Holding struct {
	Job       JobID
	Placement Placement
}

// Refusal records that a job can never run, and the reason.
type Refusal struct {
	Job    JobID
	Reason Reason
}

// Observation is one thing that a monitor saw of a run on its node. Which fields are set depends on Seen.
type Observation struct {
	Run      RunID
	Move     MoveID // that it completes or fails; 0: none
	Seen     Sight
	Cap      CPU    // SeenRunning, SeenBooting, SeenArrived: in force, without the boost of a boot
	Image    Bytes  // SeenSaved: size
	Platform string // SeenBooting: the platform that the run is bound to
	Exit     *Exit  // SeenExited
	Cause    string // SeenFailed, SeenLost
	Tier     Tier   // SeenRunning, SeenBooting, SeenArrived: in force, if Tiered
	Tiered   bool   // Tier is reported; monitors that know only Formats below 3 do not report it
	Work     *Work  // SeenRunning, SeenBooting, SeenArrived: since it is measured; nil: it is not observed
}

// Within returns the action without the parts that a manager knowing only Formats up to format cannot read.
func Within(a Action, format uint32) Action {
	switch a := a.(type) {
	case Join:
		if format < versions {
			a.Description.Program = ""
		}
		if format < binds {
			a.Description.Cores = 0
		}
		if format < hasSpeeds {
			a.Description.Speed = 0
		}
		if format < connects {
			a.Description.Bridged = false
		}
		if format < isolates {
			a.Description.Isolates, a.Description.Limits = false, false
			a.Description.Diskless, a.Description.Immobile = false, false
		}
		if format < benchmarks {
			a.Description.Measured = 0
		}
		if format < classifies {
			a.Description.Class = ""
		}
		return a
	case Report:
		return a.within(format)
	case Cancel:
		a.Cause = a.Cause.within(format)
		return a
	case AbortMove:
		a.Cause = a.Cause.within(format)
		return a
	case PutImage:
		if format < hasDisks && a.Image.Kind != DiskImage {
			a.Image.Least = 0
		}
		return a
	case SetNode:
		switch {
		case format < guards && a.Want == ForceDrain:
			a.Want = Drain
		case format < cordons && a.Want == ForceCordon:
			a.Want = Cordon
		}
		return a
	case Enact:
		if a.Wish != nil {
			a.Wish = Within(a.Wish, format)
		}
		return a
	}
	return a
}

// within returns the report without the parts that commands of the Format may not hold.
func (a Report) within(format uint32) Report {
	if format >= observes || !a.observes() {
		return a
	}
	a.Astray, a.HypervisorSilent, a.Revision, a.Joined = 0, false, 0, 0
	a.Observations = slices.Clone(a.Observations)
	for i := range a.Observations {
		o := &a.Observations[i]
		o.Tier, o.Tiered, o.Work = 0, false, nil
	}
	return a
}

// observes reports whether the report has parts that commands below the Format observes may not hold.
func (a Report) observes() bool {
	return a.HypervisorSilent || a.Astray != 0 || a.Revision != 0 || a.Joined != 0 ||
		slices.ContainsFunc(a.Observations, func(o Observation) bool { return o.Tiered || o.Work != nil })
}

// Sight is the kind of an observation.
type Sight uint8

// The kinds of observations of a run.
const (
	SeenBooting Sight = iota + 1 // the VM exists, its guest has not reported its start
	SeenRunning                  // the guest runs
	SeenFrozen                   // the fence has stopped its vCPUs
	SeenSaved                    // its memory image is in the store, the VM is gone
	SeenExited                   // the guest reported its exit, the VM is gone
	SeenLost                     // the VM, or the image that it was to be restored from, is gone without an exit
	SeenAbsent                   // there is no such VM here, as ordered
	SeenArrived                  // the VM came from another node and runs here
	SeenFailed                   // the ordered move failed; the run is as before it
	SeenStray                    // a VM of ours that the orders do not mention
)

func (s Sight) String() string {
	return [...]string{"", "booting", "running", "frozen", "saved", "exited", "lost", "absent", "arrived",
		"failed", "stray"}[s]
}
