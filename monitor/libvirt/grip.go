package libvirt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// Gentle controls VMs through libvirt.
type Gentle struct{ *Hypervisor }

// Freeze suspends all running VMs of the cluster. It fails if libvirt does not know all of them.
func (g Gentle) Freeze(ctx context.Context, of [16]byte) error {
	listing, err := g.List(ctx, of)
	if err != nil {
		return err
	}
	failed := []error{seize(of, listing, unix.SIGSTOP), g.complete()}
	for run, d := range listing.Domains {
		if d.State == reconcile.Running {
			failed = append(failed, g.Hypervisor.Freeze(ctx, monitor.VM{Cluster: of, Run: run}))
		}
	}
	return errors.Join(failed...)
}

// Destroy ends all VMs of the cluster.
func (g Gentle) Destroy(ctx context.Context, of [16]byte) error {
	listing, err := g.List(ctx, of)
	if err != nil {
		return err
	}
	failed := []error{seize(of, listing, unix.SIGKILL)}
	for run := range listing.Domains {
		failed = append(failed, g.Hypervisor.Destroy(ctx, monitor.VM{Cluster: of, Run: run}))
	}
	return errors.Join(failed...)
}

// Try lists the VMs of the cluster.
func (g Gentle) Try(ctx context.Context, of [16]byte) error {
	_, err := g.List(ctx, of)
	return err
}

// seize signals the processes of the cluster's VMs that libvirt does not list: it may have lost or not yet found them.
func seize(of [16]byte, listing monitor.Listing, s unix.Signal) error {
	all, err := ProcessesOf(of)
	return errors.Join(err, signal(slices.DeleteFunc(all, func(p Process) bool {
		vm, err := monitor.ParseVM(of, p.Name, p.UUID)
		_, listed := listing.Domains[vm.Run]
		return err != nil || listed
	}), s))
}

// grip is the fence's control of all VMs of a cluster.
type grip interface {
	Freeze(ctx context.Context, of [16]byte) error
	Destroy(ctx context.Context, of [16]byte) error
	Try(ctx context.Context, of [16]byte) error
}

// FirmOf returns what controls VMs without libvirt on a machine whose libvirt has the URI.
func FirmOf(uri string) grip {
	if OnXen(uri) {
		return FirmXen{}
	}
	return Firm{}
}

// Firm controls VMs through their processes, whatever state libvirt is in.
type Firm struct{}

// Freeze stops the processes of all VMs of the cluster.
func (Firm) Freeze(_ context.Context, of [16]byte) error { return signalAll(of, unix.SIGSTOP) }

// Destroy kills the processes of all VMs of the cluster.
func (Firm) Destroy(_ context.Context, of [16]byte) error { return signalAll(of, unix.SIGKILL) }

// Try finds the processes of all VMs of the cluster, and whether it may signal processes of other users.
func (Firm) Try(_ context.Context, of [16]byte) error {
	if err := unix.Kill(1, 0); err != nil {
		return fmt.Errorf("signal processes: %w", err)
	}
	_, err := ProcessesOf(of)
	return err
}

func signalAll(of [16]byte, s unix.Signal) error {
	all, err := ProcessesOf(of)
	if err != nil {
		err = fmt.Errorf("find the cluster's VMs: %w", err)
	}
	return errors.Join(err, signal(all, s))
}

// signal sends the signal to the processes. Those that are stopped need not be stopped again.
func signal(all []Process, s unix.Signal) error {
	var failed []error
	for _, p := range all {
		if s != unix.SIGSTOP || !p.Stopped() {
			failed = append(failed, p.Signal(s))
		}
	}
	return errors.Join(failed...)
}
