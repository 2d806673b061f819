package reserve

import (
	_ "embed"
	"slices"

	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
)

//go:embed page.html.tmpl
var pageText string

var text = study.Text(pageText)

// Report returns the page and the tables.
func (b Book) Report() study.Report {
	r := study.Report{
		Title: "Advance reservation with deadlines, reproduced",
		Lead:  "Figures 2 to 7 of Li et al., \"Resource Availability-Aware Advance Reservation for Parallel Jobs with Deadlines\", with this program's policies, beside the paper's claims.",
		Text:  text, Scope: b.Scope, Full: b.Scope.Full, Done: len(b.results), Planned: len(b.Scope.Experiments()),
		OneCore: b.results.Sum(func(r sweep.Result) float64 { return r.Seconds }), Checks: b.Checks(),
	}
	for _, p := range b.panels() {
		r.Sections = append(r.Sections, study.Section{Part: string(p.part), Title: p.title, Plots: []study.Plot{b.plot(p)}})
	}
	if slices.Contains(b.Scope.Parts, Ours) {
		r.Sections = append(r.Sections, study.Section{Part: string(Ours), Title: oursTitle, Plots: b.oursPlots()})
	}
	return r
}
