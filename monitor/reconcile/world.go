package reconcile

import "aliquot/cluster"

// World is what is ordered, seen and under way on one node at one moment. Domains must
// have been listed before Guests, Images and Ended were looked at, and after the last
// action that is not in Busy any more had ended.
type World struct {
	Orders  cluster.Orders
	Lease   bool // valid, and the orders were given under it
	Store   bool // proven
	Domains map[cluster.RunID]Domain
	Guests  map[cluster.RunID]Guest
	Images  map[cluster.RunID]Image
	Unread  map[cluster.RunID]bool // Guests and Images do not tell of them: the store does not
	Untried map[cluster.RunID]bool // no VM of them has been asked for on this node since they are ordered here
	Ended   map[cluster.RunID]End
	Busy    map[cluster.RunID]Action
	Failed  map[cluster.RunID]Failure  // of actions that conclude their move
	Resting map[cluster.RunID]Verb     // failed and not to be tried again yet
	Peers   map[cluster.RunID]Presence // fresh answers only
}

// Domain is a VM of the cluster on this node.
type Domain struct {
	State    State
	Cap      cluster.CPU // in force; 0: none or unknown
	Tier     cluster.Tier
	Platform string
	Moving   bool          // the hypervisor is saving or migrating it
	Work     *cluster.Work // nil: the hypervisor cannot tell
}

// State is what a VM does.
type State uint8

// The states of a VM.
const (
	Running  State = iota + 1
	Frozen         // its vCPUs are stopped, by somebody here
	Doubtful       // its vCPUs are stopped by a migration's switch-over, out or in
	Dying          // it is being ended
)

// Guest is what the files of a run tell.
type Guest struct {
	Begun   bool // the run has been started once, here or elsewhere
	Started bool
	Exit    *cluster.Exit // reported by the guest, or why what it reported is worthless
}

// Image is what the store has of a run's memory.
type Image struct {
	Size    cluster.Bytes // of the complete image; 0: none
	Partial bool          // there is one that was perhaps not written to its end
	Used    bool          // a VM was made from it already
}

// End is how a VM ended that did not report its exit.
type End struct {
	ByGuest bool   // the guest stopped or crashed; otherwise the node's doing
	Cause   string // in a few words
}

// Failure is an ordered move that did not work.
type Failure struct {
	Move  cluster.MoveID
	Cause string
	Lost  bool // Restore: the image is unreadable
}

// Presence is what a peer says of a VM.
type Presence uint8

// What a peer may say.
const (
	Unknown Presence = iota // it did not answer
	There                   // the VM runs there
	Coming                  // it is there and a migration or another job holds it
	Landed                  // it is there, whole, and stands still
	Nowhere                 // there is no such VM
)
