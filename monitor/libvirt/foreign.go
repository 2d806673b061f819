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

// Foreign VMs without a cap are charged their mean usage of the last five minutes, rounded up to steps.
const (
	foreignWindow = 5 * time.Minute
	foreignStep   = 100 * cluster.Core / 1000
)

// account adds the resources of a foreign VM: its maximum memory, and its cap or else its recent usage.
// A VM that ends meanwhile adds nothing.
func (h *Hypervisor) account(d *libvirt.Domain, id string, sum *cluster.Foreign) {
	info, err := d.GetInfo()
	if err != nil {
		return
	}
	sum.Memory += cluster.Bytes(info.MaxMem) * 1024
	share, err := d.GetSchedulerParametersFlags(libvirt.DOMAIN_AFFECT_LIVE)
	if err == nil && share != nil {
		if cap := capOf(share.VcpuPeriod, share.VcpuQuota, int(info.NrVirtCpu)); cap > 0 {
			sum.CPU += cap
			return
		}
	}
	now := reading{at: time.Now(), used: time.Duration(info.CpuTime)}
	h.mu.Lock()
	h.foreign[id] = recent(append(h.foreign[id], now), now.at.Add(-foreignWindow))
	sum.CPU += charge(h.foreign[id])
	h.mu.Unlock()
}

// recent drops the readings before from, except the last of them: it begins the window.
func recent(readings []reading, from time.Time) []reading {
	for len(readings) > 2 && !readings[1].at.After(from) {
		readings = readings[1:]
	}
	return readings
}

// charge returns the mean over the readings, rounded up so that small fluctuations change nothing.
func charge(readings []reading) cluster.CPU {
	first, last := readings[0], readings[len(readings)-1]
	return (mean(first, last) + foreignStep - 1) / foreignStep * foreignStep
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
