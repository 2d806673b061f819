package libvirt

import (
	"context"
	"fmt"
	"strings"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// driverFor returns the driver for the URI.
func driverFor(h *Hypervisor) driver {
	if OnXen(h.config.URI) {
		return xen{h, newDisks(attached, h.config.Log), &waits{ends: map[string]context.CancelFunc{}}}
	}
	return qemu{h}
}

// OnXen reports whether the URI is of Xen.
func OnXen(uri string) bool { return strings.HasPrefix(uri, "xen:") || strings.HasPrefix(uri, "xen+") }

// allowed returns why this node must not ask a peer's libvirt, or send VMs there, at the URI, which the peer chose. One
// libvirt may hold drivers of both hypervisors: that of the other one would answer that it has no such VM.
func (c Config) allowed(peer string) error {
	if OnXen(peer) != OnXen(c.URI) {
		return fmt.Errorf("%s is of another hypervisor than this node's %s", peer, c.URI)
	}
	return cluster.CheckMigrateURI(peer, c.PlainTCP)
}

// tunnelled returns the flag by which memory goes through libvirt's own connection to the peer, if that is encrypted.
// Otherwise both hypervisors send it in the clear, to a port where any sender is taken for the source.
func tunnelled(peer string) libvirt.DomainMigrateFlags {
	if transport, _, _ := strings.Cut(peer, ":"); strings.HasSuffix(transport, "+tls") {
		return libvirt.MIGRATE_TUNNELLED
	}
	return 0
}

// collector is called after VMs were listed, with the UUIDs of those that are active. It copies what guests have
// written to the streams of their runs, where QEMU does not do that itself. It returns VMs that are not active but
// have written what could not be copied yet.
type collector func(ctx context.Context, active map[string]bool) []monitor.VM

// driver is what the hypervisors behind libvirt do differently. There is one value of it per Hypervisor, and nothing
// else asks which of them it is.
type driver interface {
	// check returns an error that says what to change if VMs cannot run on the machine as it is set up.
	check() error
	// offer finds out what the node offers, which may take as long as a trial.
	offer(ctx context.Context) (*choice, error)

	// prepare describes a new VM and prepares its disks. The caller calls release when the VM has been made, or could not.
	prepare(ctx context.Context, m monitor.Machine) (text string, release func(), err error)
	// platformIn returns the platform of a described domain.
	platformIn(d *libvirtxml.Domain) string
	// find returns the process of a VM; the zero Process if it has none.
	find(id string) (Process, error)
	// processes returns the processes of the cluster's VMs on this machine.
	processes(of [16]byte) ([]Process, error)
	// current reports whether facts still hold.
	current(f facts) bool

	// below returns the domains of the hypervisor below libvirt, where it tells them. That may run a program.
	below(ctx context.Context) ([]xlDomain, error)
	// eachActive calls f for every active domain, with what is asked for. A VM that is paused below libvirt is taken to
	// be paused.
	eachActive(c *libvirt.Connect, below []xlDomain, what libvirt.DomainStatsTypes,
		f func(*libvirt.Domain, libvirt.DomainStats) error) error
	// sampled is what samples ask for.
	sampled() libvirt.DomainStatsTypes
	// hidden returns VMs of the cluster that exist, but that libvirt does not know, given what was below it before
	// eachActive has shown those that are listed. It ends those that have been overdue.
	hidden(ctx context.Context, c *libvirt.Connect, of [16]byte, listed map[string]bool, before []xlDomain,
		a *absences) (map[monitor.VM]reconcile.Domain, error)
	// destroyHidden ends a VM that libvirt does not know, if it exists.
	destroyHidden(ctx context.Context, vm monitor.VM) error
	// measure reads the CPU times of a VM.
	measure(f facts, s libvirt.DomainStats) reading
	// work measures the work of a VM with the given cap in force; nil: it cannot be measured.
	work(id string, f facts, cap cluster.CPU) *cluster.Work

	// parameters returns the scheduler's parameters of a domain; those of a domain that has none are zero.
	parameters(d *libvirt.Domain) (*libvirt.DomainSchedulerParameters, error)
	// set sets parameters one after another.
	set(d *libvirt.Domain, all ...*libvirt.DomainSchedulerParameters) error
	// shareIn returns the share that parameters are.
	shareIn(p *libvirt.DomainSchedulerParameters, on cores) share
	// settings returns the parameters to set, one after another, so that a VM whose present ones are given has a share.
	settings(now *libvirt.DomainSchedulerParameters, to share, on cores) []*libvirt.DomainSchedulerParameters
	// nearest returns the share that is in force after another one was set.
	nearest(to share, on cores) share
	// initial returns the parameters to set for a VM that was made but does not run yet.
	initial(to share, on cores) []*libvirt.DomainSchedulerParameters

	// collect is called before the VMs are listed.
	collect(of [16]byte) collector

	// save writes a VM's memory to path.
	save(d *libvirt.Domain, f facts, path string) error
	// verify returns monitor.ErrUnreadable if path is not a complete memory image of the VM.
	verify(ctx context.Context, vm monitor.VM, path string) error
	// restore makes the VM from its memory image, paused, without the parameters that initial returns.
	restore(ctx context.Context, m monitor.Machine, path string) error
	// expect prepares for a VM that a peer is about to send, until release is called.
	expect(vm monitor.VM, move cluster.MoveID, f monitor.Folder) (release func(), err error)
	// migrate moves a VM to the peer, where it is paused.
	migrate(ctx context.Context, d *libvirt.Domain, vm monitor.VM, move cluster.MoveID, peer string,
		cap cluster.CPU) error
	// state returns whether a domain runs.
	state(ctx context.Context, d *libvirt.Domain) (libvirt.DomainState, error)
	// resume lets a domain run, however it was stopped but for a signal to its process.
	resume(ctx context.Context, d *libvirt.Domain) error
	// abort makes the save or migration in progress fail.
	abort(d *libvirt.Domain) error
}
