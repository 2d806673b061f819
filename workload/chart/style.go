package chart

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

var (
	ink   = color.NRGBA{R: 0x1f, G: 0x5a, B: 0xa6, A: 0xff}
	wash  = color.NRGBA{R: 0x1f, G: 0x5a, B: 0xa6, A: 0x40}
	faint = color.Gray{Y: 0xd0}
)

// headroom keeps the highest value below the title.
const headroom = 1.05

// durations are the marks of a logarithmic axis of seconds.
var durations = []plot.Tick{
	{Value: 1, Label: "1 s"}, {Value: 10, Label: "10 s"}, {Value: 60, Label: "1 min"}, {Value: 600, Label: "10 min"},
	{Value: 3600, Label: "1 h"}, {Value: 6 * 3600, Label: "6 h"}, {Value: 86400, Label: "1 day"},
	{Value: 7 * 86400, Label: "1 week"},
}

// rounds returns about five ticks at multiples of 1, 2 or 5 times a power of ten.
func rounds(low, high float64) (ticks []plot.Tick) {
	if high <= low {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/2)))
	for _, next := range []float64{2, 2.5, 2} {
		if (high-low)/step > 7 {
			step *= next
		}
	}
	for i := math.Ceil(low / step); i*step <= high; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step, 'f', -1, 32)})
	}
	return ticks
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = faint, faint
	return g
}

// bars draws counts with a label each.
func bars(p *plot.Plot, counts plotter.Values, labels []string) error {
	width := min(22, 380/float64(len(counts)))
	b, err := plotter.NewBarChart(counts, vg.Points(width))
	if err != nil {
		return err
	}
	b.Color, b.LineStyle.Width = ink, 0
	g := grid()
	g.Vertical.Width = 0
	p.Add(g, b)
	p.Y.Max *= headroom
	p.NominalX(labels...)
	return nil
}

// steps draws counts of neighbouring intervals of one width as an outline.
func steps(p *plot.Plot, counts plotter.Values, width float64) error {
	var line plotter.XYs
	for i, n := range counts {
		line = append(line, plotter.XY{X: float64(i) * width, Y: n}, plotter.XY{X: float64(i+1) * width, Y: n})
	}
	l, err := plotter.NewLine(line)
	if err != nil {
		return err
	}
	l.Color, l.FillColor = ink, wash
	p.Add(grid(), l)
	p.Y.Max *= headroom
	return nil
}
