package libvirt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	on, err := h.platformFor(ctx, m.Platform)
	if err != nil {
		return err
	}
	cpus, err := h.cpusOf(ctx, m.Core)
	if err != nil {
		return fmt.Errorf("create domain: %w", err)
	}
	text, err := domainOf(m, on, h.config.Speed, cpus)
	if err != nil {
		return err
	}
	if err := h.give(ctx, m); err != nil {
		return err
	}
	err = h.on(ctx, func(c *libvirt.Connect) error {
		d, err := c.DomainCreateXML(text, libvirt.DOMAIN_START_PAUSED)
		if err != nil {
			return err
		}
		defer d.Free()
		return set(d, weightOf(m.Tier))
	})
	if err != nil {
		return fmt.Errorf("create domain: %w", err)
	}
	return nil
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
		now, err := inForce(d)
		if err != nil {
			return err
		}
		err = set(d, append(settings(now, cap, h.cores(f.vcpus)), tuningOf(cap, tier, h.cores(f.vcpus)).weight)...)
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

// set sets the parameters one after another.
func set(d *libvirt.Domain, all ...*libvirt.DomainSchedulerParameters) error {
	for _, p := range all {
		if err := d.SetSchedulerParametersFlags(p, libvirt.DOMAIN_AFFECT_LIVE); err != nil {
			return err
		}
	}
	return nil
}

// hasten lets QEMU's own threads run without a cap and in the foreground, for a save or a migration. The returned
// function undoes that after a failure. The domain may be gone then; otherwise its next change of the share does the
// same.
func (h *Hypervisor) hasten(d *libvirt.Domain, vcpus int) (undo func(), err error) {
	before, err := inForce(d)
	if err != nil {
		return nil, err
	}
	undo = func() {
		now, err := inForce(d)
		if err == nil && before.CpuSharesSet {
			err = set(d, append(joining(now, h.cores(vcpus)), weightOf(tierOf(before.CpuShares)))...)
		}
		if err != nil {
			h.config.Log.Debug().Err(err).Msg("cannot give a VM its share again after a move that failed")
		}
	}
	return undo, set(d, hastening(before, h.cores(vcpus))...)
}

