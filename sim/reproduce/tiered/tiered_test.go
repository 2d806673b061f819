package tiered

import (
	"encoding/csv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/sim"
	"aliquot/sim/reproduce"
	"aliquot/sim/sweep"
	"aliquot/workload"
)

// factors are the means of a variant over EASY's on the same stream, by the variant's name. A variant without one is
// not run.
type factors map[string]float64

var asThePaperSays = factors{easy: 1, fcfs: 5, keasy: .8, measy: .7, reasy: 1.2, reasyProse: .9, keasyBlind: .9,
	measyBlind: .8, perProcess(keasy).String(): .9, perProcess(measy).String(): .85, perProcess(reasy).String(): 1.3,
	perProcess(reasyProse).String(): 1.1, attained: .03,
	costing(attained, expensive).String(): .2, costing(attainedFree, expensive).String(): .1,
	migrating(60): .71, migrating(120): .72, migrating(300): .73, migrating(480): .75, migrating(900): .79,
	migrating(1500): .81, migrating(3000): .83}

// migrating names MEASY where a migration costs that number of seconds.
func migrating(cost float64) string { return costing(measy, cost).String() }

// made returns a book of made-up results. EASY's are those of the load, a little different on each stream.
func made(scope Scope, f factors) Book {
	var all []Finding
	for _, e := range scope.Experiments() {
		factor, run := f[e.Variant.String()]
		if !run {
			continue
		}
		if e.Workload == FW && factor > 1 && strings.HasPrefix(e.Policy, reasy) {
			factor = .95
		}
		scale := factor * (1 + float64(e.Tenth)/10 + float64(e.Number)/100)
		perJob := .2 * float64(e.Tenth) / 10
		if e.Workload == JW {
			perJob = .5*float64(e.Tenth)/10 - .15
		}
		all = append(all, Finding{Experiment: e, Result: sweep.Result{Seconds: 1, Summary: sim.Summary{
			AvgTurnaround: 1000 * scale * (1 + float64(e.Number%2)/1000*factor), AvgBoundedStretch: 10 * scale,
			MaxBoundedStretch: 100 * scale,
			MigrationsPerJob:  perJob + float64(e.Number)/10000,
		}}})
	}
	return NewBook(scope, all)
}

func whole() Scope { return Scope{Full: true, Parts: Parts()} }

func TestAPaperLikeOursIsFoundRight(t *testing.T) {
	for _, c := range made(whole(), asThePaperSays).Checks() {
		refuted := strings.Contains(c.What, "prose, use per job") // it is better than EASY here
		if c.Holds == refuted && !strings.HasPrefix(c.What, "Abstract") {
			t.Errorf("%s: %s, %s", c.What, c.Measured, c.Verdict())
		}
	}
}

func TestOppositeResultsRefuteThePaper(t *testing.T) {
	opposite := factors{}
	for name, f := range asThePaperSays {
		opposite[name] = 1 / f
	}
	for _, c := range made(whole(), opposite).Checks() {
		held := strings.HasPrefix(c.What, "Figure 8") || strings.Contains(c.What, "at most 3") ||
			strings.Contains(c.What, "prose, use per job")
		if c.Holds != held {
			t.Errorf("%s: %s, %s", c.What, c.Measured, c.Verdict())
		}
	}
}

func TestImprovementsAreTheGreatestAndTheMeanOverAllLoads(t *testing.T) {
	checks := made(whole(), asThePaperSays).Checks()
	want := []reproduce.Check{
		{What: "Abstract: MEASY improves mean response over EASY by up to 41.1%, within a third", Measured: "30.0%"},
		{What: "Abstract: MEASY improves mean response over EASY on average by 23.1%, within a third", Measured: "30.0%",
			Holds: true},
		{What: "Abstract: MEASY improves mean slowdown over EASY by up to 82.9%, within a third", Measured: "30.0%"},
		{What: "Abstract: MEASY improves mean slowdown over EASY on average by 69.3%, within a third", Measured: "30.0%"},
	}
	want[0].Holds = false
	if diff := cmp.Diff(want, checks[:4]); diff != "" {
		t.Error(diff)
	}
}

func TestClaimsWithoutExperimentsAreNotRun(t *testing.T) {
	for _, c := range NewBook(whole(), nil).Checks() {
		if c.Measured != "" || c.Holds || c.Verdict() != "not run" {
			t.Errorf("%+v: %s", c, c.Verdict())
		}
	}
}

func TestASampleDecidesNothing(t *testing.T) {
	for _, c := range made(Scope{Parts: Parts()}, asThePaperSays).Checks() {
		if c.Measured == "" || !c.Sample || c.Holds {
			t.Errorf("%+v", c)
		}
	}
}

