package libvirt

import (
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

func TestCapsBecomeQuotasPerVCPU(t *testing.T) {
	for _, c := range []struct {
		cap    cluster.CPU
		vcpus  int
		period uint64
		quota  int64
	}{
		{350, 1, 100_000, 35_000},
		{1000, 1, 100_000, 100_000},
		{1500, 2, 100_000, 75_000},
		{2500, 3, 100_000, 83_333},
		{10, 1, 100_000, 1_000},
		{20, 2, 100_000, 1_000},
		{5, 1, 1_000_000, 5_000},
		{1, 1, 1_000_000, 1_000},
		{1, 4, 1_000_000, 1_000},
	} {
		period, quota := quotaOf(c.cap, c.vcpus)
		if period != c.period || quota != c.quota {
			t.Errorf("%v on %d vCPUs: %d/%d, want %d/%d", c.cap, c.vcpus, quota, period, c.quota, c.period)
		}
	}
}

func TestWhatIsReadBackIsWhatWasAskedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vcpus := rapid.IntRange(1, 500).Draw(t, "vcpus")
		cap := cluster.CPU(rapid.IntRange(vcpus, 1000*vcpus).Draw(t, "cap"))
		period, quota := quotaOf(cap, vcpus)
		if quota < leastQuota || quota > int64(period) {
			t.Fatalf("%v on %d vCPUs: quota %d of %d", cap, vcpus, quota, period)
		}
		if got := capOf(period, quota, vcpus); got != cap {
			t.Fatalf("%v on %d vCPUs reads back as %v", cap, vcpus, got)
		}
	})
}

func TestNoQuotaReadsBackAsNoCapOnBothVersions(t *testing.T) {
	for _, quota := range []int64{-1, 0, 17_592_186_044_415} {
		if got := capOf(100_000, quota, 1); got != 0 {
			t.Errorf("quota %d: %v, want none", quota, got)
		}
	}
}

func TestTiersAreSharesThatBothVersionsTake(t *testing.T) {
	for _, tier := range []cluster.Tier{cluster.Foreground, cluster.Background} {
		shares := sharesOf(tier)
		if shares < 2 || shares > 10_000 || tierOf(shares) != tier {
			t.Errorf("%v: %d shares, which are %v", tier, shares, tierOf(shares))
		}
	}
}