// inForce returns the domain's present parameters; those of a domain that has none are zero.
func inForce(d *libvirt.Domain) (*libvirt.DomainSchedulerParameters, error) {
	p, err := d.GetSchedulerParametersFlags(libvirt.DOMAIN_AFFECT_LIVE)
	if err == nil && p == nil {
		p = &libvirt.DomainSchedulerParameters{}
	}
	return p, err
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
		undo, err := h.hasten(d, f.vcpus)
		if err != nil {
			return err
		}
		defer h.watch(vm)()
		if err = d.SaveFlags(path, "", 0); err != nil {
			undo()
		}
		return err
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

// Verify reads the image's header. libvirt marks it as complete at the end of a save.
func (h *Hypervisor) Verify(ctx context.Context, vm monitor.VM, path string) error {
	_, err := h.imageOf(ctx, vm, path)
	return err
}

func (h *Hypervisor) imageOf(ctx context.Context, vm monitor.VM, path string) (text string, err error) {
	err = h.on(ctx, func(c *libvirt.Connect) error {
		text, err = c.DomainSaveImageGetXMLDesc(path, libvirt.DOMAIN_SAVE_IMAGE_XML_SECURE)
		return err
	})
	if isCode(err, libvirt.ERR_OPERATION_FAILED) || isCode(err, libvirt.ERR_INTERNAL_ERROR) {
		return "", fmt.Errorf("%w: %w", monitor.ErrUnreadable, err)
	}
	if err != nil {
		return "", fmt.Errorf("read memory image: %w", err)
	}
	if !strings.Contains(text, vm.UUID()) {
		return "", fmt.Errorf("%w: it is not an image of %s", monitor.ErrUnreadable, vm.Name())
	}
	return text, nil
}

// Restore describes the VM anew. A smaller node's cgroup may refuse the cap with which it was saved.
func (h *Hypervisor) Restore(ctx context.Context, m monitor.Machine, path string) error {
	text, err := h.imageOf(ctx, m.VM, path)
	if err != nil {
		return err
	}
	cpus, err := h.cpusOf(ctx, m.Core)
	if err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	if text, err = restored(m, text, h.config.Speed, cpus); err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	if err := h.give(ctx, m); err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	err = h.on(ctx, func(c *libvirt.Connect) error {
		return c.DomainRestoreFlags(path, text, libvirt.DOMAIN_SAVE_PAUSED)
	})
	if err == nil {
		err = h.domain(ctx, m.VM, func(d *libvirt.Domain) error { return set(d, weightOf(m.Tier)) })
	}
	if err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	return nil
}

// Migrate is live under KVM only: under TCG, pages dirtied during a live copy can be lost. The VM arrives paused, and
// in the foreground, in which QEMU starts there. If the switch-over is disturbed, libvirt may resume the VM at the
// source although it has arrived; only both monitors together can find that out.
func (h *Hypervisor) Migrate(ctx context.Context, vm monitor.VM, peer string, cap cluster.CPU,
	_ cluster.Tier) error {
	if err := cluster.CheckMigrateURI(peer, h.config.PlainTCP); err != nil { // the peer chose it
		return fmt.Errorf("migrate domain: %w", err)
	}
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		if err := idle(ctx, d); err != nil {
			return err
		}
		text, err := d.GetXMLDesc(libvirt.DOMAIN_XML_MIGRATABLE | libvirt.DOMAIN_XML_SECURE)
		if err != nil {
			return err
		}
		f, err := factsOf(text)
		if err != nil {
			return err
		}
		if text, err = h.config.destined(text, cap); err != nil {
			return err
		}
		undo, err := h.hasten(d, f.vcpus)
		if err != nil {
			return err
		}
		defer h.watch(vm)()
		flags := libvirt.MIGRATE_PEER2PEER | libvirt.MIGRATE_PAUSED
		if f.disks {
			flags |= libvirt.MIGRATE_UNSAFE // libvirt trusts few kinds of file systems; both monitors have proven the store
		}
		if strings.HasPrefix(f.platform, "kvm/") {
			flags |= libvirt.MIGRATE_LIVE | libvirt.MIGRATE_AUTO_CONVERGE
		}
		if err = d.MigrateToURI3(peer, &libvirt.DomainMigrateParameters{DestXMLSet: true, DestXML: text}, flags); err != nil {
			undo()
		}
		return err
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
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error { return d.AbortJob() })
	if err != nil && !isCode(err, libvirt.ERR_NO_DOMAIN) && !isCode(err, libvirt.ERR_OPERATION_INVALID) {
		return fmt.Errorf("abort the domain's job: %w", err)
	}
	return nil
}

// Freeze suspends the domain.
func (h *Hypervisor) Freeze(ctx context.Context, vm monitor.VM) error {
	err := h.domain(ctx, vm, func(d *libvirt.Domain) error {
		if state, _, err := d.GetState(); err != nil || state == libvirt.DOMAIN_PAUSED {
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
		state, reason, err := d.GetState()
		if err != nil || state == libvirt.DOMAIN_RUNNING {
			return err
		}
		return cmp.Or(d.Resume(), diskError(state, reason))
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
	if err != nil && !isCode(err, libvirt.ERR_NO_DOMAIN) {
		return fmt.Errorf("destroy domain: %w", err)
	}
	return nil
}

// Ask looks up the VM at the peer's libvirt.
func (h *Hypervisor) Ask(ctx context.Context, peer string, vm monitor.VM) (reconcile.Presence, error) {
	if err := cluster.CheckMigrateURI(peer, h.config.PlainTCP); err != nil {
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
