package chart

import (
	"slices"
	"strings"
)

// Panels is a figure of more series than one plot can distinguish: several plots side by side over the
// same axes, each with some of the series. The other series appear in each plot too, thin and grey,
// for comparison.
type Panels struct {
	Title  string
	X, Y   Axis
	Panels []Panel
}

// Panel is one plot of up to seven series.
type Panel struct {
	Title  string
	Series []Series
}

const (
	panelColumns            = 2
	panelWidth, panelHeight = 600.0, 270.0
	panelLeft, panelRight   = 64.0, 250.0
	panelTop, panelBottom   = 26.0, 46.0
)

// SVG draws the figure.
func (p Panels) SVG() string {
	var all []Series
	for _, panel := range p.Panels {
		all = append(all, panel.Series...)
	}
	rows := (len(p.Panels) + panelColumns - 1) / panelColumns
	c := newCanvas(panelColumns*panelWidth, float64(rows)*panelHeight, p.Title)
	for i, panel := range p.Panels {
		left, top := float64(i%panelColumns)*panelWidth, float64(i/panelColumns)*panelHeight
		p.panel(c, panel, frame{left + panelLeft, left + panelWidth - panelRight, top + panelTop,
			top + panelHeight - panelBottom}, all)
	}
	return c.done()
}

func (p Panels) panel(c *canvas, panel Panel, at frame, all []Series) {
	l := Lines{X: p.X, Y: p.Y, Series: panel.Series}
	x, y := l.scales(at, all)
	c.grid(p.X, p.Y, x, y)
	c.text(at.left, at.top-10, `font-weight="600"`, panel.Title)
	for _, s := range all {
		if !slices.ContainsFunc(panel.Series, func(own Series) bool { return own.Name == s.Name }) {
			c.add(`<polyline points="%s" fill="none" class="sm" opacity=".35" stroke-width="1"/>`,
				strings.Join(l.points(s, s.Y, x, y), " "))
		}
	}
	l.plot(c, x, y)
}
