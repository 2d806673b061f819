package libvirt

import "aliquot/cluster"

// The kernel refuses quotas under 1 ms and is inaccurate at periods that short, so that
// small shares per vCPU take the longest period that it knows.
const (
	period     = 100_000   // microseconds
	longPeriod = 1_000_000 // microseconds
	leastQuota = 1_000     // microseconds
)

// Shares of the tiers. The range of cgroup v2 (2 to 10000) lies within that of v1, so
// both use it, and a VM may move between them.
const (
	foregroundShares = 10_000
	backgroundShares = 2
)

// manyVCPUs is from where a microsecond of quota on each vCPU may be half a millicore of the
// whole VM in the short period, so that a cap would not read back as it was asked for.
const manyVCPUs = 50

// quotaOf is the period and the quota per vCPU, in microseconds, that cap a whole VM.
func quotaOf(cap cluster.CPU, vcpus int) (uint64, int64) {
	if quota := nearest(cap, vcpus, period); quota >= leastQuota && vcpus <= manyVCPUs {
		return period, quota
	}
	return longPeriod, max(leastQuota, nearest(cap, vcpus, longPeriod))
}

// nearest is the quota in a period that comes nearest to the cap.
func nearest(cap cluster.CPU, vcpus int, period int64) int64 {
	unit := 1000 * int64(vcpus)
	return (int64(cap)*period + unit/2) / unit
}

// capOf undoes quotaOf; 0 is no cap.
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
