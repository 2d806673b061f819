package main

import (
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
)

func TestLearntSpeedsAreShownByTypeAndClass(t *testing.T) {
	d := newDesk(t)
	for _, class := range []string{"fast", "slow"} {
		d.Must(t, cluster.Join{Name: class, Boot: "boot", Description: cluster.Description{CPU: 1200,
			Memory: 512 * cluster.MiB, Class: class}})
	}
	if out := d.ok("speed list"); !strings.Contains(out, "Nothing is learnt yet") {
		t.Error(out)
	}
	for n := range cluster.JobID(6) {
		d.ok("job submit --type render --cpu 500m --memory 64Mi -- /bin/render")
		d.Run(t, n+1, 500, cluster.NodeID(n%2+1))
		d.Advance(5 * cluster.Minute * cluster.Time(n%2+1))
		d.Exit(t, cluster.RunID{Job: n + 1, Number: 1}, 0)
	}
	out := d.ok("speed list")
	for _, want := range []string{"render  1      500m  fast   1            3          5m",
		"render  1      500m  slow   0.50 ± 0.00  3          10m"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out := d.ok("speed list -o csv"); !strings.Contains(out, ",render,1,") {
		t.Error(out)
	}
	if out := d.ok("node show slow"); !strings.Contains(out, "Class:        slow") {
		t.Error(out)
	}
}

func TestAFactorIsToldWithItsError(t *testing.T) {
	for want, l := range map[string]api.LearntSpeed{"-": {}, "1": {Factor: 1}, "0.80 ± 0.04": {Factor: 0.8, Error: 0.05}} {
		if got := factor(l); got != want {
			t.Errorf("%+v is %q, want %q", l, got, want)
		}
	}
}
