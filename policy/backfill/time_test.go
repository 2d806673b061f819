package backfill

import (
	"testing"

	"aliquot/cluster"
)

func TestTimesThatOverflowAreNever(t *testing.T) {
	for _, c := range []struct{ got, want cluster.Time }{
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

func TestAJobThatHoldsNodesEndsByItsEstimateOrInTheNextInstant(t *testing.T) {
	const now = 100 * cluster.Second
	for _, c := range []struct {
		estimate cluster.Time
		clock    cluster.Clock
		want     cluster.Time
	}{
		{60 * cluster.Second, cluster.Clock{At: 70 * cluster.Second, Share: 1000}, 130 * cluster.Second},
		{60 * cluster.Second, cluster.Clock{At: 90 * cluster.Second, Virtual: 30 * cluster.Second, Share: 500},
			150 * cluster.Second},
		{60 * cluster.Second, cluster.Clock{}, 160 * cluster.Second}, // the job still boots
		{60 * cluster.Second, cluster.Clock{At: 40 * cluster.Second, Share: 1000}, now + cluster.Microsecond},
		{60 * cluster.Second, cluster.Clock{At: 10 * cluster.Second, Share: 1000}, now + cluster.Microsecond},
		{0, cluster.Clock{At: 90 * cluster.Second, Share: 1000}, now + cluster.Microsecond},
	} {
		j := &cluster.Job{Spec: &cluster.Spec{Need: 1000}, Clock: c.clock}
		if got := ends(j, c.estimate, 1000, now); got != c.want {
			t.Errorf("estimate %v, %+v: ends at %v, want %v", c.estimate, c.clock, got, c.want)
		}
	}
}
