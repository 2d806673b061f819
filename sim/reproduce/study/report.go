package study

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"aliquot/sim/report"
	"aliquot/sim/reproduce"
	"aliquot/sim/sweep"
)

// Report is what a reproduction shows.
type Report struct {
	Title, Lead string
	Text        *template.Template // its definitions about, rule and lost; it gets the report and reproduce.About
	Scope       any                // for Text
	Full        bool               // not a sample
	Done        int                // number of experiments that have been run
	Planned     int
	OneCore     float64 // seconds of work
	Checks      []reproduce.Check
	Sections    []Section
}

// Section is a part on the page.
type Section struct {
	Part  string
	Title string
	Plots []Plot
}

//go:embed page.html.tmpl
var pageText string

// Text returns the definitions of a paper's page, for Report.Text.
func Text(definitions string) *template.Template {
	return template.Must(template.Must(template.New("page").Funcs(report.Funcs).Funcs(template.FuncMap{
		// package chart escapes names
		"svg": func(p Plot) template.HTML { return template.HTML(p.Lines.SVG()) },
	}).Parse(pageText)).Parse(definitions))
}

// Judged returns the checks as a sample or a full run shows them: a sample shows its numbers and decides nothing.
func Judged(checks []reproduce.Check, full bool) []reproduce.Check {
	for i := range checks {
		if c := &checks[i]; !full && c.Measured != "" {
			c.Sample, c.Holds = true, false
		}
	}
	return checks
}

// WriteHTML writes the page.
func (r Report) WriteHTML(w io.Writer, about reproduce.About) error {
	var text strings.Builder
	data := struct {
		reproduce.About
		Report
	}{about, r}
	if err := r.Text.Execute(&text, data); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	// the template has escaped its text
	return report.Page{Title: r.Title, Lead: r.Lead, Body: template.HTML(text.String())}.Write(w)
}

// WriteClaims writes the claims with our results.
func (r Report) WriteClaims(w io.Writer) error { return reproduce.WriteChecks(w, r.Checks) }

// WritePoints writes every point of the plots with its interval.
func (r Report) WritePoints(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"figure", "series", "at", "streams", "mean", "low", "high"}) // Flush returns the error
	for _, s := range r.Sections {
		for _, plot := range s.Plots {
			for _, p := range plot.Points {
				_ = out.Write(append([]string{plot.Name, p.Series, sweep.Number(p.X)}, columns(p.Mean)...))
			}
		}
	}
	out.Flush()
	return out.Error()
}

// columns returns the number of streams, the mean, and both ends of the interval, empty for one stream.
func columns(m reproduce.Mean) []string {
	low, high := "", ""
	if !math.IsInf(m.Half, 0) {
		low, high = sweep.Number(m.Low()), sweep.Number(m.High())
	}
	return []string{strconv.Itoa(m.N), sweep.Number(m.Value), low, high}
}

// Figures returns all plots as SVG, by the names of their files without extension.
func (r Report) Figures() map[string]string {
	figures := map[string]string{}
	for _, s := range r.Sections {
		for _, p := range s.Plots {
			if len(p.Points) > 0 {
				figures[p.Name] = p.Lines.SVG()
			}
		}
	}
	return figures
}
