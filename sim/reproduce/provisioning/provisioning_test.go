package provisioning

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

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

func TestClaimsWithoutExperimentsAreNotRun(t *testing.T) {
	checks := NewBook(Scope{Full: true, Parts: Parts()}, nil).Checks()
	for _, c := range checks {
		if c.Measured != "" || c.Holds || c.Verdict() != "not run" {
			t.Errorf("%+v", c)
		}
	}
	if len(checks) < 20 {
		t.Errorf("%d claims", len(checks))
	}
}

func TestExperimentsAreListedOnce(t *testing.T) {
	seen := map[Experiment]bool{}
	for _, e := range (Scope{Full: true, Parts: Parts()}).Experiments() {
		if seen[e] {
			t.Errorf("%+v is there twice", e)
		}
		seen[e] = true
	}
}

func TestStreamsHaveTheirLoad(t *testing.T) {
	work := 0.
	for number := range 10 {
		e := Experiment{Procs: 430, Load: 76, Number: number}
		for _, a := range e.arrivals(e.dice()) {
			work += float64(a.Procs) * float64(a.Run)
		}
	}
	if load := work / (430 * finish * 10); load < .7 || load > .82 {
		t.Errorf("a load of %.2f", load)
	}
}

func TestAdvertisedSlotsJudgeTheirClaims(t *testing.T) {
	b := run(t, Scope{Parts: []Part{slots}})
	for _, c := range b.Checks() {
		if c.Measured == "" || !c.Sample || c.Holds {
			t.Errorf("a sample decides: %+v", c)
		}
	}
	b.Scope.Full = true
	if c := b.Checks()[3]; c.Measured != "" {
		t.Errorf("a full report has the numbers of a sample: %+v", c)
	}
}

func TestPricesAreZeroForThosePatientEnough(t *testing.T) {
	first, err := Run(priceOf(76, 0, 10, conservative), still)
	if err != nil {
		t.Fatal(err)
	}
	last, err := Run(priceOf(76, 4, 10, conservative), still)
	if err != nil || last.Numbers["price"] != 0 || first.Numbers["price"] <= 0 {
		t.Errorf("α=0: %v, α=1: %v, %v", first.Numbers, last.Numbers, err)
	}
}

func TestThePageAndTheTablesShowClaimsAndPoints(t *testing.T) {
	s := Scope{Parts: []Part{plans}}
	var found []Finding
	for _, e := range s.Experiments() {
		found = append(found, Finding{Experiment: e, Result: Result{Numbers: map[string]float64{"moga makespan 0": .5}}})
	}
	report := NewBook(s, found).Report()
	var page, points strings.Builder
	if err := report.WriteHTML(&page, reproduce.About{Command: "c"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Figure 13: moga has a lower makespan", "<svg", "Logs."} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if err := report.WritePoints(&points); err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(strings.NewReader(points.String())).ReadAll(); err != nil || len(rows) != 1+20+6 {
		t.Errorf("%d rows: %v", len(rows), err)
	}
}
