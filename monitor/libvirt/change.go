package libvirt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// Create makes the VM paused. A VM that comes into being late, after its call was abandoned, thus does
// no work twice.
func (h *Hypervisor) Create(ctx context.Context, m monitor.Machine) error {
	text, release, err := h.driver.prepare(ctx, m)
	if err != nil {
		return err
	}
	defer release()
	err = h.on(ctx, func(c *libvirt.Connect) error {
		d, err := c.DomainCreateXML(text, libvirt.DOMAIN_START_PAUSED)
		if err != nil {
			return err
		}
		defer d.Free()
		return h.begin(d, m)
	})
	if err != nil {
		return fmt.Errorf("create domain: %w", err)
	}
	return nil
}

// begin puts in force what a VM that was made or restored, and does not run yet, lacks of its share.
func (h *Hypervisor) begin(d *libvirt.Domain, m monitor.Machine) error {
	h.noteOrdered(m.VM.UUID(), share{m.Cap, m.Tier})
	return h.driver.set(d, h.driver.initial(share{m.Cap, m.Tier}, h.cores(m.VCPUs))...)
}

// SetShare sets period and quota together, then shares, then the processor. A single call for all would not be atomic.
func (h *Hypervisor) SetShare(ctx context.Context, vm monitor.VM, cap cluster.CPU, tier cluster.Tier,
	core cluster.CoreID) error {
	cpus, unknown := h.cpusOf(ctx, core)
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		f, err := h.learn(d, vm.UUID())
		if err != nil {
			return err
		}
		now, err := h.driver.parameters(d)
		if err != nil {
			return err
		}
		err = h.driver.set(d, h.driver.settings(now, share{cap, tier}, h.cores(f.vcpus))...)
		h.noteOrdered(vm.UUID(), share{cap, tier})
		if unknown != nil {
			return errors.Join(err, unknown)
		}
		return errors.Join(err, h.bind(d, vm.UUID(), f, cpus))
	})
	if err != nil {
		return fmt.Errorf("set the domain's share to %v: %w", cap, err)
	}
	return nil
}

// Save returns when the image is on disk.
func (h *Hypervisor) Save(ctx context.Context, vm monitor.VM, path string) error {
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		if err := idle(ctx, d); err != nil {
			return err
		}
		f, err := h.learn(d, vm.UUID())
		if err != nil {
			return err
		}
		defer h.watch(vm)()
		return h.driver.save(d, f, path)
	})
	if err != nil {
		return fmt.Errorf("save domain: %w", err)
	}
	return patient(ctx, func() error { return flush(path) })
}

// flush writes a file and its folder entry to disk.
func flush(path string) error {
	for _, name := range []string{path, filepath.Dir(path)} {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("flush memory image: %w", err)
		}
		err = f.Sync()
		f.Close()
		if err != nil {
			return fmt.Errorf("flush memory image: %w", err)
		}
	}
	return nil
}

// Verify reads the image's header.
func (h *Hypervisor) Verify(ctx context.Context, vm monitor.VM, path string) error {
	return h.driver.verify(ctx, vm, path)
}

// Restore makes the VM and then puts its share in force.
func (h *Hypervisor) Restore(ctx context.Context, m monitor.Machine, path string) error {
	if err := h.driver.restore(ctx, m, path); err != nil {
		return err
	}
	if err := h.domain(ctx, m.VM, func(d *libvirt.Domain) error { return h.begin(d, m) }); err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	return nil
}

// Expect prepares the devices that the VM's description names.
func (h *Hypervisor) Expect(ctx context.Context, vm monitor.VM, move cluster.MoveID,
	folder monitor.Folder) (release func(), err error) {
	type preparation struct {
		undo func()
		err  error
	}
	prepared := make(chan preparation)
	go func() {
		undo, err := h.driver.expect(vm, move, folder)
		select {
		case prepared <- preparation{undo, err}:
		case <-ctx.Done(): // nobody waits for it any more
			if err == nil {
				undo()
			}
		}
	}()
	select {
	case p := <-prepared:
		release, err = p.undo, p.err
	case <-ctx.Done():
		err = fmt.Errorf("the store did not answer in time: %w", ctx.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("prepare for a VM that is to arrive: %w", err)
	}
	return release, nil
}

// Migrate lets the VM arrive paused. If the switch-over is disturbed, libvirt may resume the VM at the source although
// it has arrived; only both monitors together can find that out.
func (h *Hypervisor) Migrate(ctx context.Context, vm monitor.VM, move cluster.MoveID, peer string, cap cluster.CPU,
	_ cluster.Tier) error {
	if err := h.config.allowed(peer); err != nil {
		return fmt.Errorf("migrate domain: %w", err)
	}
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		if err := idle(ctx, d); err != nil {
			return err
		}
		defer h.watch(vm)()
		return h.driver.migrate(ctx, d, vm, move, peer, cap)
	})
	if err != nil {
		return fmt.Errorf("migrate domain to %s: %w", peer, err)
	}
	return nil
}

