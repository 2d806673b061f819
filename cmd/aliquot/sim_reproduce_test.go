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

func TestThePaperOnTwoTiersIsReproducedFigureByFigure(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	shown := d.ok("sim reproduce tiered --only fig8 --workers 2 --out " + out)
	for _, want := range []string{"Figure 8: more migrations with JW", "sample only: judged with --full", "report.html"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	if n := strings.Count(content(t, filepath.Join(out, "results.jsonl")), "\n"); n != 2*3*3 {
		t.Errorf("%d results", n)
	}
	points := content(t, filepath.Join(out, "points.csv"))
	if strings.Count(points, "\n") != 1+2*3 || !strings.Contains(points, "fig8,JW,0.8,3,") {
		t.Error(points)
	}
	if !strings.Contains(content(t, filepath.Join(out, "figures", "fig8.svg")), "migrations per job") {
		t.Error("the figure has no axis")
	}
	if again := d.ok("sim reproduce tiered --only fig8 --out " + out); again != shown {
		t.Errorf("the kept results give another report: %s", again)
	}
}

func TestThePaperOnUnlikeMachinesIsReproducedFigureByFigure(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	shown := d.ok("sim reproduce hetero --only fig5 --workers 2 --out " + out)
	for _, want := range []string{"PJS is never worse than SJS", "sample only: judged with --full", "report.html"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	if !strings.Contains(content(t, filepath.Join(out, "points.csv")), "fig5-sum,PJS,5,1,") ||
		!strings.Contains(content(t, filepath.Join(out, "figures", "fig5-saving.svg")), "<svg") {
		t.Error("the report lacks numbers or figures")
	}
}

func TestWrongReproductionsOfOtherPapersSayWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	for line, want := range map[string]string{
		"sim reproduce":                       "name a subcommand: dfrs, hetero, provisioning, reserve, tiered",
		"sim reproduce reserve --only fig1":   `--only: there is no part "fig1": there are fig2 fig3`,
		"sim reproduce tiered --only fig5":    `--only: there is no part "fig5": there are fig6 fig7`,
		"sim reproduce tiered --only=":        "--only names no part",
		"sim reproduce tiered --jobs 0":       "--jobs must be from 100 to 1000000",
		"sim reproduce tiered --workers 0":    "--workers must be from 1 to 1024",
		"sim reproduce tiered figures":        `"figures" is one argument too many`,
		"sim reproduce tiered --trace log.gz": "unknown flag: --trace",
	} {
		if o := d.run(line); o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%s: %+v; want %q", line, o, want)
		}
	}
}

func TestDrawnReservationsAreAnsweredAndToldJobByJob(t *testing.T) {
	d, dir := newDesk(t), t.TempDir()
	stream, fates := filepath.Join(dir, "r.csv"), filepath.Join(dir, "fates.csv")
	d.ok("workload gen reserve --jobs 60 --umed 9 --arrival 4 --out " + stream)
	shown := d.ok("sim run --nodes 1024 --policy reserve/PE_W --check --no-timing --jobs " + fates + " " + stream)
	rows := content(t, fates)
	ended, refused := strings.Count(rows, ",ended,"), strings.Count(rows, ",refused,")
	if ended == 0 || refused == 0 || ended+refused != 60 {
		t.Errorf("%d jobs ended and %d were refused:\n%s", ended, refused, rows)
	}
	if want := fmt.Sprintf("%.3f", float64(ended)/60); !strings.Contains(shown, "accepted") ||
		!strings.Contains(shown, want) || strings.Contains(shown, "was skipped") {
		t.Errorf("%s lacks %s", shown, want)
	}
}
