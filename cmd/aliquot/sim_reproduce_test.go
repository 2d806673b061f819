package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/sim/sweep"
)

// weeksOfLog is a log with some jobs in each of so many weeks, of which one is far too large for the report's cluster.
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
			fmt.Fprintf(&b, "%d %d 0 %d %d -1 -1 %d -1 %d 1 1 1 -1 1 1 -1 -1\n", 3*w+i+1, 604800*w+60*i, 100+i, processors, processors, memory)
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
	if strings.Count(o.err, "could never run") != 1 || !strings.Contains(o.err, "119 trials failed") || !strings.Contains(o.err, why) || strings.Contains(o.err, "--impossible") {
		t.Errorf("not told once for all algorithms: %s", o.err)
	}
	if !strings.Contains(o.err, "log.swf has 24 jobs that ran, where the HPC2N log, version 2.2-cln, has 202871") || !strings.Contains(o.out, "not run") {
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
	if o.code != exitUsage || !strings.Contains(o.err, "has jobs in 2 weeks only: give --full") || strings.Contains(o.err, "give it with --trace") {
		t.Errorf("%+v", o)
	}
}

// trialsOf are trials of traces of one kind, which are never loaded, with 10, 20, … jobs.
func trialsOf(t *testing.T, kind string, policies []string, traces int) (all []job) {
	t.Helper()
	for i := range traces {
		from := &traceSource{name: fmt.Sprint(kind, i), kind: kind, count: 10 * (i + 1)}
		for _, p := range policies {
			x, err := sweep.New(from.name, from.name, 4, p, 600*cluster.Second, penaltyOfPaper, sim.Terms{})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, job{Trial: x, traceSource: from})
		}
	}
	return all
}

func TestATypicalTrialOfEachKindOfWhichNothingIsKnownIsRunFirst(t *testing.T) {
	results, err := openResults(filepath.Join(t.TempDir(), "r.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer results.close()
	all := append(trialsOf(t, "week", []string{"FCFS", "/per"}, 9), trialsOf(t, unsplit, []string{"FCFS"}, 1)...)
	all = append(all, trialsOf(t, "unscaled", []string{"FCFS"}, 3)...)
	kept := sweep.Result{Trial: all[0].Trial, Seconds: 5} // a week of 10 jobs under FCFS
	if err := results.keep(kept); err != nil {
		t.Fatal(err)
	}
	c := &crew{results: results, workers: 2, tally: tally{progress: newProgress(&strings.Builder{}, 0), workers: 2}}
	c.remember(all)
	var picked []string
	for _, j := range c.typical(c.missing(all)) {
		picked = append(picked, j.name+" "+j.Policy)
	}
	if got := strings.Join(picked, ", "); got != "week4 /per/opt=min, unscaled1 FCFS" {
		t.Error(got)
	}
	c.tally.begin(len(all), c.missing(all))
	// 440 jobs of weeks under FCFS, half a second each, on two workers; 450 and 60 others are taken to be as fast, the log's are not.
	if got := c.tally.text(); got != "1 of 22 trials, 3m58s, and 1 run of the unsplit log, not foretold, left" {
		t.Error(got)
	}
	log := all[slices.IndexFunc(all, func(j job) bool { return j.kind == unsplit })]
	c.tally.inside(log, sim.Progress{Jobs: 200, Ended: 10}, time.Second)
	c.tally.inside(log, sim.Progress{Jobs: 200, Ended: 30}, time.Minute)
	if got := c.tally.text(); !strings.HasSuffix(got, "not foretold, left; 15% of "+log.name+" under FCFS") {
		t.Error(got)
	}
	for _, j := range c.missing(all) {
		c.tally.step(j, time.Second)
	}
	if got := c.tally.text(); got != "22 of 22 trials" {
		t.Error(got)
	}
}
