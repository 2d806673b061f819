package main

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestCommandsThatChangeSomethingSayWhatTheyDid(t *testing.T) {
	d := busy(t)
	run := cluster.RunID{Job: 3, Number: 1}
	d.Report(t, 1, cluster.Observation{Run: run, Seen: cluster.SeenStray})
	d.Join(t, "n3", 1000, 512*cluster.MiB)
	var story strings.Builder
	for _, line := range []string{
		"job hold j1", "job release j1 j4", "job cancel j5 j99 j1 --cause enough", "node cordon n1", "node uncordon n1",
		"node drain n1 n2", "node destroy n1 j3/0/1", "node remove n3 --yes",
		"quota set --project render --jobs 9 --tasks 20 --cpu 64 --memory 4Gi", "quota set --owner * --logs 1Gi",
		"quota set --project render", "token revoke t-bob", "session end --token t-alice",
		"manager set-time 2026-11-24T16:30:00Z",
	} {
		o := d.run(line)
		if o.out != "" {
			t.Errorf("aliquot %s: standard output is for answers, not for %q", line, o.out)
		}
		story.WriteString("$ aliquot " + line + "\n" + o.err + "\n")
	}
	golden(t, "changes.txt", story.String())
}
