package libvirt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"
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
		period, quota := quotaOf(c.cap, cores{c.vcpus, 0})
		if period != c.period || quota != c.quota {
			t.Errorf("%v on %d vCPUs: %d/%d, want %d/%d", c.cap, c.vcpus, quota, period, c.quota, c.period)
		}
	}
}

func TestWhatIsReadBackIsWhatWasAskedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		speed := rapid.SampledFrom([]cluster.Speed{0, cluster.MinSpeed, 333, 1000, cluster.MaxSpeed}).Draw(t, "speed")
		vcpus := rapid.IntRange(1, min(500, 500_000/int(speed.Known()))).Draw(t, "vcpus")
		on := cores{vcpus, speed}
		least := max(vcpus, int(on.whole())/1000)
		cap := cluster.CPU(rapid.IntRange(least, int(on.whole())).Draw(t, "cap"))
		period, quota := quotaOf(cap, on)
		if quota < leastQuota || quota > int64(period) {
			t.Fatalf("%v on %d vCPUs: quota %d of %d", cap, vcpus, quota, period)
		}
		if got := capOf(period, quota, on); got != cap {
			t.Fatalf("%v on %d vCPUs reads back as %v", cap, vcpus, got)
		}
	})
}

// The monitor takes what comes of the smallest quota for the cap that it asked for.
func TestTheLeastCapIsAMillisecondPerSecond(t *testing.T) {
	for speed, want := range map[cluster.Speed]cluster.CPU{0: 1, 1400: 1, 1500: 2, 2500: 3, cluster.MaxSpeed: 10} {
		on := cores{1, speed}
		period, quota := quotaOf(1, on)
		if got := capOf(period, quota, on); got != want {
			t.Errorf("1m at speed %v reads back as %v, want %v", speed, got, want)
		}
	}
}

func TestACapIsALargerQuotaOnASlowerNode(t *testing.T) {
	for _, c := range []struct {
		cap    cluster.CPU
		on     cores
		period uint64
		quota  int64
	}{
		{500, cores{1, 500}, 100_000, 100_000},
		{500, cores{1, 1000}, 100_000, 50_000},
		{500, cores{1, 2000}, 100_000, 25_000},
		{1500, cores{2, 800}, 100_000, 93_750},
	} {
		if period, quota := quotaOf(c.cap, c.on); period != c.period || quota != c.quota {
			t.Errorf("%v on %+v: %d/%d, want %d/%d", c.cap, c.on, quota, period, c.quota, c.period)
		}
	}
}

