package provisioning

import (
	_ "embed"

	"aliquot/sim/reproduce/study"
)

//go:embed page.html.tmpl
var pageText string

var text = study.Text(pageText)

// Report returns the page and the tables.
func (b Book) Report() study.Report {
	r := study.Report{
		Title: "Provisioning of workflows, reproduced",
		Lead:  "Chapters 3, 4, 5 and 7 of Singh's thesis (2008) with this program's slots, prices and plans, beside the thesis' claims.",
		Text:  text, Scope: b.Scope, Full: b.Scope.Full, Done: len(b.results), Planned: len(b.Scope.Experiments()),
		OneCore: b.results.Sum(func(r Result) float64 { return r.Seconds }), Checks: b.Checks(),
	}
	for _, p := range b.Scope.Parts {
		r.Sections = append(r.Sections, study.Section{Part: string(p), Title: titles[p], Plots: b.plots(p)})
	}
	return r
}
