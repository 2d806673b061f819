package libvirt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/monitor"
)

// xen is the driver of Xen, whose VMs are no processes of this machine. It has no cgroups: CPU time is what Xen counts.
// Save, restore and migration lose cap and weight, which are set while the VM is paused. Nothing that has begun can be
// called off, but a migration can while it waits for the peer.
type xen struct {
	*Hypervisor
	disks *disks
	waits *waits
}

const platformPVH = "xen/pvh"

// overheadXen is the memory that a VM takes from its node besides its job's: the guest's system, and Xen's own tables.
const overheadXen = cluster.GuestSystem + 8*cluster.MiB

// check leaves all to offer: what Xen was booted with stays.
func (xen) check() error { return nil }

func (h xen) offer(ctx context.Context) (chosen *choice, err error) {
	info, err := xl(ctx, "info")
	if err != nil {
		return nil, err
	}
	err = h.on(ctx, func(c *libvirt.Connect) error {
		n, err := c.GetVersion()
		if err != nil {
			return err
		}
		capabilities, err := c.GetCapabilities()
		if err != nil {
			return err
		}
		chosen, err = choiceXen(n, capabilities, string(info))
		return err
	})
	if err != nil {
		return nil, err
	}
	return chosen, nil
}

// choiceXen returns what is offered by a Xen of the version, or an error that says what to change.
func choiceXen(version uint32, capabilities, info string) (*choice, error) {
	if err := cmp.Or(offersPVH(capabilities), schedules(info)); err != nil {
		return nil, err
	}
	return &choice{
		text:      fmt.Sprintf("Xen %d.%d.%d, PVH", version/1_000_000, version/1000%1000, version%1000),
		platforms: []string{platformPVH}, overhead: overheadXen,
		apart: true, diskless: true,
	}, nil
}

// scheduler matches the line of `xl info` about it.
var scheduler = regexp.MustCompile(`(?m)^xen_scheduler\s*: *(\S*)`)

// schedules returns an error if Xen's scheduler is not the one whose caps and weights the driver sets.
func schedules(info string) error {
	is := scheduler.FindStringSubmatch(info)
	switch {
	case is == nil:
		return errors.New("xl info does not tell Xen's scheduler")
	case is[1] != "credit":
		return fmt.Errorf("the scheduler of Xen is %s: put sched=credit on Xen's command line, and restart the machine", is[1])
	}
	return nil
}

func offersPVH(capabilities string) error {
	var caps libvirtxml.Caps
	if err := caps.Unmarshal(capabilities); err != nil {
		return fmt.Errorf("read capabilities: %w", err)
	}
	for _, guest := range caps.Guests {
		if guest.OSType == "xenpvh" && guest.Arch.Name == "x86_64" {
			return nil
		}
	}
	return errors.New("no PVH VMs are offered by Xen: they need a processor with hardware virtualisation, switched on")
}

// prepare makes the VM's disks anew.
func (h xen) prepare(_ context.Context, m monitor.Machine) (string, func(), error) {
	if err := missingXen(m); err != nil {
		return "", nil, err
	}
	text, err := marshal(describeXen(m))
	if err != nil {
		return "", nil, err
	}
	if err := m.Folder.MakeBlocks(); err != nil {
		return "", nil, err
	}
	release, err := h.disks.attach(m.VM, m.Folder)
	return text, release, err
}

// missingXen returns an error if the machine needs what Xen does not have.
func missingXen(m monitor.Machine) error {
	const elsewhere = "%s on Xen yet: give the job a platform or label of other nodes"
	switch {
	case m.Platform != "" && m.Platform != platformPVH:
		return fmt.Errorf("platform %q is not one of Xen's", m.Platform)
	case m.Image.Disk != "":
		return fmt.Errorf(elsewhere, "disk images do not run")
	case m.NIC != nil:
		return fmt.Errorf(elsewhere, "VMs have no network")
	}
	return nil
}

func (xen) platformIn(d *libvirtxml.Domain) string {
	if d.OS != nil && d.OS.Type != nil && d.OS.Type.Type == "xenpvh" {
		return platformPVH
	}
	return ""
}

func (xen) find(string) (Process, error) { return Process{}, nil }

func (xen) processes([16]byte) ([]Process, error) { return nil, nil }

func (xen) current(facts) bool { return true } // until an event ends them

func (xen) sampled() libvirt.DomainStatsTypes { return libvirt.DOMAIN_STATS_CPU_TOTAL }

func (xen) below(ctx context.Context) ([]xlDomain, error) { return xlDomains(ctx) }

// eachActive asks about every domain by itself, because libxl has no call for all.
func (xen) eachActive(c *libvirt.Connect, below []xlDomain, what libvirt.DomainStatsTypes,
	f func(*libvirt.Domain, libvirt.DomainStats) error) error {
	known := map[string]xlDomain{}
	for _, d := range below {
		known[d.uuid] = d
	}
	all, err := c.ListAllDomains(libvirt.CONNECT_LIST_DOMAINS_ACTIVE)
	if err != nil {
		return err
	}
	for i := range all {
		if err == nil {
			err = lookXen(&all[i], known, what, f)
		}
		all[i].Free()
	}
	return err
}

