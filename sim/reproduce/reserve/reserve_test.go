package reserve

import (
	"encoding/csv"
	"maps"
	"slices"
	"strings"
	"testing"

	"aliquot/sim"
	"aliquot/sim/reproduce"
	"aliquot/sim/sweep"
)

// rates are a policy's acceptance at the usual point, its rise with flexibility, and its slowdown.
type rates struct{ accepted, rise, slow float64 }

var asThePaperSays = map[string]rates{ff: {.76, 0, 1.1}, peB: {.75, 0, 1.5}, duW: {.751, 0, 1.51},
	peW: {.84, .012, 1.4}, duB: {.838, .011, 1.41}, peDuB: {.79, .01, 1.3}, peDuW: {.791, 0, 1.8}}

// made returns a book of made-up results, a little different on each stream.
func made(scope Scope, by map[string]rates) Book {
	var all []Finding
	for _, e := range scope.Experiments() {
		r, run := by[e.Policy]
		if !run {
			continue
		}
		noise := float64(e.Number%5) / 10_000
		step := float64(e.UMed-7)/20 + float64(e.Quarters-4)/20
		rise := r.rise * float64(e.Flex-3)
		if r.rise == 0 && e.Flex == 4 {
			rise = -.01
		}
		all = append(all, Finding{Experiment: e, Result: sweep.Result{Seconds: 1, Summary: sim.Summary{Utilization: .5,
			Reservations: &sim.Reservations{Accepted: r.accepted - step + rise + noise, AcceptedWork: 1.4 - r.accepted + noise,
				AcceptedWide: .5 + noise, AvgSlowdown: r.slow + step + float64(e.Flex)/20 + noise}}}})
	}
	return NewBook(scope, all)
}

// whole are the parts of the paper.
func whole() Scope { return Scope{Full: true, Parts: Parts()[:len(panels)]} }

func TestAPaperLikeOursIsFoundRight(t *testing.T) {
	for _, c := range made(whole(), asThePaperSays).Checks() {
		if c.Holds == strings.HasPrefix(c.What, "Not claimed") {
			t.Errorf("%s: %s, %s", c.What, c.Measured, c.Verdict())
		}
	}
}

func TestOppositeResultsRefuteThePaper(t *testing.T) {
	opposite := map[string]rates{}
	for name, r := range asThePaperSays {
		rise := .012
		if r.rise > 0 {
			rise = 0
		}
		opposite[name] = rates{1.6 - r.accepted, rise, 3 - r.slow}
	}
	held := []string{"falls for all", "rises for all", "differ by", "is different"} // the same for both
	for _, c := range made(whole(), opposite).Checks() {
		same := slices.ContainsFunc(held, func(words string) bool { return strings.Contains(c.What, words) })
		if c.Holds != (same || strings.HasPrefix(c.What, "Not claimed")) {
			t.Errorf("%s: %s, %s", c.What, c.Measured, c.Verdict())
		}
	}
}

func TestClaimsWithoutExperimentsAreNotRun(t *testing.T) {
	for _, c := range NewBook(whole(), nil).Checks() {
		if c.Measured != "" || c.Holds {
			t.Errorf("%+v: %s", c, c.Verdict())
		}
	}
}

func TestAClaimThatLacksOneExperimentIsNotRun(t *testing.T) {
	b := made(whole(), asThePaperSays)
	for e := range b.results {
		if e.Policy == duB && e.Number == 3 && e.UMed == 7 && e.Quarters == 4 && e.Flex == 3 {
			delete(b.results, e)
		}
	}
	for _, c := range b.Checks() {
		about := func(words string) bool { return strings.Contains(strings.ReplaceAll(c.What, "PEDu", ""), words) }
		lacks := slices.ContainsFunc([]string{"Du_B", "for all", "the most", "the lowest", "the highest"}, about)
		if strings.Contains(c.What, "PE_W accepts more than Du_B") {
			lacks = false // it compares {1,1} and {5,5}
		}
		if (c.Measured == "") != lacks || lacks && c.Holds {
			t.Errorf("%s: %q, %s", c.What, c.Measured, c.Verdict())
		}
	}
}