// watch makes Sample ask for the progress of the VM's job until the returned function is called.
func (h *Hypervisor) watch(vm monitor.VM) func() {
	h.mu.Lock()
	h.jobs[vm.UUID()] = true
	h.mu.Unlock()
	return func() {
		h.mu.Lock()
		delete(h.jobs, vm.UUID())
		h.mu.Unlock()
	}
}

// idle waits until an earlier job of the domain has ended.
func idle(ctx context.Context, d *libvirt.Domain) error {
	for working(d) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}

// Abort makes the save or migration in progress fail.
func (h *Hypervisor) Abort(ctx context.Context, vm monitor.VM) error {
	err := h.domain(ctx, vm, h.driver.abort)
	if err != nil && !isCode(err, libvirt.ERR_NO_DOMAIN) && !isCode(err, libvirt.ERR_OPERATION_INVALID) {
		return fmt.Errorf("abort the domain's job: %w", err)
	}
	return nil
}

// Freeze suspends the domain.
func (h *Hypervisor) Freeze(ctx context.Context, vm monitor.VM) error {
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		if state, err := h.driver.state(ctx, d); err != nil || state == libvirt.DOMAIN_PAUSED {
			return err
		}
		return d.Suspend()
	})
	if err != nil && !isCode(err, libvirt.ERR_NO_DOMAIN) {
		return fmt.Errorf("suspend domain: %w", err)
	}
	return nil
}

// Thaw undoes Freeze. If the domain's process was stopped by a signal, Thaw continues it first. It fails for a domain
// that QEMU stopped because its disk failed, although that one tries again now: the caller pauses before the next time.
func (h *Hypervisor) Thaw(ctx context.Context, vm monitor.VM) error {
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		f, err := h.learn(d, vm.UUID())
		if err != nil {
			return err
		}
		if f.process.Stopped() {
			if err := f.process.Signal(unix.SIGCONT); err != nil {
				return err
			}
		}
		return h.driver.resume(ctx, d)
	})
	if err != nil {
		return fmt.Errorf("resume domain: %w", err)
	}
	return nil
}

// Wake lets the domain's process go on, without libvirt, which may be waiting for it.
func (h *Hypervisor) Wake(_ context.Context, vm monitor.VM) error {
	all, err := ProcessesOf(vm.Cluster)
	for _, p := range all {
		if p.UUID == vm.UUID() && p.Stopped() {
			h.config.Log.Warn().Str("vm", p.Name).Int("pid", p.Pid).Msg("letting a stopped process go on: libvirt waits for it")
			err = errors.Join(err, p.Signal(unix.SIGCONT))
		}
	}
	return err
}

// Destroy ends the domain. A process stopped by a signal cannot exit by itself, so it is killed.
func (h *Hypervisor) Destroy(ctx context.Context, vm monitor.VM) error {
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		if f, err := h.learn(d, vm.UUID()); err == nil && f.process.Stopped() {
			return f.process.Signal(unix.SIGKILL)
		}
		return d.Destroy()
	})
	if isCode(err, libvirt.ERR_NO_DOMAIN) {
		err = h.driver.destroyHidden(ctx, vm)
	}
	if err != nil {
		return fmt.Errorf("destroy domain: %w", err)
	}
	return nil
}

// Ask looks up the VM at the peer's libvirt.
func (h *Hypervisor) Ask(ctx context.Context, peer string, vm monitor.VM) (reconcile.Presence, error) {
	if err := h.config.allowed(peer); err != nil {
		return reconcile.Unknown, fmt.Errorf("ask a peer: %w", err)
	}
	answer := make(chan reconcile.Presence, 1)
	err := patient(ctx, func() error {
		c, err := libvirt.NewConnectReadOnly(peer)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.SetKeepAlive(keepaliveInterval, keepaliveCount); err != nil {
			return err
		}
		presence, err := presenceOf(c, vm)
		answer <- presence
		return err
	})
	if err != nil {
		return reconcile.Unknown, fmt.Errorf("ask %s: %w", peer, err)
	}
	return <-answer, nil
}

func presenceOf(c *libvirt.Connect, vm monitor.VM) (reconcile.Presence, error) {
	d, err := c.LookupDomainByUUIDString(vm.UUID())
	if isCode(err, libvirt.ERR_NO_DOMAIN) {
		return reconcile.Nowhere, nil
	}
	if err != nil {
		return reconcile.Unknown, err
	}
	defer d.Free()
	state, reason, err := d.GetState()
	switch {
	case isCode(err, libvirt.ERR_NO_DOMAIN):
		return reconcile.Nowhere, nil
	case err != nil:
		return reconcile.Unknown, err
	case state == libvirt.DOMAIN_RUNNING:
		return reconcile.There, nil
	case state == libvirt.DOMAIN_PAUSED && libvirt.DomainPausedReason(reason) == libvirt.DOMAIN_PAUSED_USER:
		return reconcile.Landed, nil
	}
	return reconcile.Coming, nil
}
