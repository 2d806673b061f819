package main

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestTheClustersRunTimesAreShownByTypeAndWithAJobLikeThem(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1200, 512*cluster.MiB)
	if out := d.ok("experience list"); !strings.Contains(out, "No job has succeeded yet") {
		t.Error(out)
	}
	for n := range cluster.JobID(3) {
		d.ok("job submit --type render --cpu 500m --memory 64Mi -- /bin/render")
		d.Run(t, n+1, 500, n1)
		d.Advance(5 * cluster.Minute)
		d.Exit(t, cluster.RunID{Job: n + 1, Number: 1}, 0)
	}
	if out := d.ok("experience list"); !strings.Contains(out, "render  1      500m  3          5m      5m") {
		t.Error(out)
	}
	if out := d.ok("experience list -o csv"); !strings.Contains(out, ",render,1,") {
		t.Error(out)
	}
	d.ok("job submit --type render --cpu 500m --memory 64Mi -- /bin/other")
	if out := d.ok("job show j4"); !strings.Contains(out, "of the last 3 jobs like it, half took at most 5m at full speed, and nine in ten at most 5m") {
		t.Error(out)
	}
}
