package study

import (
	"slices"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce"
)

// Plot is one diagram of a part.
type Plot struct {
	Name    string // of its file, without extension
	Caption string
	Lines   chart.Lines
	Points  []Point
}

// Point is a point of a series with its interval.
type Point struct {
	Series string
	X      float64
	reproduce.Mean
}

// Add adds a point to a series, unless it was not run.
func (p *Plot) Add(series string, x float64, m reproduce.Mean) {
	if m.N == 0 {
		return
	}
	p.Points = append(p.Points, Point{series, x, m})
	i := slices.IndexFunc(p.Lines.Series, func(s chart.Series) bool { return s.Name == series })
	if i < 0 {
		i = len(p.Lines.Series)
		p.Lines.Series = append(p.Lines.Series, chart.Series{Name: series})
	}
	s := &p.Lines.Series[i]
	s.X, s.Y = append(s.X, x), append(s.Y, m.Value)
	low := m.Low()
	if p.Lines.Y.Log { // needs a floor
		low = max(low, m.Value/10)
	}
	if m.N > 1 {
		s.Low, s.High = append(s.Low, low), append(s.High, m.High())
	}
}
