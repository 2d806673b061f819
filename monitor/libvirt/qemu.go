package libvirt

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// qemu is the driver of QEMU: each VM is a process in a cgroup of its own.
type qemu struct{ *Hypervisor }

func (qemu) check() error { return checkOutputs(qemuConfig) }

func (h qemu) prepare(ctx context.Context, m monitor.Machine) (string, func(), error) {
	on, err := h.platformFor(ctx, m.Platform)
	if err != nil {
		return "", nil, err
	}
	cpus, err := h.cpusOf(ctx, m.Core)
	if err != nil {
		return "", nil, fmt.Errorf("create domain: %w", err)
	}
	text, err := domainOf(m, on, h.config.Speed, cpus)
	if err != nil {
		return "", nil, err
	}
	return text, func() {}, h.give(ctx, m)
}

func (qemu) platformIn(d *libvirtxml.Domain) string {
	on := platform{accel: "tcg"}
	if d.Type == "kvm" {
		on.accel = "kvm"
	}
	if d.OS != nil && d.OS.Type != nil {
		on.machine = d.OS.Type.Machine
	}
	if d.CPU != nil && d.CPU.Model != nil {
		on.model = d.CPU.Model.Value
	}
	return on.String()
}

func (qemu) find(id string) (found Process, err error) {
	all, err := Processes()
	if err != nil {
		return Process{}, err
	}
	for _, p := range all {
		if p.UUID == id {
			found = p
		}
	}
	return found, nil
}

// processes returns none if libvirt is on another machine.
func (h qemu) processes(of [16]byte) ([]Process, error) {
	if !strings.HasPrefix(h.config.URI, "qemu:///") {
		return nil, nil
	}
	return ProcessesOf(of)
}

func (qemu) current(f facts) bool { return f.process.Alive() }

// sampled includes states, which tell a restore in progress.
func (qemu) sampled() libvirt.DomainStatsTypes {
	return libvirt.DOMAIN_STATS_STATE | libvirt.DOMAIN_STATS_CPU_TOTAL
}

func (qemu) below(context.Context) ([]xlDomain, error) { return nil, nil }

// eachActive makes one call for all. libvirt does not wait for busy ones.
func (qemu) eachActive(c *libvirt.Connect, _ []xlDomain, what libvirt.DomainStatsTypes,
	f func(*libvirt.Domain, libvirt.DomainStats) error) error {
	all, err := c.GetAllDomainStats(nil, what,
		libvirt.CONNECT_GET_ALL_DOMAINS_STATS_ACTIVE|libvirt.CONNECT_GET_ALL_DOMAINS_STATS_NOWAIT)
	if err != nil {
		return err
	}
	for _, s := range all {
		if err == nil {
			err = f(s.Domain, s)
		}
		s.Domain.Free()
	}
	return err
}

// hidden returns none: what libvirt does not know is found by its process.
func (qemu) hidden(context.Context, *libvirt.Connect, [16]byte, map[string]bool, []xlDomain,
	*absences) (map[monitor.VM]reconcile.Domain, error) {
	return nil, nil
}

func (qemu) destroyHidden(context.Context, monitor.VM) error { return nil }

func (qemu) parameters(d *libvirt.Domain) (*libvirt.DomainSchedulerParameters, error) {
	p, err := d.GetSchedulerParametersFlags(libvirt.DOMAIN_AFFECT_LIVE)
	if err == nil && p == nil {
		p = &libvirt.DomainSchedulerParameters{}
	}
	return p, err
}

func (qemu) set(d *libvirt.Domain, all ...*libvirt.DomainSchedulerParameters) error {
	for _, p := range all {
		if err := d.SetSchedulerParametersFlags(p, libvirt.DOMAIN_AFFECT_LIVE); err != nil {
			return err
		}
	}
	return nil
}

func (qemu) shareIn(p *libvirt.DomainSchedulerParameters, on cores) share {
	return share{capIn(p, on), tierOf(p.CpuShares)}
}

func (qemu) settings(now *libvirt.DomainSchedulerParameters, to share, on cores) []*libvirt.DomainSchedulerParameters {
	return append(settings(now, to.cap, on), tuningOf(to.cap, to.tier, on).weight)
}

func (qemu) nearest(to share, _ cores) share { return to }

// initial returns the weight alone: the cap is in the description.
func (qemu) initial(to share, _ cores) []*libvirt.DomainSchedulerParameters {
	return []*libvirt.DomainSchedulerParameters{weightOf(to.tier)}
}

func (qemu) collect([16]byte) collector {
	return func(context.Context, map[string]bool) []monitor.VM { return nil }
}

func (h qemu) save(d *libvirt.Domain, f facts, path string) error {
	undo, err := h.hasten(d, f.vcpus)
	if err != nil {
		return err
	}
	if err = d.SaveFlags(path, "", 0); err != nil {
		undo()
	}
	return err
}

// hasten lets QEMU's own threads run without a cap and in the foreground, for a save or a migration. The returned
// function undoes that after a failure. The domain may be gone then; otherwise its next change of the share does the
// same.
func (h qemu) hasten(d *libvirt.Domain, vcpus int) (undo func(), err error) {
	before, err := h.parameters(d)
	if err != nil {
		return nil, err
	}
	undo = func() {
		now, err := h.parameters(d)
		if err == nil && before.CpuSharesSet {
			err = h.set(d, append(joining(now, h.cores(vcpus)), weightOf(tierOf(before.CpuShares)))...)
		}
		if err != nil {
			h.config.Log.Debug().Err(err).Msg("cannot give a VM its share again after a move that failed")
		}
	}
	return undo, h.set(d, hastening(before, h.cores(vcpus))...)
}

// verify relies on libvirt, which marks an image as complete at the end of a save.
func (h qemu) verify(ctx context.Context, vm monitor.VM, path string) error {
	_, err := h.imageOf(ctx, vm, path)
	return err
}

func (h qemu) imageOf(ctx context.Context, vm monitor.VM, path string) (text string, err error) {
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

// restore describes the VM anew. A smaller node's cgroup may refuse the cap with which it was saved.
func (h qemu) restore(ctx context.Context, m monitor.Machine, path string) error {
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
	if err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	return nil
}

// expect prepares nothing: libvirt opens the files of a VM that arrives.
func (qemu) expect(monitor.VM, cluster.MoveID, monitor.Folder) (func(), error) { return func() {}, nil }

// migrate is live under KVM only: under TCG, pages dirtied during a live copy can be lost. The VM arrives in the
// foreground, in which QEMU starts there.
func (h qemu) migrate(_ context.Context, d *libvirt.Domain, _ monitor.VM, _ cluster.MoveID, peer string,
	cap cluster.CPU) error {
	text, err := d.GetXMLDesc(libvirt.DOMAIN_XML_MIGRATABLE | libvirt.DOMAIN_XML_SECURE)
	if err != nil {
		return err
	}
	f, err := factsOf(text, h.platformIn)
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
	flags := libvirt.MIGRATE_PEER2PEER | libvirt.MIGRATE_PAUSED | tunnelled(peer)
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
}

func (qemu) state(_ context.Context, d *libvirt.Domain) (libvirt.DomainState, error) {
	state, _, err := d.GetState()
	return state, err
}

func (qemu) resume(_ context.Context, d *libvirt.Domain) error {
	state, reason, err := d.GetState()
	if err != nil || state == libvirt.DOMAIN_RUNNING {
		return err
	}
	return cmp.Or(d.Resume(), diskError(state, reason))
}

func (qemu) abort(d *libvirt.Domain) error { return d.AbortJob() }
