package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"aliquot/sim/chart"
	"aliquot/sim/sweep"
	"aliquot/wording"
)

//go:embed compare.html.tmpl
var compareText string

var compareBody = template.Must(template.New("compare").Funcs(Funcs).Parse(compareText))

// Funcs are the functions with which templates of reports format numbers and reasons.
var Funcs = template.FuncMap{"number": wording.Number, "explain": Explain, "span": wording.Span}

// shownMeasure is a section of the page.
type shownMeasure struct {
	sweep.Measure
	Figure template.HTML
	Lines  []Line
}

// WriteHTML writes the comparison as one page.
func (c Comparison) WriteHTML(w io.Writer) error {
	data := struct {
		Comparison
		Summary  [][]string
		Measures []shownMeasure
		Decile   []int
	}{Comparison: c, Summary: c.Summary(), Decile: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	for _, m := range c.Known() {
		lines := c.Lines(m)
		// package chart escapes names
		data.Measures = append(data.Measures, shownMeasure{m, template.HTML(boxes(m, lines).SVG()), lines})
	}
	var body strings.Builder
	if err := compareBody.Execute(&body, data); err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	traces := 0
	for _, g := range c.Groups {
		traces = max(traces, len(g.Results))
	}
	return Page{
		Title: "Comparison of policies", Body: template.HTML(body.String()), // the template has escaped it
		Lead: fmt.Sprintf(
			"%s over up to %s. Every mean comes with its median, with its deciles from ten traces on, and with at most ten worst traces, each with an explanation.",
			wording.Count(len(c.Groups), "policy", "policies"), wording.Count(traces, "trace")),
	}.Write(w)
}

// boxes returns a measure's figure.
func boxes(m sweep.Measure, lines []Line) chart.Boxes {
	b := chart.Boxes{Title: m.Title, X: chart.Axis{Title: m.Title, Log: m.Log}}
	for _, l := range lines {
		row := chart.Row{Name: l.Name, Deciles: l.Deciles, Mean: l.Mean, Empty: l.N == 0, Few: l.Few()}
		for _, e := range l.Worst {
			row.Extremes = append(row.Extremes, e.Value)
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}
