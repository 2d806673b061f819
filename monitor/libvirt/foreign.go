package libvirt

import (
	"time"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
)

// reading is a CPU time at a moment.
type reading struct {
	at        time.Time
	used      time.Duration
	throttled time.Duration
	above     time.Duration
}

// Foreign VMs without a cap are charged the mean of the last five minutes, in steps.
const (
	foreignWindow = 5 * time.Minute
	foreignStep   = 100 * cluster.Core / 1000
)

// account adds what a VM of others takes: the most memory that it may have; its cap, or
// what it used lately. One that ends meanwhile takes nothing.
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

// recent drops readings from before the time, but for one: the window's beginning.
func recent(readings []reading, from time.Time) []reading {
	for len(readings) > 2 && !readings[1].at.After(from) {
		readings = readings[1:]
	}
	return readings
}

// charge is the mean over the readings, rounded up, so that little ups and downs change nothing.
func charge(readings []reading) cluster.CPU {
	first, last := readings[0], readings[len(readings)-1]
	return (mean(first, last) + foreignStep - 1) / foreignStep * foreignStep
}

// mean is the CPU used between two readings.
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
