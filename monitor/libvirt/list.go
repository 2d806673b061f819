package libvirt

import (
	"context"
	"fmt"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// facts are properties of a domain that only this process changes while it is on the node.
type facts struct {
	vcpus    int
	disks    bool // it has disks
	memory   cluster.Bytes
	platform string
	process  Process // Pid 0: not found
	cpus     []int   // that run its vCPUs; nil: any
	checked  bool    // its confinement was looked at
}

// List returns the cluster's VMs. It makes one call for all and one for the share of each. Processes are found before
// that: what starts meanwhile is in both.
func (h *Hypervisor) List(ctx context.Context, of [16]byte) (monitor.Listing, error) {
	listing := monitor.Listing{Domains: map[cluster.RunID]reconcile.Domain{}, Ended: map[cluster.RunID]reconcile.End{}}
	running, err := h.driver.processes(of)
	if err != nil {
		return monitor.Listing{}, err
	}
	collect := h.driver.collect(of)
	ours, others := map[string]bool{}, map[string]bool{}
	absent := h.absences()
	err = h.on(ctx, func(c *libvirt.Connect) error {
		see := func(d *libvirt.Domain, s libvirt.DomainStats) error {
			name, id, err := identity(d)
			if err != nil {
				return err
			}
			vm, err := monitor.ParseVM(of, name, id)
			if err != nil {
				others[id] = true
				h.account(d, id, &listing.Foreign)
				return nil
			}
			ours[id] = true
			seen, err := h.look(d, id, s)
			if isCode(err, libvirt.ERR_NO_DOMAIN) {
				return nil
			}
			listing.Domains[vm.Run] = seen
			return err
		}
		below, err := h.driver.below(ctx)
		if err != nil {
			return err
		}
		err = h.driver.eachActive(c, below, libvirt.DOMAIN_STATS_STATE, see)
		h.forgetForeign(others)
		if err != nil {
			return err
		}
		hidden, err := h.driver.hidden(ctx, c, of, ours, below, absent)
		for vm, d := range hidden {
			ours[vm.UUID()] = true
			listing.Domains[vm.Run] = d
		}
		return err
	})
	if err != nil {
		return monitor.Listing{}, fmt.Errorf("list domains: %w", err)
	}
	err = h.forgotten(of, running, &listing, absent)
	h.noteAbsences(absent)
	if err != nil {
		return monitor.Listing{}, err
	}
	for _, vm := range collect(ctx, ours) {
		listing.Domains[vm.Run] = reconcile.Domain{State: reconcile.Dying}
	}
	h.deaths(of, &listing)
	return listing, nil
}

func identity(d *libvirt.Domain) (name, id string, err error) {
	if name, err = d.GetName(); err != nil {
		return "", "", err
	}
	id, err = d.GetUUIDString()
	return name, id, err
}

// look returns the observed state of one of the cluster's domains.
func (h *Hypervisor) look(d *libvirt.Domain, id string, s libvirt.DomainStats) (reconcile.Domain, error) {
	f, err := h.learn(d, id)
	if err != nil {
		return reconcile.Domain{}, err
	}
	seen := reconcile.Domain{Platform: f.platform, Memory: f.memory - cluster.GuestSystem, Stopped: f.process.Stopped(),
		Age: f.process.age(), Core: h.coreOf(f.cpus)}
	switch seen.State = stateOf(s.State); {
	case seen.State == reconcile.Running && seen.Stopped:
		seen.State = reconcile.Frozen
	case restoring(s.State), mayWork(s.State) && seen.Stopped: // a stopped process does not answer what it works on
		seen.Moving = true
	case (mayWork(s.State) || h.mayMove(id)) && !seen.Stopped:
		seen.Moving = working(d)
	}
	h.noteMoving(id, seen.Moving)
	if seen.State == reconcile.Running && !f.checked {
		h.checkConfinement(id, f)
	}
	now, known, err := h.share(d, id, f.vcpus)
	seen.Uncapped = known && now.cap == 0
	seen.Cap, seen.Tier, seen.Work = now.cap, now.tier, h.driver.work(id, f, h.config.Speed.Own(now.cap))
	return seen, err
}

// share is a cap and a tier in force.
type share struct {
	cap  cluster.CPU
	tier cluster.Tier
}

// share reads the cap and tier in force. They are unreadable for a moment after a restart of libvirt, and while a
// domain is made or arrives: its cgroups do not exist yet. Then share returns the last values read, because the caps
// stay in force, and that they are not known.
func (h *Hypervisor) share(d *libvirt.Domain, id string, vcpus int) (now share, known bool, err error) {
	p, err := h.driver.parameters(d)
	h.mu.Lock()
	defer h.mu.Unlock()
	if isCode(err, libvirt.ERR_OPERATION_INVALID) || withoutCgroup(err) ||
		err == nil && *p == (libvirt.DomainSchedulerParameters{}) {
		return h.shares[id], false, nil
	}
	if err != nil {
		return share{}, false, err
	}
	now = h.driver.shareIn(p, h.cores(vcpus))
	if ordered, known := h.ordered[id]; known && h.driver.nearest(ordered, h.cores(vcpus)) == now {
		now = ordered
	}
	h.shares[id] = now
	return now, true, nil
}

// noteOrdered records a share that is set. Where a hypervisor has no such cap but only one close to it, that one counts
// as the ordered one.
func (h *Hypervisor) noteOrdered(id string, s share) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ordered[id] = s
}

