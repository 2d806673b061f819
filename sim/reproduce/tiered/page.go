package tiered

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
		Title: "Scheduling parallel jobs on two tiers, reproduced",
		Lead:  "Figures 6 to 14 of Liu et al. (Mathematical Problems in Engineering, 2012) with this program's policies, beside the paper's claims.",
		Text:  text, Scope: b.Scope, Full: b.Scope.Full, Done: len(b.results), Planned: len(b.Scope.Experiments()),
		OneCore: b.results.Sum(func(r sweep.Result) float64 { return r.Seconds }), Checks: b.Checks(),
	}
	for _, p := range panels {
		if slices.Contains(b.Scope.Parts, p.part) {
			r.Sections = append(r.Sections, study.Section{Part: string(p.part), Title: p.title, Plots: b.Plots(p.part)})
		}
	}
	return r
}