func TestNoQuotaReadsBackAsNoCapOnBothVersions(t *testing.T) {
	for _, quota := range []int64{-1, 0, 17_592_186_044_415} {
		if got := capOf(100_000, quota, cores{1, 0}); got != 0 {
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

func TestAVMIsToldItsQuotaAndItsWeight(t *testing.T) {
	apart := func(quota int64, period uint64) libvirt.DomainSchedulerParameters {
		return libvirt.DomainSchedulerParameters{VcpuPeriodSet: true, VcpuPeriod: period, VcpuQuotaSet: true,
			VcpuQuota: quota}
	}
	together := func(quota int64, period uint64) libvirt.DomainSchedulerParameters {
		return libvirt.DomainSchedulerParameters{GlobalPeriodSet: true, GlobalPeriod: period, GlobalQuotaSet: true,
			GlobalQuota: quota}
	}
	for _, c := range []struct {
		cap    cluster.CPU
		tier   cluster.Tier
		vcpus  int
		quota  libvirt.DomainSchedulerParameters
		weight uint64
		text   string // in the domain's description
	}{
		{1000, cluster.Foreground, 1, apart(100_000, 100_000), 10_000,
			"<shares>10000</shares> <period>100000</period> <quota>100000</quota>"},
		{350, cluster.Background, 1, apart(35_000, 100_000), 2,
			"<shares>2</shares> <period>100000</period> <quota>35000</quota>"},
		{1500, cluster.Foreground, 2, together(150_000, 100_000), 10_000,
			"<shares>10000</shares> <global_period>100000</global_period> <global_quota>150000</global_quota>"},
		{1500, cluster.Background, 4, together(150_000, 100_000), 2,
			"<shares>2</shares> <global_period>100000</global_period> <global_quota>150000</global_quota>"},
		{5, cluster.Background, 1, apart(5_000, 1_000_000), 2,
			"<shares>2</shares> <period>1000000</period> <quota>5000</quota>"},
		{0, cluster.Background, 1, apart(1_000, 1_000_000), 2, // the least; 0 would mean no cap
			"<shares>2</shares> <period>1000000</period> <quota>1000</quota>"},
		{0, cluster.Background, 2, together(1_000, 1_000_000), 2,
			"<shares>2</shares> <global_period>1000000</global_period> <global_quota>1000</global_quota>"},
	} {
		got := tuningOf(c.cap, c.tier, cores{c.vcpus, 0})
		weight := libvirt.DomainSchedulerParameters{CpuSharesSet: true, CpuShares: c.weight}
		if diff := cmp.Diff([]libvirt.DomainSchedulerParameters{c.quota, weight},
			[]libvirt.DomainSchedulerParameters{*got.quota, *got.weight}); diff != "" {
			t.Errorf("%v in the %v on %d vCPUs (-want +got):\n%s", c.cap, c.tier, c.vcpus, diff)
		}
		text, err := marshal(&libvirtxml.Domain{CPUTune: got.described()})
		if text = strings.Join(strings.Fields(text), " "); err != nil || !strings.Contains(text, c.text) {
			t.Errorf("%v in the %v on %d vCPUs: %s, %v; want %s", c.cap, c.tier, c.vcpus, text, err, c.text)
		}
	}
}

func TestQEMUWorksInTheForegroundWhileAVMIsSavedOrMoved(t *testing.T) {
	for tier, steps := range map[cluster.Tier]int{cluster.Foreground: 0, cluster.Background: 1} {
		got := hastening(weightOf(tier), cores{1, 0})
		if len(got) != steps || steps > 0 && got[0].CpuShares != foregroundShares {
			t.Errorf("%v: %+v", tier, got)
		}
	}
	if got := hastening(&libvirt.DomainSchedulerParameters{}, cores{1, 0}); len(got) != 0 {
		t.Errorf("of a VM whose weight is unknown: %+v", got)
	}
}

// kernel keeps a VM's quotas as cgroups do: the quota of a group cannot be below one within it.
type kernel struct {
	libvirt.DomainSchedulerParameters
}

func (k *kernel) set(t *rapid.T, p *libvirt.DomainSchedulerParameters) {
	if p.VcpuQuotaSet {
		k.VcpuQuota, k.VcpuPeriod = p.VcpuQuota, max(p.VcpuPeriod, k.VcpuPeriod)
	}
	if p.VcpuPeriodSet {
		k.VcpuPeriod = p.VcpuPeriod
	}
	if p.GlobalQuotaSet {
		k.GlobalQuota = p.GlobalQuota
	}
	if p.GlobalPeriodSet {
		k.GlobalPeriod = p.GlobalPeriod
	}
	whole, one := capOf(k.GlobalPeriod, k.GlobalQuota, cores{1, 0}), capOf(k.VcpuPeriod, k.VcpuQuota, cores{1, 0})
	if whole > 0 && one > whole {
		t.Fatalf("refused: %v for the VM, and %v for each of its vCPUs", whole, one)
	}
}

func TestAVMIsCappedAtEveryMomentHoweverItsQuotaChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vcpus := rapid.IntRange(1, 8).Draw(t, "vcpus")
		on := cores{vcpus, 0}
		k := kernel{libvirt.DomainSchedulerParameters{VcpuQuota: -1, GlobalQuota: -1}}
		last := cluster.CPU(0)
		for range 10 {
			cap := 10 * cluster.CPU(rapid.IntRange(vcpus, 100*vcpus).Draw(t, "cap"))
			for _, p := range settings(&k.DomainSchedulerParameters, cap, on) {
				k.set(t, p)
				if now := capIn(&k.DomainSchedulerParameters, on); now != cap && now != last {
					t.Fatalf("on its way from %v to %v the cap is %v", last, cap, now)
				}
			}
			if now := capIn(&k.DomainSchedulerParameters, on); now != cap || vcpus > 1 && k.VcpuQuota != -1 {
				t.Fatalf("the cap is %v, want %v for all vCPUs together: %+v", now, cap, k)
			}
			if last = cap; rapid.Bool().Draw(t, "half split") && vcpus > 1 {
				k.set(t, apart(cap, on)) // and then libvirt did not answer
			}
			if rapid.Bool().Draw(t, "split") {
				for _, p := range hastening(&k.DomainSchedulerParameters, on) {
					k.set(t, p)
				}
				if now := capIn(&k.DomainSchedulerParameters, on); now != cap || k.GlobalQuota != -1 {
					t.Fatalf("split, the cap is %v, want %v: %+v", now, cap, k)
				}
			}
			if rapid.Bool().Draw(t, "joined") {
				for _, p := range joining(&k.DomainSchedulerParameters, on) {
					k.set(t, p)
				}
				if now := capIn(&k.DomainSchedulerParameters, on); now != cap || vcpus > 1 && k.VcpuQuota != -1 {
					t.Fatalf("joined, the cap is %v, want %v: %+v", now, cap, k)
				}
			}
		}
	})
}
