package libvirt

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// farewell is how long libvirt may take to end what runs a domain that it does not list any more.
const farewell = 5 * time.Second

// absences are the VMs that libvirt does not list although they exist, and since when, at the last listing and at this
// one.
type absences struct{ before, now map[string]time.Time }

// overdue notes that libvirt does not list what runs a VM, and reports whether it has had the time to end it.
func (a *absences) overdue(body string) bool {
	since, known := a.before[body]
	if !known {
		since = time.Now()
	}
	a.now[body] = since
	return time.Since(since) >= farewell
}

func (h *Hypervisor) absences() *absences {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &absences{before: h.absent, now: map[string]time.Time{}}
}

func (h *Hypervisor) noteAbsences(a *absences) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.absent = a.now
}

// complete returns an error if libvirt did not list all of the cluster's VMs at the last listing.
func (h *Hypervisor) complete() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.absent) > 0 {
		return fmt.Errorf("libvirt does not know %d of the cluster's VMs", len(h.absent))
	}
	return nil
}

// forgotten lists VMs that libvirt does not: the running processes, found before libvirt was asked, that its list
// lacks. libvirt forgets a VM if the file in which it keeps the domain is lost while libvirt does not run. The VM
// works on, but can be neither capped nor frozen nor moved, so it is killed. Until it is gone it must not count as
// lost: its task would run twice.
func (h *Hypervisor) forgotten(of [16]byte, running []Process, listing *monitor.Listing, a *absences) error {
	for _, p := range running {
		vm, err := monitor.ParseVM(of, p.Name, p.UUID)
		if _, listed := listing.Domains[vm.Run]; err != nil || listed || !p.Alive() {
			continue
		}
		listing.Domains[vm.Run] = reconcile.Domain{State: reconcile.Dying, Memory: cluster.Bytes(p.memory())}
		if !a.overdue(fmt.Sprint(p.UUID, p.Pid, p.Start)) {
			continue
		}
		h.config.Log.Error().Str("vm", p.Name).Int("pid", p.Pid).
			Msg("killing a VM that libvirt does not know; was its file in /run/libvirt/qemu lost?")
		if err := p.Signal(unix.SIGKILL); err != nil {
			return fmt.Errorf("kill a VM that libvirt does not know: %w", err)
		}
	}
	return nil
}
