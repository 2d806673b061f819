package reserve

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce"
	"aliquot/sim/sweep"
)

// diagram returns the figure of a panel; without series if nothing was run.
func (b Book) diagram(p panel) chart.Lines {
	first, last := p.points[0], p.points[len(p.points)-1]
	lines := chart.Lines{Title: p.title, X: chart.Axis{Title: p.axis.title, Low: p.value(first), High: p.value(last)},
		Y: chart.Axis{Title: p.name}}
	for _, name := range policies {
		s := chart.Series{Name: name}
		for _, at := range p.points {
			if m := b.mean(at, name, p.measure); m.N > 0 {
				s.X, s.Y, s.Low, s.High = append(s.X, p.value(at)), append(s.Y, m.Value), append(s.Low, m.Low()), append(s.High,
					m.High())
			}
		}
		if len(s.X) > 0 {
			lines.Series = append(lines.Series, s)
		}
	}
	return lines
}

// panels returns the panels of the scope.
func (b Book) panels() []panel {
	return slices.DeleteFunc(slices.Clone(panels), func(p panel) bool { return !slices.Contains(b.Scope.Parts, p.part) })
}

// Figures returns all diagrams as SVG, by the names of their files without extension.
func (b Book) Figures() map[string]string {
	figures := map[string]string{}
	for _, p := range b.panels() {
		if lines := b.diagram(p); len(lines.Series) > 0 {
			figures[string(p.part)] = lines.SVG()
		}
	}
	return figures
}

// WritePoints writes every point of the diagrams with its interval.
func (b Book) WritePoints(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"figure", "policy", "at", "streams", "mean", "low", "high"}) // Flush returns the error
	for _, p := range b.panels() {
		for _, name := range policies {
			for _, at := range p.points {
				if m := b.mean(at, name, p.measure); m.N > 0 {
					_ = out.Write([]string{string(p.part), name, sweep.Number(p.value(at)), strconv.Itoa(m.N), sweep.Number(m.Value),
						sweep.Number(m.Low()), sweep.Number(m.High())})
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// WriteClaims writes the paper's claims with our results.
func (b Book) WriteClaims(w io.Writer) error { return reproduce.WriteChecks(w, b.Checks()) }
