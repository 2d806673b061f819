package hetero

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"aliquot/policy/hetero"
	"aliquot/sim/reproduce"
)

func still() time.Duration { return 0 }

// run runs the experiments of a scope.
func run(t *testing.T, s Scope) Book {
	t.Helper()
	var found []Finding
	for _, e := range s.Experiments() {
		r, err := Run(e, still)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, Finding{Experiment: e, Result: r})
	}
	return NewBook(s, found)
}

func TestTheCampusHasThePapersMachines(t *testing.T) {
	for number := range Sites {
		s := Campus(number)
		if len(s.Machines) != 142 || len(s.Clusters) != 18 || len(s.Clusters[17].Members) != 6 || !s.Open(17) {
			t.Errorf("site %d: %d machines, %d clusters", number, len(s.Machines), len(s.Clusters))
		}
		for k := range kinds {
			if s.Times.Shortest(k, false) >= hetero.Never || (s.Times.Parallel[k][0] >= hetero.Never) != (k == 3) {
				t.Errorf("site %d: %s runs nowhere, or in parallel though it cannot", number, kinds[k].name)
			}
		}
	}
	if slices.Equal(Campus(1).Times.Sequential[0], Campus(2).Times.Sequential[0]) {
		t.Error("two sites are alike")
	}
}

func TestBatchesJudgeTheirClaims(t *testing.T) {
	b := run(t, Scope{Full: true, Parts: []Part{fig5}})
	if c := b.Checks()[0]; !c.Holds || !strings.HasSuffix(c.Measured, "on 13 of 13 sites") {
		t.Errorf("PJS is worse than SJS: %+v", c)
	}
	b.Scope.Full = false
	checks := b.Checks()
	for _, c := range checks {
		if c.Measured == "" || !c.Sample || c.Holds {
			t.Errorf("a sample decides: %+v", c)
		}
	}
}

func TestClaimsWithoutExperimentsAreNotRun(t *testing.T) {
	for _, c := range NewBook(Scope{Full: true, Parts: Parts()}, nil).Checks() {
		if c.Measured != "" || c.Holds || c.Verdict() != "not run" {
			t.Errorf("%+v", c)
		}
	}
}

func TestExperimentsAreListedOnce(t *testing.T) {
	all := Scope{Full: true, Parts: Parts()}.Experiments()
	if len(unique(all)) != len(all) || len(all) < 8000 {
		t.Errorf("%d experiments, %d different ones", len(all), len(unique(all)))
	}
}

func TestMixesAreExactWhereAllComeAtOnce(t *testing.T) {
	levels := map[hetero.Level]int{}
	for _, j := range leveled(0, pjs, mixes[1], 200).draw() {
		levels[j.Level]++
	}
	if levels[hetero.High] != 50 || levels[hetero.Medium] != 50 || levels[hetero.Low] != 100 {
		t.Errorf("%v", levels)
	}
}

func TestArrivalsHaveTheirRate(t *testing.T) {
	jobs := arriving(0, pjs, mixes[0], 8, 0).draw()
	last := jobs[len(jobs)-1].Submit
	rate := 500 / (float64(last)/float64(quantum) + 1)
	if len(jobs) != 500 || rate < 6.5 || rate > 9.5 || last%quantum != 0 {
		t.Errorf("%d jobs, %.1f in a quantum", len(jobs), rate)
	}
}

func TestThePageAndTheTablesShowClaimsAndPoints(t *testing.T) {
	report := run(t, Scope{Parts: []Part{fig5}}).Report()
	var page, points strings.Builder
	if err := report.WriteHTML(&page, reproduce.About{Command: "c"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"PJS is never worse than SJS", "on 3 of 3 sites", "<svg", "Run times."} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if err := report.WritePoints(&points); err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(strings.NewReader(points.String())).ReadAll(); err != nil || len(rows) != 1+3*20+2*20 {
		t.Errorf("%d rows: %v", len(rows), err)
	}
	if n := len(report.Figures()); n != 2 {
		t.Errorf("%d figures", n)
	}
}

func TestPricedServesArrivalsSoonerThanPJS(t *testing.T) {
	for number := range 2 {
		theirs, err := Run(arriving(number, pjs, mixes[2], 8, 0), still)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := Run(arriving(number, priced, mixes[2], 8, 0), still)
		if err != nil || ours.Mean > .75*theirs.Mean || ours.Levels["H"].Mean > theirs.Levels["H"].Mean {
			t.Errorf("site %d: %+v, PJS %+v: %v", number, ours, theirs, err)
		}
	}
}
