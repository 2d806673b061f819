package report

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/sim"
	"aliquot/sim/sweep"
	"aliquot/sim/timeline"
)

func result(trace, policy string, stretch float64) sweep.Result {
	return sweep.Result{
		Trial:      sweep.Trial{Trace: trace, Digest: "d-" + trace, Nodes: 4, Policy: policy, Period: 600, Penalty: 300},
		Summary:    sim.Summary{Jobs: 9, MaxBoundedStretch: stretch, AvgBoundedStretch: 2},
		Bottleneck: sweep.Bottleneck{Bound: 2, Critical: 3, From: 0, To: 7200, Busy: 3600},
		Worst: sweep.Worst{Waiting: 1, Load: 2.5, Fate: timeline.Fate{
			Job: 7, Tasks: 2, Need: 0.25, Memory: 0.125, Runtime: 60, Submit: 100, Start: 160, End: 1000, Paused: 400,
			Paying: 300, Preemptions: 2, Stretch: stretch,
		}},
	}
}

// waiting is a measure whose value one job explains.
var waiting = *sweep.Named("degradation")

func TestAWorstTraceIsExplainedWithItsNumbers(t *testing.T) {
	want := "Job 7 (2 tasks of 25% CPU and 12.5% memory, 1m alone) came at 00:01:40.0 and took 15m, a stretch of 15.0: 1m waiting for its start, " +
		"6m40s paused (twice), 5m standing still for penalties (2 moves), 1m20s lost to shares below its need. " +
		"When it came, 1 other job waited and the jobs in the system needed 2.50 clusters. " +
		"The bound, 2.00, comes from 3 jobs that between 00:00:00.0 and 02:00:00.0 would need the whole cluster for 1h."
	if diff := cmp.Diff(want, Explain(waiting, result("a", "FCFS", 15))); diff != "" {
		t.Error(diff)
	}
	easy := result("a", "FCFS", 1)
	easy.Bottleneck = sweep.Bottleneck{Bound: 1}
	easy.Worst.Fate = timeline.Fate{Job: 1, Tasks: 1, Runtime: 60, End: 60, Stretch: 1}
	if s := Explain(waiting, easy); !strings.Contains(s, "nothing kept it") ||
		!strings.HasSuffix(s, "The bound is 1: with foresight and without limits of memory no job need have waited.") {
		t.Error(s)
	}
	easy.Worst.Job = 0 // a number like any other
	if s := Explain(waiting, easy); !strings.HasPrefix(s, "Job 0 (") {
		t.Error(s)
	}
	if s := Explain(waiting, sweep.Result{}); s != "no jobs" {
		t.Error(s)
	}
}

func TestAMeasureIsExplainedByItsTopic(t *testing.T) {
	r := result("a", "FCFS", 15)
	r.NormalizedUnderutilization, r.PreemptionsPerJob, r.MigrationsPerJob = 0.25, 2, 1./3
	moves := "18 preemptions and 3 migrations of 9 jobs, 2.00 and 0.333 of each; the one with the greatest stretch, job 7, had 2 and 0."
	r.Demand, r.Utilization, r.PenaltyUnderutilization = 0.5, 0.4, 0.2
	average := " On average the jobs in the system could have used 50% of the cluster and used 40%."
	for measure, want := range map[string]string{
		"normalized_underutilization": "Of the CPU that the jobs in the system could have used 20% went unused, 25% of their work: " +
			"20% was held by jobs that paid for having been rescheduled, 5% by no job that could use it." + average +
			" " + moves,
		"preemption_gb_per_second": moves + average,
	} {
		if diff := cmp.Diff(want, Explain(*sweep.Named(measure), r)); diff != "" {
			t.Error(diff)
		}
	}
	if r.PreemptionsPerJob, r.MigrationsPerJob = 0, 0; !strings.HasPrefix(Explain(*sweep.Named("preemptions_per_hour"), r),
		"None of the 9 jobs was rescheduled.") {
		t.Error(Explain(*sweep.Named("preemptions_per_hour"), r))
	}
}

func TestGroupsAreNamedByTheParametersThatDiffer(t *testing.T) {
	slow := result("a", "/per", 3)
	slow.Period = 3600
	names := func(c Comparison) (names []string) {
		for _, g := range c.Groups {
			names = append(names, g.Name)
		}
		return names
	}
	if diff := cmp.Diff([]string{"FCFS", "EASY"},
		names(Compare([]sweep.Result{result("a", "FCFS", 1), result("a", "EASY", 1)}))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"/per, period 600 s", "/per, period 3600 s", "FCFS"},
		names(Compare([]sweep.Result{result("a", "/per", 1), slow, result("a", "FCFS", 1)}))); diff != "" {
		t.Error(diff)
	}
}

func TestAComparisonOfUnlikeTracesSaysSo(t *testing.T) {
	even := Compare([]sweep.Result{result("b", "FCFS", 1), result("a", "FCFS", 1), result("a", "EASY", 1),
		result("b", "EASY", 1)})
	uneven := Compare([]sweep.Result{result("a", "FCFS", 1), result("b", "EASY", 1)})
	if even.Uneven() || !uneven.Uneven() {
		t.Errorf("%v, %v", even.Uneven(), uneven.Uneven())
	}
}

func TestTheTextShowsMeansSpreadAndTheWorstFirst(t *testing.T) {
	c := Compare([]sweep.Result{result("a", "FCFS", 4), result("b", "FCFS", 8)})
	if diff := cmp.Diff([]string{"FCFS", "2", "3.00", "6.00", "2.00", "0", "0", "0"}, c.Summary()[1]); diff != "" {
		t.Error(diff)
	}
	spread := c.Spread(*sweep.Named("degradation"))
	if diff := cmp.Diff([]string{"FCFS", "2", "3.00", "1.41"}, spread[1][:4]); diff != "" || spread[1][13] != "4.00" {
		t.Errorf("%s %q", diff, spread[1])
	}
	worst := c.Extremes(*sweep.Named("degradation"))
	if worst[1][2] != "b" || worst[2][2] != "a" || worst[2][0] != "" {
		t.Errorf("%q", worst)
	}
}

// wellFormed fails if a page's figures are not XML or a name was not escaped.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	if strings.Contains(page, "<script") || strings.Contains(page, "ZgotmplZ") || strings.Contains(page, "javascript:") {
		t.Errorf("a hostile name got through")
	}
	for _, part := range strings.Split(page, "<svg")[1:] {
		svg, _, _ := strings.Cut(part, "</svg>")
		d := xml.NewDecoder(strings.NewReader("<svg" + svg + "</svg>"))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAPageNeedsNothingButItselfAndEscapesHostileNames(t *testing.T) {
	hostile := `"><script>alert(1)</script>&'</title></svg>`
	c := Compare([]sweep.Result{result(hostile, "FCFS", 4), result("b", hostile, 8)})
	var b strings.Builder
	if err := c.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	wellFormed(t, page)
	for _, from := range []string{"http://", "https://", "src=", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), from) {
			t.Errorf("the page refers to something else: %s", from)
		}
	}
	for _, want := range []string{"&lt;script&gt;", "do not compare", "the worst traces", "median"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	var again strings.Builder
	if err := c.WriteHTML(&again); err != nil || again.String() != page {
		t.Errorf("the same results give another page (%v)", err)
	}
}
