package monitor

import (
	"context"
	"errors"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// Hypervisor runs the VMs of one node. All methods may be called concurrently for different VMs. They
// return when ctx ends, even if the hypervisor hangs. After an error it is unknown whether the call
// took effect; only a listing begun afterwards shows it. A call whose result already holds is no error.
type Hypervisor interface {
	// Describe returns what the node offers. It changes only with the machine's software.
	Describe(ctx context.Context) (Platform, error)
	// Changes signals that VMs have changed and must be listed again. Signals may be merged.
	Changes() <-chan struct{}
	// List returns all VMs of the cluster on the node, and the resources that other VMs use.
	List(ctx context.Context, of [16]byte) (Listing, error)
	// Sample measures the VMs of the cluster since the previous call.
	Sample(ctx context.Context, of [16]byte) ([]Usage, error)

	// Create makes a new VM that does not run yet, with the machine's cap, tier and processor in force.
	Create(ctx context.Context, m Machine) error
	// SetShare puts cap and tier in force, and binds the VM to the node's processor; 0: to none. The VM's size stays as
	// created.
	SetShare(ctx context.Context, vm VM, cap cluster.CPU, tier cluster.Tier, core cluster.CoreID) error
	// Save writes the VM's memory to path, flushed to disk, and ends the VM.
	Save(ctx context.Context, vm VM, path string) error
	// Verify returns ErrUnreadable if path is not a complete memory image of the VM.
	Verify(ctx context.Context, vm VM, path string) error
	// Restore makes the machine's VM from the memory image. It does not run yet. The machine's cap, tier and processor are
	// in force, even where the hypervisor does not keep them. Others may have written the image: whatever it says of the
	// VM, nothing outside of the VM is opened but what the machine names. An image of another VM is ErrUnreadable.
	Restore(ctx context.Context, m Machine, path string) error
	// Migrate moves the VM to the peer, which expects it for that move. There it is paused with the given cap, and bound
	// to no processor. It may arrive in another tier than the given one, until the peer sets its share.
	Migrate(ctx context.Context, vm VM, move cluster.MoveID, peer string, cap cluster.CPU, tier cluster.Tier) error
	// Abort cancels the save or migration in progress; its call returns an error.
	Abort(ctx context.Context, vm VM) error
	// Freeze stops the VM's vCPUs. Thaw lets them run, however they were stopped.
	Freeze(ctx context.Context, vm VM) error
	Thaw(ctx context.Context, vm VM) error
	// Wake undoes a stop of the VM's process by a signal, even while the hypervisor waits for that process. It changes
	// nothing else.
	Wake(ctx context.Context, vm VM) error
	// Destroy ends the VM at once.
	Destroy(ctx context.Context, vm VM) error
	// Ask asks another node's hypervisor about the VM.
	Ask(ctx context.Context, peer string, vm VM) (reconcile.Presence, error)
}

// Expecter is a Hypervisor that must prepare for a VM before a peer can send it.
type Expecter interface {
	// Expect returns when the peer may send the VM, whose files are in the folder, by that move. Its preparations last
	// until release is called, and then for as long as the VM is here.
	Expect(ctx context.Context, vm VM, move cluster.MoveID, folder Folder) (release func(), err error)
}

// ErrUnreadable is wrapped by errors about a memory image that no hypervisor can use.
var ErrUnreadable = errors.New("the memory image is unreadable")

// Platform is what a hypervisor offers.
type Platform struct {
	Names      []string      // platforms that VMs can be bound to; the first is for new VMs
	Text       string        // for people, with the reason for the choice
	Overhead   cluster.Bytes // of a VM on top of its memory
	MigrateURI string        // where peers send VMs; "": none can come
	Bridged    bool          // VMs can be on the node's bridge, whose segments are kept apart
	Limits     bool          // the network cards of VMs there can have a limit
	Diskless   bool          // VMs boot no images of kind disk
	Cores      int           // processors that VMs can be bound to
}

// Listing is the state of a hypervisor at one moment.
type Listing struct {
	Domains map[cluster.RunID]reconcile.Domain
	Ended   map[cluster.RunID]reconcile.End // VMs that ended since the hypervisor was connected, and how
	Foreign cluster.Foreign
}