func TestAPointNeedsAllItsStreams(t *testing.T) {
	scope := Scope{Parts: []Part{"fig8"}}
	e := Experiment{Stream{FW, 0, scope.Jobs(), 4, false}, plain(measy)}
	b := NewBook(scope, []Finding{{Experiment: e}})
	if m := b.mean(place{FW, 4, false}, plain(measy), migrations); m.N != 0 {
		t.Errorf("%v", m)
	}
}

func TestIntervalsAreStudents(t *testing.T) {
	m := reproduce.MeanOf([]float64{1, 2, 3})
	if m.Value != 2 || math.Abs(m.Half-4.3027/math.Sqrt(3)) > 1e-4 {
		t.Errorf("%v", m)
	}
	if m := reproduce.MeanOf([]float64{7}); !math.IsInf(m.High(), 1) || m.String() != "7.00" {
		t.Errorf("one value: %v", m)
	}
}

func TestADifferenceThatChanceExplainsIsOpen(t *testing.T) {
	scope := Scope{Full: true, Parts: []Part{"fig6"}}
	b := made(scope, factors{easy: 1, measy: 1})
	for _, e := range scope.Experiments() {
		if e.Policy == measy {
			r := b.results[e]
			r.AvgTurnaround *= 1 + float64(e.Number-2)/20
			b.results[e] = r
		}
	}
	if got := b.compare(b.places(FW, false), plain(measy), plain(easy), response); got != (tally{open: 6}) {
		t.Errorf("%+v", got)
	}
}

func TestExperimentsAreListedOnce(t *testing.T) {
	all := whole().Experiments()
	for i := 1; i < len(all); i++ {
		if all[i-1].Compare(all[i]) >= 0 {
			t.Fatalf("%v does not come before %v", all[i-1], all[i])
		}
	}
	only := Scope{Full: true, Parts: []Part{"fig8"}}.Experiments()
	if len(only) != 2*6*5 {
		t.Errorf("%d experiments of Figure 8", len(only))
	}
	for _, e := range only {
		if !slices.Contains(all, e) {
			t.Errorf("%v is of Figure 8 only", e)
		}
	}
}

func TestPartsAreNamedInAnyCase(t *testing.T) {
	if got, err := ParseParts([]string{"Readings", " FIG6"}); err != nil || !slices.Equal(got, []Part{"fig6", Readings}) {
		t.Error(got, err)
	}
	if _, err := ParseParts([]string{"fig5"}); err == nil || !strings.Contains(err.Error(), `"fig5": there are fig6 fig7`) {
		t.Error(err)
	}
}

func TestEveryStreamCanBeDrawnWithItsLoad(t *testing.T) {
	for _, scope := range []Scope{{}, {Full: true}} {
		for _, w := range Workloads {
			for number := range scope.Streams() {
				s := Stream{w, number, scope.Jobs(), 7, number == 0}
				jobs, err := s.Draw()
				if err != nil || len(jobs) != s.Jobs || math.Abs(workload.Load(jobs, Processors)-.7) > 1e-6 {
					t.Fatalf("%s: %d jobs: %v", s.Name(), len(jobs), err)
				}
				for _, j := range jobs {
					if j.Estimate < j.Runtime || j.Efficiency == 0 || j.Loss == 0 || s.FullUse && j.Need != workload.UnitCPU {
						t.Fatalf("%s: %+v", s.Name(), j)
					}
				}
			}
		}
	}
}

func TestThePageShowsClaimsLossesAndFigures(t *testing.T) {
	var page strings.Builder
	b := made(whole(), asThePaperSays)
	if err := b.Report().WriteHTML(&page, reproduce.About{Command: "c", Failures: []string{"x failed"}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"MEASY is the best of the three", "better at 24 of 24 points, worse at 0", "x failed",
		"REASY's extra processors", "Figure 14: JW and the cost of a migration", "<svg", "1,421 ±"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	page.Reset()
	if err := NewBook(whole(), nil).Report().WriteHTML(&page, reproduce.About{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "<svg") || !strings.Contains(page.String(), "Not run.") {
		t.Error("figures without results")
	}
}

func TestPointsAndClaimsAreWrittenAsTables(t *testing.T) {
	b := made(Scope{Full: true, Parts: []Part{"fig7", "fig8"}}, asThePaperSays)
	var points, claims strings.Builder
	if err := b.Report().WritePoints(&points); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(points.String())).ReadAll()
	if err != nil || len(rows) != 1+2*5*6+2*6 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	if err := b.Report().WriteClaims(&claims); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(claims.String(), "Figure 7: REASY is worse than EASY on JW,") {
		t.Error(claims.String())
	}
	if n := len(b.Report().Figures()); n != 3 {
		t.Errorf("%d figures", n)
	}
}
