package reproduce

import (
	"fmt"
	"slices"

	"aliquot/sim/chart"
	"aliquot/sim/report"
	"aliquot/sim/sweep"
)

// Plot is our version of a figure of the report.
type Plot struct {
	Name    string // name of its file, without extension
	Caption string
	Lines   chart.Lines
	Panels  []family // groups of series that are drawn together; nil: all are
	Points  []Point
	Run     bool // at least one point exists
}

// SVG draws the figure.
func (p Plot) SVG() string {
	if p.Panels == nil {
		return p.Lines.SVG()
	}
	c := chart.Panels{Title: p.Lines.Title, X: p.Lines.X, Y: p.Lines.Y}
	for _, f := range p.Panels {
		panel := chart.Panel{Title: f.title}
		for _, s := range p.Lines.Series {
			if slices.Contains(f.names, s.Name) {
				panel.Series = append(panel.Series, s)
			}
		}
		c.Panels = append(c.Panels, panel)
	}
	return c.SVG()
}

// Point is a point of a plot with its results.
type Point struct {
	Series string
	X      float64
	sweep.Distribution
	measure sweep.Measure
}

// Explain explains one of the point's worst traces.
func (p Point) Explain(r sweep.Result) string { return report.Explain(p.measure, r) }

// Plots returns the figures of a part.
func (b Book) Plots(p Part) (plots []Plot) {
	switch p {
	case Figure1:
		return []Plot{b.figure1()}
	case Figure3:
		for _, set := range periodicSets {
			plots = append(plots, b.utilization("figure3-"+string(set), set, figurePeriods))
		}
		plots = append(plots, b.utilization("figure3-log", Log, slices.Concat([]float64{usual}, logPeriods)))
	case Figure4:
		return []Plot{b.figure4()}
	case AppendixB:
		all := slices.Concat(figurePeriods, beyondPeriods)
		for _, set := range periodicSets {
			plots = append(plots, b.utilization("appendixb-"+string(set), set, all))
		}
		plots = append(plots, b.bandwidths(all))
	}
	return plots
}

// add adds a point to the plot, unless nothing was run for it.
func (p *Plot) add(series string, x float64, m sweep.Measure, results []sweep.Result) {
	d := sweep.Distribute(results, m)
	if d.N == 0 {
		return
	}
	p.Run = true
	p.Points = append(p.Points, Point{series, x, d, m})
	i := slices.IndexFunc(p.Lines.Series, func(s chart.Series) bool { return s.Name == series })
	if i < 0 {
		i = len(p.Lines.Series)
		p.Lines.Series = append(p.Lines.Series, chart.Series{Name: series})
	}
	s := &p.Lines.Series[i]
	s.X, s.Y = append(s.X, x), append(s.Y, d.Mean)
}

// band adds the range of the middle eight tenths of the traces to a series.
func (p *Plot) band(series string) {
	for i := range p.Lines.Series {
		if s := &p.Lines.Series[i]; s.Name == series {
			for _, point := range p.Points {
				if point.Series == series {
					s.Low, s.High = append(s.Low, point.Deciles[1]), append(s.High, point.Deciles[9])
				}
			}
		}
	}
}

func (b Book) figure1() Plot {
	p := Plot{Name: "figure1",
		Caption: "Average degradation from bound against offered load, scaled synthetic traces; in grey, the algorithms of the other plots. The report plots the same algorithms but the standard EASY; its values are not given as numbers.",
		Lines: chart.Lines{Title: "Figure 1", X: chart.Axis{Title: "offered load", Low: .1, High: .9},
			Y: chart.Axis{Title: "average degradation from bound", Log: true}},
		Panels: figure1}
	for _, name := range figure1Names() {
		results := b.results(Scaled, name, usual)
		byLoad := map[int][]sweep.Result{}
		for i, f := range b.scaled(name) {
			byLoad[f.Tenth] = append(byLoad[f.Tenth], results[i])
		}
		for tenth := 1; tenth <= loadLevels; tenth++ {
			p.add(name, float64(tenth)/10, measure("degradation"), byLoad[tenth])
		}
	}
	return p
}

// scaled returns an algorithm's findings on scaled traces.
func (b Book) scaled(algorithm string) (findings []Finding) {
	for _, f := range b.findings[question{algorithm, usual}] {
		if f.In(Scaled) {
			findings = append(findings, f)
		}
	}
	return findings
}

const periodAxis = "period, seconds"

// utilization returns the plot of underutilization against the period, with EASY for comparison: it has no period.
func (b Book) utilization(name string, set Set, periods []float64) Plot {
	p := Plot{Name: name,
		Caption: fmt.Sprintf(
			"Average normalized underutilization against the period, %s; the band holds the middle eight tenths of the traces.",
			set.Title()),
		Lines: chart.Lines{Title: "Underutilization, " + set.Title(), X: chart.Axis{Title: periodAxis},
			Y: chart.Axis{Title: "normalized underutilization"}}}
	m := measure("underutilization")
	for _, period := range periods {
		p.add(Best, period, m, b.results(set, Best, period))
	}
	p.band(Best)
	for _, name := range []string{EASYOfPaper, EASY} {
		results := b.results(set, name, usual)
		p.add(name, periods[0], m, results)
		p.add(name, periods[len(periods)-1], m, results)
	}
	for i := range p.Lines.Series {
		p.Lines.Series[i].Reference = p.Lines.Series[i].Name != Best
	}
	return p
}

func (b Book) figure4() Plot {
	p := Plot{Name: "figure4", Caption: "Average degradation from bound against the period, " + Best +
		", all three sets of traces.",
		Lines: chart.Lines{Title: "Figure 4", X: chart.Axis{Title: periodAxis},
			Y: chart.Axis{Title: "average degradation from bound"}}}
	for _, set := range periodicSets {
		for _, period := range figurePeriods {
			p.add(set.Title(), period, measure("degradation"), b.results(set, Best, period))
		}
	}
	return p
}

func (b Book) bandwidths(periods []float64) Plot {
	p := Plot{Name: "appendixb-bandwidth",
		Caption: "Average bandwidth of preemptions and migrations against the period, " + Best + ", " +
			ScaledHigh.Title() + ".",
		Lines: chart.Lines{Title: "Bandwidth against period", X: chart.Axis{Title: periodAxis},
			Y: chart.Axis{Title: "GB/s"}}}
	for _, period := range periods {
		results := b.results(ScaledHigh, Best, period)
		p.add("together", period, bandwidth, results)
		p.add("preemptions", period, measure("preemption bandwidth"), results)
		p.add("migrations", period, measure("migration bandwidth"), results)
	}
	p.band("together")
	return p
}

// Figures returns all figures by the names of their files, without extension.
func (b Book) Figures() map[string]string {
	figures := map[string]string{}
	for _, p := range b.Scope.Parts {
		for _, plot := range b.Plots(p) {
			if plot.Run {
				figures[plot.Name] = plot.SVG()
			}
		}
		if p == Table2 {
			for i, t := range b.Tables(p) {
				if t.Figure != "" {
					figures["table2-"+string(periodicSets[i])] = string(t.Figure)
				}
			}
		}
	}
	return figures
}
