package reserve

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"aliquot/sim/report"
	"aliquot/sim/reproduce"
)

//go:embed page.html.tmpl
var pageText string

var body = template.Must(template.New("reserve").Funcs(report.Funcs).Parse(pageText))

// section is a part on the page.
type section struct {
	Part   Part
	Title  string
	Figure template.HTML // empty: not run
	Heads  []string
	Rows   [][]string
}

func (b Book) section(p panel) section {
	s := section{Part: p.part, Title: p.title, Heads: []string{p.axis.title}}
	if lines := b.diagram(p); len(lines.Series) > 0 {
		s.Figure = template.HTML(lines.SVG()) // package chart escapes names
	}
	s.Heads = append(s.Heads, policies...)
	for _, at := range p.points {
		row := []string{fmt.Sprint(p.value(at))}
		for _, name := range policies {
			row = append(row, fmt.Sprintf("%.4f ± %.4f", b.mean(at, name, p.measure).Value, b.mean(at, name, p.measure).Half))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
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
	for _, p := range b.panels() {
		data.Sections = append(data.Sections, b.section(p))
	}
	var text strings.Builder
	if err := body.Execute(&text, data); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return report.Page{
		Title: "Advance reservation with deadlines, reproduced",
		Lead:  "Figures 2 to 7 of Li et al., \"Resource Availability-Aware Advance Reservation for Parallel Jobs with Deadlines\", with this program's policies, beside the paper's claims.",
		Body:  template.HTML(text.String()), // the template has escaped it
	}.Write(w)
}
