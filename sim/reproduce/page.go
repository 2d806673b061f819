package reproduce

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"aliquot/sim/report"
	"aliquot/wording"
)

//go:embed page.html.tmpl
var pageText string

var body = template.Must(template.New("reproduce").Funcs(report.Funcs).Funcs(template.FuncMap{"svg": svg,
	"ratio": ratio, "jobs": func(n int) string { return wording.Count(n, "job") }}).Parse(pageText))

func svg(p Plot) template.HTML { return template.HTML(p.SVG()) } // package chart escapes names

// ratio formats our number over the report's.
func ratio(r *float64) string {
	if r == nil {
		return "–"
	}
	return "×" + wording.Number(*r)
}

// LogJobs is the number of jobs of the HPC2N log, version 2.2-cln, that ran.
const LogJobs = 202_871

// About describes the run as a whole, for the page.
type About struct {
	Command  string   // command that repeats the run
	Version  string   // version of the program
	LogJobs  int      // number of jobs in the given log; 0: no log was given
	Failures []string // failed experiments with their errors
}

// AnotherLog reports whether a log was given and is not the report's.
func (a About) AnotherLog() bool { return a.LogJobs != 0 && a.LogJobs != LogJobs }

// section is a part on the page.
type section struct {
	Part   Part
	Title  string
	Intro  string
	Tables []Table
	Plots  []Plot
	Claims []Claim
}

var titles = map[Part][2]string{
	Table2: {"Table 2: degradation from bound",
		"The maximum stretch over the bound on what any schedule could reach, with a penalty of 5 minutes and a period of 10. The bound is too low by an unknown factor, for ours as for theirs."},
	Figure1: {"Figure 1: degradation against load", ""},
	Times: {"Section 6.2: how long decisions take",
		"MCB8 * runs MCB8 on every submission and completion, more often than any other. Ours are times of the whole decision, allocation included, on the machine that made this page, by its wall clock, so that whatever else it does shows in the maxima; theirs are of MCB8 in Python on a 3.2 GHz Xeon of its day."},
	Table3: {"Table 3: preemptions and migrations",
		"Averages, and the maximum over traces. A preemption is a job that resumes after a gap; a migration is one whose nodes changed without a gap."},
	Table4: {"Table 4: normalized underutilization",
		"What could have been used and was not, over what the jobs needed. Only progress counts as use."},
	Figure3: {"Figure 3: underutilization against the period",
		"EASY has no period; its level is drawn for comparison, for the variant of the report's numbers and for the standard one."},
	Figure4: {"Figure 4: degradation against the period", ""},
	AppendixB: {"Appendix B: longer periods, and bandwidth",
		"The report shows these as figures without numbers; section 6.4.2 says what they show."},
	Table5: {"Table 5: all variants on the HPC2N weeks", ""},
}

// WriteHTML writes the page.
func (b Book) WriteHTML(w io.Writer, about About) error {
	data := struct {
		About
		Full              bool
		HasLog            bool
		Done, Planned     int
		OneCore           float64
		Checks            []Check
		Sections          []section
		Differences       []Difference
		Decile            []int
		EASYOfPaper, Best string
	}{
		About: about, Full: b.Scope.Full, HasLog: len(b.Scope.Weeks) > 0, Done: b.count(),
		Planned: len(b.Scope.Experiments()), OneCore: b.seconds(),
		Checks: b.Checks(), Sections: b.sections(), Differences: b.differences(), Decile: []int{1, 2, 3, 4, 5, 6, 7, 8, 9},
		EASYOfPaper: EASYOfPaper, Best: Best,
	}
	var text strings.Builder
	if err := body.Execute(&text, data); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return report.Page{
		Title: "Dynamic fractional resource scheduling vs. batch scheduling, reproduced",
		Lead:  "Tables and figures of Casanova, Stillwell and Vivien (INRIA RR-7659, 2011), with this program's numbers beside the report's.",
		Body:  template.HTML(text.String()), // the template has escaped it
	}.Write(w)
}

func (b Book) sections() (sections []section) {
	for _, p := range b.Scope.Parts {
		sections = append(sections, section{p, titles[p][0], titles[p][1], b.Tables(p), b.Plots(p), b.Claims(p)})
	}
	return sections
}