// lookXen passes over a domain that ends meanwhile.
func lookXen(d *libvirt.Domain, below map[string]xlDomain, what libvirt.DomainStatsTypes,
	f func(*libvirt.Domain, libvirt.DomainStats) error) error {
	var s libvirt.DomainStats
	if what&libvirt.DOMAIN_STATS_STATE != 0 {
		state, err := observedXen(d, below)
		if isCode(err, libvirt.ERR_NO_DOMAIN) {
			return nil
		}
		if err != nil {
			return err
		}
		s.State = state
	}
	if what&libvirt.DOMAIN_STATS_CPU_TOTAL != 0 {
		info, err := d.GetInfo()
		if err != nil {
			return nil
		}
		s.Cpu = &libvirt.DomainStatsCPU{TimeSet: true, Time: info.CpuTime}
	}
	return f(d, s)
}

// observedXen returns the state of a domain. It asks libvirt only if Xen does not say that the domain runs.
func observedXen(d *libvirt.Domain, below map[string]xlDomain) (*libvirt.DomainStatsState, error) {
	id, err := d.GetUUIDString()
	if err != nil {
		return nil, err
	}
	s := libvirt.DomainStatsState{StateSet: true, State: libvirt.DOMAIN_RUNNING, ReasonSet: true}
	if below[id].runs {
		return &s, nil
	}
	if s.State, s.Reason, _, err = stateXen(d); err != nil {
		return nil, err
	}
	if below[id].paused && s.State == libvirt.DOMAIN_RUNNING { // by the fence, of which libvirt knows nothing
		s.State, s.Reason = libvirt.DOMAIN_PAUSED, int(libvirt.DOMAIN_PAUSED_USER)
	}
	return &s, nil
}

func stateXen(d *libvirt.Domain) (state libvirt.DomainState, reason int, id string, err error) {
	if id, err = d.GetUUIDString(); err == nil {
		state, reason, err = d.GetState()
	}
	return state, reason, id, err
}

func (xen) measure(_ facts, s libvirt.DomainStats) reading {
	return reading{at: time.Now(), used: time.Duration(s.Cpu.Time)}
}

// work returns nil: Xen does not tell libvirt for how long a vCPU waits.
func (xen) work(string, facts, cluster.CPU) *cluster.Work { return nil }

func (xen) parameters(d *libvirt.Domain) (*libvirt.DomainSchedulerParameters, error) {
	p, err := d.GetSchedulerParameters()
	if err == nil && p == nil {
		p = &libvirt.DomainSchedulerParameters{}
	}
	return p, err
}

// set sets weight and cap in two calls: libxl takes no more at once.
func (xen) set(d *libvirt.Domain, all ...*libvirt.DomainSchedulerParameters) error {
	for _, p := range all {
		cap := libvirt.DomainSchedulerParameters{CapSet: true, Cap: p.Cap}
		weight := libvirt.DomainSchedulerParameters{WeightSet: true, Weight: p.Weight}
		if err := cmp.Or(d.SetSchedulerParameters(&cap), d.SetSchedulerParameters(&weight)); err != nil {
			return err
		}
	}
	return nil
}

func (xen) shareIn(p *libvirt.DomainSchedulerParameters, on cores) share { return shareXen(p, on) }

func (xen) settings(_ *libvirt.DomainSchedulerParameters, to share, on cores) []*libvirt.DomainSchedulerParameters {
	return []*libvirt.DomainSchedulerParameters{parametersXen(to, on)}
}

func (h xen) initial(to share, on cores) []*libvirt.DomainSchedulerParameters {
	return h.settings(nil, to, on)
}

func (xen) nearest(to share, on cores) share { return shareXen(parametersXen(to, on), on) }

func (xen) save(d *libvirt.Domain, _ facts, path string) error { return d.SaveFlags(path, "", 0) }

func (xen) verify(ctx context.Context, vm monitor.VM, path string) error {
	return patient(ctx, func() error {
		_, err := imageXen(vm, path)
		return err
	})
}

// restore lets libxl describe the VM by the image, which it does always, once that is what was ordered.
func (h xen) restore(ctx context.Context, m monitor.Machine, path string) error {
	var text string
	err := patient(ctx, func() (err error) {
		text, err = imageXen(m.VM, path)
		return err
	})
	if err != nil {
		return err
	}
	if err := mismatchXen(m, text); err != nil {
		return fmt.Errorf("%w: %w", monitor.ErrUnreadable, err)
	}
	release, err := h.disks.attach(m.VM, m.Folder)
	if err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	defer release()
	err = h.on(ctx, func(c *libvirt.Connect) error {
		return c.DomainRestoreFlags(path, "", libvirt.DOMAIN_SAVE_PAUSED)
	})
	if err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	return nil
}

func (xen) state(ctx context.Context, d *libvirt.Domain) (libvirt.DomainState, error) {
	state, _, id, err := stateXen(d)
	if err != nil || state == libvirt.DOMAIN_PAUSED {
		return state, err
	}
	paused, err := pausedXL(ctx)
	if _, is := paused[id]; is {
		state = libvirt.DOMAIN_PAUSED
	}
	return state, err
}

// resume undoes libvirt's pause and then those of the fence. libvirt may take one of the fence's for its own.
func (xen) resume(ctx context.Context, d *libvirt.Domain) error {
	state, _, uuid, err := stateXen(d)
	if err == nil && state == libvirt.DOMAIN_PAUSED {
		err = d.Resume()
	}
	if err != nil {
		return err
	}
	return unpauseXL(ctx, uuid)
}

func (h xen) abort(d *libvirt.Domain) error {
	id, err := d.GetUUIDString()
	if err != nil || h.waits.end(id) {
		return err
	}
	return errors.New("what has begun cannot be called off on Xen: wait until it ends, or destroy the VM")
}

func (h xen) collect(of [16]byte) collector { return h.disks.collect(of) }
