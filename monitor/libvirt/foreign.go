package libvirt

import (
	"time"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
)

// reading is a VM's CPU times at one moment.
type reading struct {
	at        time.Time
	used      time.Duration
	throttled time.Duration
	above     time.Duration
}

// Foreign VMs without a cap are charged their mean usage of the last five minutes, rounded up to steps. The charge
// falls only when the usage is well below it, because each change of an offer is an occasion to decide.
const (
	foreignWindow = 5 * time.Minute
	foreignStep   = 100 * cluster.Core / 1000
	foreignSlack  = 2 * foreignStep // how far the mean may fall below the charge
)

// stranger is a foreign VM without a cap.
type stranger struct {
	readings []reading
	charge   cluster.CPU
}

// account adds the resources of a foreign VM: its maximum memory, and its cap or else its recent usage.
// A VM that ends meanwhile adds nothing.
func (h *Hypervisor) account(d *libvirt.Domain, id string, sum *cluster.Foreign) {
	info, err := d.GetInfo()
	if err != nil {
		return
	}
	sum.Memory += cluster.Bytes(info.MaxMem) * 1024
	p, err := h.driver.parameters(d)
	if err == nil {
		if cap := h.driver.shareIn(p, h.cores(int(info.NrVirtCpu))).cap; cap > 0 {
			sum.CPU += cap
			return
		}
	}
	now := reading{at: time.Now(), used: time.Duration(info.CpuTime)}
	h.mu.Lock()
	s := h.foreign[id]
	s.see(now)
	h.foreign[id] = s
	h.mu.Unlock()
	sum.CPU += h.config.Speed.Reference(s.charge)
}

// see takes in a reading and charges for the usage.
func (s *stranger) see(now reading) {
	s.readings = recent(append(s.readings, now), now.at.Add(-foreignWindow))
	used := mean(s.readings[0], now)
	if used > s.charge || used <= s.charge-foreignSlack || used == 0 {
		s.charge = (used + foreignStep - 1) / foreignStep * foreignStep
	}
}

// recent drops the readings before from, except the last of them: it begins the window.
func recent(readings []reading, from time.Time) []reading {
	for len(readings) > 2 && !readings[1].at.After(from) {
		readings = readings[1:]
	}
	return readings
}

// mean returns the CPU used between two readings.
func mean(first, last reading) cluster.CPU {
	wall := last.at.Sub(first.at)
	if wall <= 0 || last.used < first.used {
		return 0
	}
	return cluster.CPU(float64(last.used-first.used) / float64(wall) * float64(cluster.Core))
}

func (h *Hypervisor) forgetForeign(present map[string]bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range h.foreign {
		if !present[id] {
			delete(h.foreign, id)
		}
	}
}
