package libvirt

import "aliquot/cluster"

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

// manyVCPUs is the least vCPU count for which one microsecond of quota per vCPU may be half a millicore
// of the whole VM in the short period. Such a cap would not read back as requested.
const manyVCPUs = 50

// quotaOf returns the period and the quota per vCPU, in microseconds, that cap a whole VM.
func quotaOf(cap cluster.CPU, vcpus int) (uint64, int64) {
	if quota := nearest(cap, vcpus, period); quota >= leastQuota && vcpus <= manyVCPUs {
		return period, quota
	}
	return longPeriod, max(leastQuota, nearest(cap, vcpus, longPeriod))
}

// nearest returns the quota per vCPU that comes nearest to the cap.
func nearest(cap cluster.CPU, vcpus int, period int64) int64 {
	unit := 1000 * int64(vcpus)
	return (int64(cap)*period + unit/2) / unit
}

// capOf is the inverse of quotaOf. It returns 0 if there is no cap.
func capOf(period uint64, quota int64, vcpus int) cluster.CPU {
	const unlimited = 17_592_186_044_415 // as cgroup v2 reads back
	if quota <= 0 || quota >= unlimited || period == 0 {
		return 0
	}
	return cluster.CPU((quota*int64(vcpus)*1000 + int64(period)/2) / int64(period))
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