func TestAcceptanceThatOnlyLevelsOffIsStable(t *testing.T) {
	level := maps.Clone(asThePaperSays)
	level[ff] = rates{.76, .0000001, 1.1}
	for _, c := range made(whole(), level).Checks() {
		if strings.Contains(c.What, "acceptance of FF is not stable") && (c.Measured == "" || c.Holds) {
			t.Errorf("%s: %s, %s", c.What, c.Measured, c.Verdict())
		}
	}
}

func TestASampleDecidesNothing(t *testing.T) {
	for _, c := range made(Scope{Parts: whole().Parts}, asThePaperSays).Checks() {
		if c.Measured == "" || !c.Sample || c.Holds {
			t.Errorf("%+v", c)
		}
	}
}

func TestExperimentsAreListedOnce(t *testing.T) {
	all := Scope{Full: true, Parts: Parts()}.Experiments()
	if len(all) != 13*(20*7+5*5) { // FF and PE_W of ours are among those of the paper
		t.Errorf("%d experiments", len(all))
	}
	for i := 1; i < len(all); i++ {
		if all[i-1].Compare(all[i]) >= 0 {
			t.Fatalf("%v does not come before %v", all[i-1], all[i])
		}
	}
}

func TestPartsAreNamedInAnyCase(t *testing.T) {
	if got, err := ParseParts([]string{"WORK", " Fig2"}); err != nil || !slices.Equal(got, []Part{"fig2", "work"}) {
		t.Error(got, err)
	}
	if _, err := ParseParts([]string{"fig1"}); err == nil || !strings.Contains(err.Error(), `"fig1": there are fig2 fig3`) {
		t.Error(err)
	}
}

func TestThePageAndTheTablesShowClaimsAndPoints(t *testing.T) {
	report := made(whole(), asThePaperSays).Report()
	var page, points, claims strings.Builder
	if err := report.WriteHTML(&page, reproduce.About{Command: "c", Failures: []string{"x failed"}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"PE_W and Du_B accept the most", "at 5 of 5 points", "x failed", "<svg",
		"0.840 ±"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if err := report.WritePoints(&points); err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(strings.NewReader(points.String())).ReadAll(); err != nil || len(rows) != 1+9*7*5 {
		t.Errorf("%d rows: %v", len(rows), err)
	}
	if err := report.WriteClaims(&claims); err != nil || !strings.Contains(claims.String(), "Conclusion: PE_W has the") {
		t.Error(claims.String(), err)
	}
	if n := len(report.Figures()); n != len(panels) {
		t.Errorf("%d figures", n)
	}
	page.Reset()
	err := NewBook(whole(), nil).Report().WriteHTML(&page, reproduce.About{})
	if err != nil || strings.Contains(page.String(), "<svg") {
		t.Error("figures without results", err)
	}
}

func TestTheGoalsOfOursAreJudgedByCountAndByWork(t *testing.T) {
	scope := Scope{Full: true, Parts: []Part{Ours}}
	reached := func(accepted float64, words string) (n int) {
		by := map[string]rates{ff: {.7, 0, 1.1}, peW: {.7, 0, 1.4}, shares: {accepted, 0, 1}, withheld: {accepted, 0, 1}}
		for _, c := range made(scope, by).Checks() {
			if c.Holds && strings.Contains(c.What, words) {
				n++
			}
		}
		return n
	}
	if reached(.8, acceptance.name) == 0 || reached(.8, acceptedWork.name) > 0 || reached(.6, acceptance.name) > 0 ||
		reached(.6, acceptedWork.name) == 0 || reached(.8, "missed") == 0 {
		t.Error("a goal is reached by the wrong measure")
	}
	if plots := NewBook(scope, nil).oursPlots(); len(plots) != 6 || len(plots[0].Points) > 0 {
		t.Error("there are points without experiments")
	}
}
