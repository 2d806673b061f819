package reconcile

import (
	"time"

	"aliquot/cluster"
)

// World is the orders, observations and actions in progress on one node at one moment. Domains must
// have been listed before Guests, Images and Ended were read, and after the end of the last action
// that is no longer in Busy.
type World struct {
	Orders  cluster.Orders
	Lease   bool        // valid, and the orders were given under it
	Store   bool        // proven
	CPU     cluster.CPU // offered by the node to VMs of ours, in reference millicores
	Speed   cluster.Speed
	Domains map[cluster.RunID]Domain
	Guests  map[cluster.RunID]Guest
	Images  map[cluster.RunID]Image
	Unread  map[cluster.RunID]bool // their files on the store are unreadable, so Guests and Images lack them
	Untried map[cluster.RunID]bool // no VM of the run was requested on this node since the run was ordered here
	Ended   map[cluster.RunID]End
	Busy    map[cluster.RunID]Action
	Failed  map[cluster.RunID]Failure  // failures of actions that conclude their move
	Resting map[cluster.RunID]Verb     // actions that failed and must not be retried yet
	Peers   map[cluster.RunID]Presence // fresh answers only
	Unready map[cluster.RunID]bool     // ordered to arrive, and this node has not prepared for that yet
}

// Domain is a VM of the cluster on this node.
type Domain struct {
	State    State
	Cap      cluster.CPU // in force; 0: none or unknown
	Uncapped bool        // no cap is in force, which on some hypervisors is so after a restore or an arrival
	Tier     cluster.Tier
	Core     cluster.CoreID // that it is bound to; 0: none
	Platform string
	Memory   cluster.Bytes // of the guest, without what the overhead of each VM covers
	Moving   bool          // the hypervisor is making, saving or migrating it
	Stopped  bool          // a signal has stopped its process
	Half     bool          // half made, never ran, and left behind by a daemon that has ended: it can only be destroyed
	Age      time.Duration // of the VM on this node
	Work     *cluster.Work // nil: the hypervisor cannot measure it
}

// State is the state of a VM.
type State uint8

// The states of a VM.
const (
	Running  State = iota + 1
	Frozen         // its vCPUs are stopped, by this node
	Doubtful       // its vCPUs are stopped by the switch-over of a migration, in either direction
	Dying          // it is being ended
)

// Guest is the content of a run's files.
type Guest struct {
	Begun   bool // the run has been started once, here or elsewhere
	Started bool
	Exit    *cluster.Exit // reported by the guest, or the reason why its report is unusable
}

// Image is the state of a run's memory images on the store.
type Image struct {
	Size    cluster.Bytes // of the complete image; 0: none
	Partial bool          // there is an image that may be incomplete
	Used    bool          // a VM was already made from it
}

// End is the end of a VM that did not report its exit.
type End struct {
	ByGuest bool   // the guest stopped or crashed; otherwise the node ended it
	Cause   string // in a few words
}

// Failure is an ordered move that failed.
type Failure struct {
	Move  cluster.MoveID
	Cause string
	Lost  bool // Restore: the image is unreadable
}

// Presence is a peer's answer about a VM.
type Presence uint8

// The answers of a peer.
const (
	Unknown Presence = iota // it did not answer
	There                   // the VM runs there
	Coming                  // it is there, but a migration or another job is in progress
	Landed                  // it is there, complete and paused
	Nowhere                 // there is no such VM
)
