package libvirt

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// Gentle controls VMs through libvirt.
type Gentle struct{ *Hypervisor }

// Freeze suspends all running VMs of the cluster.
func (g Gentle) Freeze(ctx context.Context, of [16]byte) error {
	listing, err := g.List(ctx, of)
	if err != nil {
		return err
	}
	var failed []error
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
	var failed []error
	for run := range listing.Domains {
		failed = append(failed, g.Hypervisor.Destroy(ctx, monitor.VM{Cluster: of, Run: run}))
	}
	return errors.Join(failed...)
}

// Firm controls VMs through their processes, whatever state libvirt is in.
type Firm struct{}

// Freeze stops the processes of all VMs of the cluster.
func (Firm) Freeze(_ context.Context, of [16]byte) error { return signalAll(of, unix.SIGSTOP) }

// Destroy kills the processes of all VMs of the cluster.
func (Firm) Destroy(_ context.Context, of [16]byte) error { return signalAll(of, unix.SIGKILL) }

func signalAll(of [16]byte, s unix.Signal) error {
	all, err := ProcessesOf(of)
	if err != nil {
		return fmt.Errorf("find the cluster's VMs: %w", err)
	}
	var failed []error
	for _, p := range all {
		if s != unix.SIGSTOP || !p.Stopped() {
			failed = append(failed, p.Signal(s))
		}
	}
	return errors.Join(failed...)
}
