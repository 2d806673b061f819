package backfill

import (
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

// plain is a profile second by second.
type plain [2400]int

func (p *plain) least(from, until cluster.Time) int {
	least := p[from]
	for at := from; at < min(until, cluster.Time(len(p))); at++ {
		least = min(least, p[at])
	}
	return least
}

func (p *plain) earliest(from, lasts cluster.Time, nodes int) cluster.Time {
	for at := from; at < cluster.Time(len(p)); at++ {
		if p.least(at, after(at, lasts)) >= nodes {
			return at
		}
	}
	return never
}

func TestProfileAnswersLikeAListOfAllTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p profile
		var want plain
		free := rapid.IntRange(0, 20).Draw(t, "free")
		p.reset(0, free)
		at := cluster.Time(0)
		for i := range want {
			want[i] = free
		}
		for range rapid.IntRange(0, 60).Draw(t, "releases") {
			at += cluster.Time(rapid.IntRange(0, 3).Draw(t, "after"))
			p.release(at)
			for i := at; i < cluster.Time(len(want)); i++ {
				want[i]++
			}
		}
		for range rapid.IntRange(0, 60).Draw(t, "jobs") {
			from := cluster.Time(rapid.IntRange(0, 250).Draw(t, "from"))
			lasts := cluster.Time(rapid.IntRange(1, 30).Draw(t, "lasts"))
			if rapid.IntRange(0, 9).Draw(t, "endless") == 0 {
				lasts = never
			}
			nodes := rapid.IntRange(1, 20).Draw(t, "nodes")
			if got, want := p.least(from, after(from, lasts)), want.least(from, after(from, lasts)); got != want {
				t.Fatalf("from %d for %d at least %d, want %d", from, lasts, got, want)
			}
			start := p.earliest(from, lasts, nodes)
			if plainly := want.earliest(from, lasts, nodes); start != plainly {
				t.Fatalf("%d nodes from %d for %d: at %d, want %d", nodes, from, lasts, start, plainly)
			}
			if start == never {
				continue
			}
			p.book(start, after(start, lasts), nodes)
			for i := start; i < min(after(start, lasts), cluster.Time(len(want))); i++ {
				want[i] -= nodes
			}
		}
		for at := range cluster.Time(len(want)) {
			if got := p.least(at, at+1); got != want[at] {
				t.Fatalf("at %d free %d, want %d", at, got, want[at])
			}
		}
	})
}

func TestTimesThatOverflowAreNever(t *testing.T) {
	for _, c := range []struct{ got, want cluster.Time }{
		{after(5, never), never},
		{after(never, 1), never},
		{after(never-1, 1), never},
		{after(5, 6), 11},
		{lasting(never, 1000, 1, 0), never},
		{lasting(never/2, 1000, 1, 0), never},
		{lasting(10, 1000, 500, 0), 20},
		{lasting(10, 1000, 300, 0), 34},
		{lasting(10, 1000, 300, 200), 33},
		{lasting(10, 1000, 1000, 0), 10},
		{lasting(10, 500, 1000, 0), 10},
	} {
		if c.got != c.want {
			t.Errorf("%d, want %d", c.got, c.want)
		}
	}
}

func TestWhoHoldsNodesEndsByItsEstimateOrElseNextInstant(t *testing.T) {
	const now = 100 * cluster.Second
	for _, c := range []struct {
		estimate cluster.Time
		clock    cluster.Clock
		want     cluster.Time
	}{
		{60 * cluster.Second, cluster.Clock{At: 70 * cluster.Second, Share: 1000}, 130 * cluster.Second},
		{60 * cluster.Second, cluster.Clock{At: 90 * cluster.Second, Virtual: 30 * cluster.Second, Share: 500}, 150 * cluster.Second},
		{60 * cluster.Second, cluster.Clock{}, 160 * cluster.Second}, // it boots
		{60 * cluster.Second, cluster.Clock{At: 40 * cluster.Second, Share: 1000}, now + cluster.Microsecond},
		{60 * cluster.Second, cluster.Clock{At: 10 * cluster.Second, Share: 1000}, now + cluster.Microsecond},
		{0, cluster.Clock{At: 90 * cluster.Second, Share: 1000}, now + cluster.Microsecond},
	} {
		j := &cluster.Job{Spec: &cluster.Spec{Need: 1000, Estimate: c.estimate}, Clock: c.clock}
		if got := ends(j, 1000, now); got != c.want {
			t.Errorf("estimate %v, %+v: ends at %v, want %v", c.estimate, c.clock, got, c.want)
		}
	}
}
