package monitor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"aliquot/cluster"
)

// Creating is the message of the log when the hypervisor is asked for a VM. Benchmarks read its time.
const Creating = "creating the VM"

// place waits for a slot for creating a VM. Call the result to free the slot.
func (a *Agent) place(ctx context.Context) (func(), error) {
	select {
	case a.starts <- struct{}{}:
		return func() { <-a.starts }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for other VMs to start: %w", ctx.Err())
	}
}

// fetch brings an image to the node.
func (a *Agent) fetch(ctx context.Context, reference string) (Image, error) {
	digest, err := digestOf(reference)
	if err != nil {
		return Image{}, err
	}
	var image Image
	err = within(ctx, func() (err error) {
		if err := a.images.Ensure(ctx, digest); err != nil {
			return fmt.Errorf("fetch the image: %w", err)
		}
		image, err = ReadImage(filepath.Join(a.config.Images, digest))
		return err
	})
	if err != nil {
		return Image{}, err // the goroutine may still write to image
	}
	return image, nil
}

// start makes a run's VM and lets it run. If the run was begun before, start does nothing: the next snapshot shows the
// run's state.
func (a *Agent) start(ctx context.Context, o cluster.Order, lapses int64, vm VM, folder Folder) error {
	image, err := a.fetch(ctx, o.Spec.Image)
	if err != nil {
		return err
	}
	free, err := a.place(ctx)
	if err != nil {
		return err
	}
	defer free()
	if err := a.leased(lapses); err != nil {
		return err
	}
	err = within(ctx, func() error {
		if err := a.store.there(); err != nil {
			return err // a folder below an empty mount point would be lost
		}
		return folder.Prepare(taskOf(vm, o, image), a.disksOf(o, vm, image)...)
	})
	if errors.Is(err, ErrBegun) {
		return nil
	}
	if err != nil {
		return err
	}
	a.config.Log.Debug().Stringer("run", vm.Run).Msg(Creating)
	if err := a.try(vm.Run, func() error {
		return a.hypervisor.Create(ctx, newMachine(vm.Cluster, o, image, folder, a.config.Bridge))
	}); err != nil {
		return err
	}
	return a.letRun(ctx, vm, lapses)
}

// try requests the run's VM. The run counts as tried, unless the request certainly did not reach the hypervisor.
func (a *Agent) try(run cluster.RunID, request func() error) error {
	first := a.tried.put(run)
	err := request()
	if first && errors.Is(err, ErrUnreached) {
		a.tried.drop(run)
	}
	return err
}

// letRun thaws a VM, unless the lease of that decision has expired meanwhile.
func (a *Agent) letRun(ctx context.Context, vm VM, lapses int64) error {
	if err := a.leased(lapses); err != nil {
		return err
	}
	if err := a.hypervisor.Thaw(ctx, vm); err != nil {
		return err
	}
	if err := a.leased(lapses); err != nil { // the hypervisor may have hung, too
		return errors.Join(err, a.hypervisor.Freeze(ctx, vm))
	}
	return nil
}

// leased returns an error if the lease under which an action began has expired, because the run may be running
// elsewhere since then. The next lease does not make the action valid again.
func (a *Agent) leased(lapses int64) error {
	if a.lapses.Load() != lapses || a.config.Boottime() >= time.Duration(a.leaseEnd.Load()) {
		return errors.New("the lease has expired meanwhile")
	}
	return nil
}

// restore makes a run's VM from its memory image. The image is renamed before the VM runs, so that it
// is never used twice.
func (a *Agent) restore(ctx context.Context, o cluster.Order, lapses int64, vm VM, folder Folder, here bool) error {
	image, err := a.fetch(ctx, o.Spec.Image)
	if err != nil {
		return err
	}
	free, err := a.place(ctx)
	if err != nil {
		return err
	}
	defer free()
	if err := a.leased(lapses); err != nil {
		return err
	}
	if !here {
		if err := a.try(vm.Run, func() error {
			return a.hypervisor.Restore(ctx, newMachine(vm.Cluster, o, image, folder, a.config.Bridge), folder.Saved())
		}); err != nil {
			return blame(err, folder.Saved())
		}
	}
	if err := a.leased(lapses); err != nil {
		return err
	}
	if err := folder.rename(folder.Saved(), folder.Used()); err != nil {
		if errors.Is(err, os.ErrNotExist) { // another node has restored the VM from it
			err = errors.Join(err, a.hypervisor.Destroy(ctx, vm))
		}
		return err
	}
	return a.letRun(ctx, vm, lapses)
}

// save writes the memory image under a temporary name; only a complete image gets the final name. The image that the VM
// was once made from is removed, so that it is not mistaken for the use of the new one.
func (a *Agent) save(ctx context.Context, vm VM, folder Folder) error {
	if err := remove(folder.Partial(), folder.Used()); err != nil {
		return err
	}
	if err := a.hypervisor.Save(ctx, vm, folder.Partial()); err != nil {
		return err
	}
	return folder.rename(folder.Partial(), folder.Saved())
}

// adopt keeps a memory image whose writing ended unobserved, or deletes it if it is useless.
func (a *Agent) adopt(ctx context.Context, vm VM, folder Folder) error {
	err := blame(a.hypervisor.Verify(ctx, vm, folder.Partial()), folder.Partial())
	if errors.Is(err, ErrUnreadable) {
		return folder.discard()
	}
	if err != nil {
		return err
	}
	return folder.rename(folder.Partial(), folder.Saved())
}
