package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// weeksOfLog returns a log with a few jobs in each of the given number of weeks. One job is far too large for the
// report's cluster.
func weeksOfLog(t *testing.T, weeks int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("; Version: 2.2\n")
	for w := range weeks {
		for i := range 3 {
			processors, memory := 2, -1
			if w == 6 && i == 2 {
				processors, memory = 999, 2<<20
			}
			fmt.Fprintf(&b, "%d %d 0 %d %d -1 -1 %d -1 %d 1 1 1 -1 1 1 -1 -1\n", 3*w+i+1, 604800*w+60*i, 100+i, processors,
				processors, memory)
		}
	}
	return textFile(t, "log.swf", b.String())
}

func TestAnExperimentThatFailsDoesNotCostTheReport(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	o := d.run("sim reproduce dfrs --only Table5 --workers 1 --trace " + weeksOfLog(t, 8) + " --out " + out)
	if o.code != exitFailed {
		t.Fatalf("%+v", o)
	}
	why := "HPC2N week 006 under /per/opt=avg, /per/opt=avg/minft=300, /per/opt=avg/minft=600 and 116 more: 1 of 3 jobs could never run (job 21: "
	if strings.Count(o.err, "could never run") != 1 || !strings.Contains(o.err, "119 trials failed") ||
		!strings.Contains(o.err, why) || strings.Contains(o.err, "--impossible") {
		t.Errorf("not told once for all algorithms: %s", o.err)
	}
	if !strings.Contains(o.err, "log.swf has 24 jobs that ran, but the HPC2N log, version 2.2-cln, has 202871") ||
		!strings.Contains(o.out, "not run") {
		t.Errorf("%+v", o)
	}
	page := content(t, filepath.Join(out, "report.html"))
	for _, want := range []string{why, "The log that was given has 24 jobs that ran, not the 202,871", "not run"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if cells := content(t, filepath.Join(out, "cells.csv")); !strings.Contains(cells, "Table 5") {
		t.Error(cells)
	}
}

func TestALogThatIsTooShortForTheSampleIsNotTakenForNone(t *testing.T) {
	d := newDesk(t)
	o := d.run("sim reproduce dfrs --only table5 --trace " + weeksOfLog(t, 2) + " --out " + t.TempDir())
	if o.code != exitUsage || !strings.Contains(o.err, "has jobs in 2 weeks only: give --full") ||
		strings.Contains(o.err, "give it with --trace") {
		t.Errorf("%+v", o)
	}
}
