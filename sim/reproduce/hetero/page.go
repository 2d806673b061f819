package hetero

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
		Title: "Jobs on unlike machines, reproduced",
		Lead:  "The four case studies of Collins and George (Simulation, 2001) with this program's OLB, SJS and PJS, beside the paper's claims.",
		Text:  text, Scope: b.Scope, Full: b.Scope.Full, Done: len(b.results), Planned: len(b.Scope.Experiments()),
		OneCore: b.results.Sum(seconds), Checks: b.Checks(),
	}
	for _, p := range b.Scope.Parts {
		r.Sections = append(r.Sections, study.Section{Part: string(p), Title: titles[p], Plots: b.plots(p)})
	}
	return r
}