// stateOf translates libvirt's states. A domain paused by or for a migration may have a running twin
// on another node.
func stateOf(s *libvirt.DomainStatsState) reconcile.State {
	if s == nil || !s.StateSet {
		return reconcile.Dying
	}
	switch s.State {
	case libvirt.DOMAIN_RUNNING, libvirt.DOMAIN_BLOCKED:
		return reconcile.Running
	case libvirt.DOMAIN_PAUSED:
		switch libvirt.DomainPausedReason(s.Reason) {
		case libvirt.DOMAIN_PAUSED_MIGRATION, libvirt.DOMAIN_PAUSED_POSTCOPY, libvirt.DOMAIN_PAUSED_POSTCOPY_FAILED:
			return reconcile.Doubtful
		case libvirt.DOMAIN_PAUSED_SHUTTING_DOWN, libvirt.DOMAIN_PAUSED_CRASHED:
			return reconcile.Dying
		}
		return reconcile.Frozen
	case libvirt.DOMAIN_PMSUSPENDED:
		return reconcile.Frozen
	}
	return reconcile.Dying
}

// mayWork reports whether libvirt has paused the domain itself, as it does during its jobs.
func mayWork(s *libvirt.DomainStatsState) bool {
	return s != nil && s.State == libvirt.DOMAIN_PAUSED &&
		libvirt.DomainPausedReason(s.Reason) != libvirt.DOMAIN_PAUSED_USER
}

// restoring reports whether the domain is being made, which takes long if a memory image is read for it. Should libvirt
// be restarted meanwhile, it ends the domain.
func restoring(s *libvirt.DomainStatsState) bool {
	return s != nil && s.State == libvirt.DOMAIN_PAUSED &&
		libvirt.DomainPausedReason(s.Reason) == libvirt.DOMAIN_PAUSED_STARTING_UP
}

// mayMove reports whether a running domain may be being migrated or saved: this process has asked for that, or it has
// not looked yet and a process before it may have.
func (h *Hypervisor) mayMove(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	moved, known := h.moved[id]
	return h.jobs[id] || moved || !known
}

// noteMoving records whether the domain was being moved when it was last looked at.
func (h *Hypervisor) noteMoving(id string, moving bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moved[id] = moving
}

// working reports whether libvirt is saving, restoring or migrating the domain.
func working(d *libvirt.Domain) bool {
	job, err := d.GetJobInfo()
	return err == nil && (job.Type == libvirt.DOMAIN_JOB_BOUNDED || job.Type == libvirt.DOMAIN_JOB_UNBOUNDED)
}

// learn returns a domain's facts and reads them only once.
func (h *Hypervisor) learn(d *libvirt.Domain, id string) (facts, error) {
	h.mu.Lock()
	f, known := h.facts[id]
	h.mu.Unlock()
	if known && h.driver.current(f) {
		return f, nil
	}
	text, err := d.GetXMLDesc(0)
	if err != nil {
		return facts{}, err
	}
	if f, err = factsOf(text, h.driver.platformIn); err != nil {
		return facts{}, err
	}
	if f.process, err = h.driver.find(id); err != nil {
		return facts{}, err
	}
	h.mu.Lock()
	h.facts[id] = f
	h.mu.Unlock()
	return f, nil
}

func factsOf(text string, platformIn func(*libvirtxml.Domain) string) (facts, error) {
	var d libvirtxml.Domain
	if err := d.Unmarshal(text); err != nil {
		return facts{}, fmt.Errorf("read domain description: %w", err)
	}
	f := facts{vcpus: 1, platform: platformIn(&d), cpus: boundIn(d.CPUTune)}
	if d.VCPU != nil {
		f.vcpus = int(d.VCPU.Value)
	}
	if d.Memory != nil {
		f.memory = cluster.Bytes(d.Memory.Value) * 1024 // libvirt describes domains that exist in KiB
	}
	f.disks = d.Devices != nil && len(d.Devices.Disks) > 0
	return f, nil
}
