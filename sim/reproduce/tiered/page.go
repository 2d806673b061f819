package tiered

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"aliquot/sim/report"
	"aliquot/sim/reproduce"
)

//go:embed page.html.tmpl
var pageText string

var body = template.Must(template.New("tiered").Funcs(report.Funcs).Funcs(template.FuncMap{
	// package chart escapes names
	"svg": func(p Plot) template.HTML { return template.HTML(p.Lines.SVG()) },
}).Parse(pageText))

// section is a part on the page.
type section struct {
	Part  Part
	Title string
	Plots []Plot
}

// WriteHTML writes the page.
func (b Book) WriteHTML(w io.Writer, about reproduce.About) error {
	data := struct {
		reproduce.About
		Scope         Scope
		Done, Planned int
		OneCore       float64
		Checks        []reproduce.Check
		Sections      []section
	}{About: about, Scope: b.Scope, Done: len(b.results), Planned: len(b.Scope.Experiments()), OneCore: b.seconds(),
		Checks: b.Checks()}
	for _, p := range panels {
		if slices.Contains(b.Scope.Parts, p.part) {
			data.Sections = append(data.Sections, section{p.part, p.title, b.Plots(p.part)})
		}
	}
	var text strings.Builder
	if err := body.Execute(&text, data); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return report.Page{
		Title: "Scheduling parallel jobs on two tiers, reproduced",
		Lead:  "Figures 6 to 14 of Liu et al. (Mathematical Problems in Engineering, 2012) with this program's policies, beside the paper's claims.",
		Body:  template.HTML(text.String()), // the template has escaped it
	}.Write(w)
}
