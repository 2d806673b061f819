package tiered

import (
	"fmt"
	"slices"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
)

// Plots returns the diagrams of a part.
func (b Book) Plots(part Part) (plots []study.Plot) {
	p := panels[slices.IndexFunc(panels, func(p panel) bool { return p.part == part })]
	switch part {
	case "fig8":
		return []study.Plot{b.migrationPlot(p)}
	case "fig13", "fig14":
		return []study.Plot{b.costPlot(p, response), b.costPlot(p, slowdown)}
	case Readings:
		for _, w := range Workloads {
			plots = append(plots, b.readingPlot(p, w, response), b.readingPlot(p, w, slowdown))
		}
		return plots
	case Ours:
		return b.oursPlots(p)
	}
	return []study.Plot{b.loadPlot(p, response), b.loadPlot(p, slowdown)}
}

// loads is the axis of the scope's loads.
func (s Scope) loads() chart.Axis {
	all := s.Tenths()
	return chart.Axis{Title: "offered load", Low: float64(all[0]) / 10, High: float64(all[len(all)-1]) / 10}
}

// words returns the short name and the axis of a measure.
func words(m sweep.Measure) (name, axis string) {
	if m.Name == response.Name {
		return "response", "mean response time, seconds"
	}
	return "slowdown", "mean bounded slowdown"
}

// loadPlot shows a measure of all variants against the load.
func (b Book) loadPlot(p panel, m sweep.Measure) study.Plot {
	name, axis := words(m)
	plot := study.Plot{Name: fmt.Sprintf("%s-%s", p.part, name),
		Caption: fmt.Sprintf("%s: %s. Bands hold the mean with 95%% confidence.", p.title, axis),
		Lines: chart.Lines{Title: p.title, X: b.Scope.loads(),
			Y: chart.Axis{Title: axis, Log: slices.Contains(p.variants, plain(fcfs))}}}
	for _, v := range p.variants {
		for _, at := range b.places(p.workloads[0], p.fullUse) {
			plot.Add(v.String(), float64(at.tenth)/10, b.mean(at, v, m))
		}
	}
	return plot
}

func (b Book) migrationPlot(p panel) study.Plot {
	plot := study.Plot{Name: string(p.part), Caption: "Migrations per job under MEASY.",
		Lines: chart.Lines{Title: p.title, X: b.Scope.loads(), Y: chart.Axis{Title: "migrations per job"}}}
	for _, w := range p.workloads {
		for _, at := range b.places(w, false) {
			plot.Add(string(w), float64(at.tenth)/10, b.mean(at, plain(measy), migrations))
		}
	}
	return plot
}

// costPlot shows MEASY over KEASY against the cost of a migration: below 1, migrating is better than killing.
func (b Book) costPlot(p panel, m sweep.Measure) study.Plot {
	name, _ := words(m)
	plot := study.Plot{Name: fmt.Sprintf("%s-%s", p.part, name),
		Caption: fmt.Sprintf("%s: mean %s under MEASY over that under KEASY on the same streams, by load.", p.title, name),
		Lines: chart.Lines{Title: p.title, X: chart.Axis{Title: "cost of a migration, seconds", Log: true},
			Y: chart.Axis{Title: "MEASY over KEASY, " + name}}}
	for _, at := range b.places(p.workloads[0], false) {
		for _, cost := range costs {
			plot.Add(fmt.Sprintf("load 0.%d", at.tenth), cost, b.ratio(at, costing(measy, cost), plain(keasy), m))
		}
	}
	return plot
}

// readingPlot shows a measure over EASY's on the same streams against the load, for all readings.
func (b Book) readingPlot(p panel, w Workload, m sweep.Measure) study.Plot {
	name, _ := words(m)
	plot := study.Plot{Name: fmt.Sprintf("%s-%s-%s", p.part, w, name),
		Caption: fmt.Sprintf("Readings, %s: mean %s over EASY's on the same streams.", w, name),
		Lines: chart.Lines{Title: "Readings, " + string(w), X: b.Scope.loads(),
			Y: chart.Axis{Title: name + " over EASY's"}}}
	for _, v := range p.variants[1:] {
		for _, at := range b.places(w, false) {
			plot.Add(v.String(), float64(at.tenth)/10, b.ratio(at, v, plain(easy), m))
		}
	}
	for i := range plot.Lines.Series { // so many bands would hide the lines
		plot.Lines.Series[i].Low, plot.Lines.Series[i].High = nil, nil
	}
	return plot
}
