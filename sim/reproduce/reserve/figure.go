package reserve

import (
	"slices"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce/study"
)

// plot returns the diagram of a panel.
func (b Book) plot(p panel) study.Plot {
	first, last := p.points[0], p.points[len(p.points)-1]
	plot := study.Plot{Name: string(p.part), Caption: p.title + ". Bands hold the mean with 95% confidence.",
		Lines: chart.Lines{Title: p.title, Y: chart.Axis{Title: p.name},
			X: chart.Axis{Title: p.axis.title, Low: p.value(first), High: p.value(last)}}}
	for _, name := range policies {
		for _, at := range p.points {
			plot.Add(name, p.value(at), b.mean(at, name, p.measure))
		}
	}
	return plot
}

// panels returns the panels of the scope.
func (b Book) panels() []panel {
	return slices.DeleteFunc(slices.Clone(panels), func(p panel) bool { return !slices.Contains(b.Scope.Parts, p.part) })
}
