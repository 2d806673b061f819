package libvirt

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// farewell is how long libvirt may take to end the process of a domain that it does not list any more.
const farewell = 5 * time.Second

// forgotten lists VMs that libvirt does not: the running processes, found before libvirt was asked, that its list
// lacks. libvirt forgets a VM if the file in which it keeps the domain is lost while libvirt does not run. The VM
// works on, but can be neither capped nor frozen nor moved, so it is killed. Until it is gone it must not count as
// lost: its task would run twice.
func (h *Hypervisor) forgotten(of [16]byte, running []Process, listing *monitor.Listing) error {
	unlisted := map[Process]time.Time{}
	h.mu.Lock()
	defer func() { h.unlisted = unlisted; h.mu.Unlock() }()
	for _, p := range running {
		vm, err := monitor.ParseVM(of, p.Name, p.UUID)
		if _, listed := listing.Domains[vm.Run]; err != nil || listed || !p.Alive() {
			continue
		}
		since, known := h.unlisted[p]
		if !known {
			since = time.Now()
		}
		unlisted[p] = since
		listing.Domains[vm.Run] = reconcile.Domain{State: reconcile.Dying, Memory: cluster.Bytes(p.memory())}
		if time.Since(since) < farewell {
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
