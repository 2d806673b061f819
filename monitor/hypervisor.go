package monitor

import (
	"context"
	"errors"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// Hypervisor runs the VMs of one node. All methods may be called concurrently, for different
// VMs; they return when ctx ends, even if the hypervisor hangs. An error leaves open whether
// the thing was done: only a listing begun afterwards tells. What is asked for and is so
// already is no error.
type Hypervisor interface {
	// Describe says what the node offers; it changes only with the machine's software.
	Describe(ctx context.Context) (Platform, error)
	// Changes tells that something about VMs changed: list again. Signals may be merged.
	Changes() <-chan struct{}
	// List returns all VMs of the cluster on the node, and what others use.
	List(ctx context.Context, of [16]byte) (Listing, error)
	// Sample measures the VMs of the cluster since the previous call.
	Sample(ctx context.Context, of [16]byte) ([]Usage, error)

	// Create makes a new VM that does not run yet, with the machine's cap and tier in force.
	Create(ctx context.Context, m Machine) error
	// SetShare puts cap and tier in force; sizes of the VM follow from the machine's spec.
	SetShare(ctx context.Context, vm VM, cap cluster.CPU, tier cluster.Tier) error
	// Save writes the VM's memory to path, flushed to disk, and ends the VM.
	Save(ctx context.Context, vm VM, path string) error
	// Verify tells whether path is a complete memory image of the VM; ErrUnreadable means that it is not.
	Verify(ctx context.Context, vm VM, path string) error
	// Restore makes the VM from the memory image, with the given cap and tier in force, also
	// where the hypervisor forgets them; it does not run yet.
	Restore(ctx context.Context, vm VM, path string, cap cluster.CPU, tier cluster.Tier) error
	// Migrate moves the VM to the peer, where it stands still with the given cap and tier.
	Migrate(ctx context.Context, vm VM, peer string, cap cluster.CPU, tier cluster.Tier) error
	// Abort gives up the save or migration under way; whoever waits for that gets an error.
	Abort(ctx context.Context, vm VM) error
	// Freeze stops the VM's vCPUs; Thaw lets them run, whoever has stopped them and how.
	Freeze(ctx context.Context, vm VM) error
	Thaw(ctx context.Context, vm VM) error
	// Destroy ends the VM at once.
	Destroy(ctx context.Context, vm VM) error
	// Ask asks another node's hypervisor about the VM.
	Ask(ctx context.Context, peer string, vm VM) (reconcile.Presence, error)
}

// ErrUnreadable is wrapped by errors about a memory image that no hypervisor can use.
var ErrUnreadable = errors.New("the memory image is unreadable")

// Platform is what a hypervisor offers.
type Platform struct {
	Names      []string      // platforms that VMs can be bound to; the first is for new VMs
	Text       string        // for people, with the reason for the choice
	Overhead   cluster.Bytes // of a VM on top of its memory
	MigrateURI string        // where peers send VMs to; "": none can come
}

// Listing is what a hypervisor had at one moment.
type Listing struct {
	Domains map[cluster.RunID]reconcile.Domain
	Ended   map[cluster.RunID]reconcile.End // VMs that ended since the hypervisor was connected, and how
	Foreign cluster.Foreign
}
