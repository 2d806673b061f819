package libvirt

import (
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
)

// A cap is a quota of the vCPU where there is one. Several vCPUs share a quota of the VM's cgroup, so that one of them
// alone may use all of the cap, up to a core. QEMU's own threads are in that cgroup as well and would save and send
// memory under the cap, so the quota is split among the vCPUs before that.

// The kernel refuses quotas under 1 ms and is inaccurate at periods that short. Small shares per vCPU
// therefore use the longest period that it allows.
const (
	period     = 100_000   // microseconds
	longPeriod = 1_000_000 // microseconds
	leastQuota = 1_000     // microseconds
)

// CPU shares of the tiers. The range of cgroup v2 (2 to 10000) lies within that of v1. Both use it, so
// a VM may move between them.
const (
	foregroundShares = 10_000
	backgroundShares = 2
)

// mostWhole is the least power of all vCPUs for which one microsecond of quota per vCPU may be half a millicore
// of the whole VM in the short period. Such a cap would not read back as requested.
const mostWhole = 50_000

// cores are a number of vCPUs on processors of a speed. Caps are in millicores of the reference and quotas in time of
// these processors: a cap of half a core is a quota of a whole one on a processor of half the speed.
type cores struct {
	vcpus int
	speed cluster.Speed
}

// one returns a single one of them.
func (c cores) one() cores { return cores{1, c.speed} }

// whole returns what all of them can do, in reference millicores.
func (c cores) whole() int64 { return int64(c.vcpus) * int64(c.speed.Known()) }

// quotaOf returns the period and the quota, in microseconds, of each of the vCPUs among which the cap of a whole VM is
// split.
func quotaOf(cap cluster.CPU, on cores) (uint64, int64) {
	if quota := nearest(cap, on, period); quota >= leastQuota && on.whole() <= mostWhole {
		return period, quota
	}
	return longPeriod, max(leastQuota, nearest(cap, on, longPeriod))
}

// nearest returns the quota per vCPU that comes nearest to the cap.
func nearest(cap cluster.CPU, on cores, period int64) int64 {
	unit := on.whole()
	return (int64(cap)*period + unit/2) / unit
}

// capOf is the inverse of quotaOf. It returns 0 if there is no cap.
func capOf(period uint64, quota int64, on cores) cluster.CPU {
	const unlimited = 17_592_186_044_415 // as cgroup v2 reads back
	if quota <= 0 || quota >= unlimited || period == 0 {
		return 0
	}
	return cluster.CPU((quota*on.whole() + int64(period)/2) / int64(period))
}

// apart returns the parameters that cap each vCPU at its part of the cap.
func apart(cap cluster.CPU, on cores) *libvirt.DomainSchedulerParameters {
	period, quota := quotaOf(cap, on)
	return &libvirt.DomainSchedulerParameters{VcpuPeriodSet: true, VcpuPeriod: period, VcpuQuotaSet: true,
		VcpuQuota: quota}
}

// together returns the parameters that cap the VM's cgroup.
func together(cap cluster.CPU, on cores) *libvirt.DomainSchedulerParameters {
	period, quota := quotaOf(cap, on.one())
	return &libvirt.DomainSchedulerParameters{GlobalPeriodSet: true, GlobalPeriod: period, GlobalQuotaSet: true,
		GlobalQuota: quota}
}

// Parameters that lift a quota.
var (
	apartNoMore    = &libvirt.DomainSchedulerParameters{VcpuQuotaSet: true, VcpuQuota: -1}
	togetherNoMore = &libvirt.DomainSchedulerParameters{GlobalQuotaSet: true, GlobalQuota: -1}
)

// capIn returns the cap that the parameters are, however it is expressed; 0 if there is none.
func capIn(p *libvirt.DomainSchedulerParameters, on cores) cluster.CPU {
	if cap := capOf(p.GlobalPeriod, p.GlobalQuota, on.one()); cap > 0 {
		return cap
	}
	return capOf(p.VcpuPeriod, p.VcpuQuota, on)
}

// A tuning is what is set for a VM. All threads of QEMU are in the VM's cgroup, so its weight is theirs too.
type tuning struct {
	quota, weight *libvirt.DomainSchedulerParameters
}

// tuningOf returns the tuning for a cap and a tier. There is always a quota, of at least a millisecond per second: a VM
// in the background has its need as a cap.
func tuningOf(cap cluster.CPU, tier cluster.Tier, on cores) tuning {
	return tuning{capped(cap, on), weightOf(tier)}
}

func weightOf(tier cluster.Tier) *libvirt.DomainSchedulerParameters {
	return &libvirt.DomainSchedulerParameters{CpuSharesSet: true, CpuShares: sharesOf(tier)}
}

// capped returns the parameters that cap a VM in the end.
func capped(cap cluster.CPU, on cores) *libvirt.DomainSchedulerParameters {
	if on.vcpus == 1 {
		return apart(cap, on)
	}
	return together(cap, on)
}

// settings returns the parameters to set, one after another, so that a VM whose present parameters are given has the
// cap at every moment: the kernel takes no quota that is below one within.
func settings(now *libvirt.DomainSchedulerParameters, cap cluster.CPU, on cores) []*libvirt.DomainSchedulerParameters {
	switch {
	case on.vcpus == 1 || capOf(now.VcpuPeriod, now.VcpuQuota, on) == 0:
		return []*libvirt.DomainSchedulerParameters{capped(cap, on)}
	case capOf(now.GlobalPeriod, now.GlobalQuota, on.one()) == 0:
		return []*libvirt.DomainSchedulerParameters{apart(cap, on), together(cap, on), apartNoMore}
	}
	return []*libvirt.DomainSchedulerParameters{apartNoMore, together(cap, on)} // an earlier change stopped half-way
}

// hastening returns the parameters to set, one after another, so that QEMU's own threads can work for the node: without
// a cap, and in the foreground, because beside a busy VM the background gets a thousandth of a core.
func hastening(now *libvirt.DomainSchedulerParameters, on cores) []*libvirt.DomainSchedulerParameters {
	if now.CpuSharesSet && tierOf(now.CpuShares) == cluster.Background {
		return append(splitting(now, on), weightOf(cluster.Foreground))
	}
	return splitting(now, on)
}

// splitting returns the parameters to set, one after another, so that QEMU's own threads are not capped.
func splitting(now *libvirt.DomainSchedulerParameters, on cores) []*libvirt.DomainSchedulerParameters {
	if cap := capOf(now.GlobalPeriod, now.GlobalQuota, on.one()); cap > 0 {
		return []*libvirt.DomainSchedulerParameters{apart(cap, on), togetherNoMore}
	}
	return nil
}

// joining returns the parameters to set, one after another, so that several vCPUs share their cap again.
func joining(now *libvirt.DomainSchedulerParameters, on cores) []*libvirt.DomainSchedulerParameters {
	if cap := capIn(now, on); cap > 0 && on.vcpus > 1 {
		return settings(now, cap, on)
	}
	return nil
}

func sharesOf(tier cluster.Tier) uint64 {
	if tier == cluster.Background {
		return backgroundShares
	}
	return foregroundShares
}

func tierOf(shares uint64) cluster.Tier {
	if shares <= backgroundShares {
		return cluster.Background
	}
	return cluster.Foreground
}
