package webtest

import (
	"testing"

	"aliquot/cluster"
)

func TestTheStateFollowsTheClockAcrossDaysAndWhenItIsSet(t *testing.T) {
	c := New(t)
	c.Advance(50 * cluster.Minute)
	c.Advance(2 * 24 * cluster.Hour)
	c.Must(t, cluster.Checkpoint{})
	if want := Start + 50*cluster.Minute + 48*cluster.Hour; c.Latest().Now != want {
		t.Errorf("the state's clock is at %v, want %v", c.Latest().Now, want)
	}
	c.Must(t, cluster.SetTime{To: Start})
	c.Advance(cluster.Minute)
	c.Must(t, cluster.Checkpoint{})
	if want := Start + cluster.Minute; c.Latest().Now != want || c.Latest().At != want {
		t.Errorf("after it was set, the clock is at %v, want %v", c.Latest().Now, want)
	}
}
