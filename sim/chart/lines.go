package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Lines is a figure of one or more series over a common axis.
type Lines struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// Series is a named line. Low and High, if set, are the ends of a band around it.
type Series struct {
	Name      string
	X, Y      []float64
	Low, High []float64
	Reference bool // for comparison: thin, dashed, without marks
}

// frame is the area of the plot in a figure. Axes are left of it and below, names to the right.
type frame struct{ left, right, top, bottom float64 }

const (
	linesWidth, linesHeight = 860.0, 400.0
	labelStep               = 15.0
)

var linesFrame = frame{64, linesWidth - 250, 14, linesHeight - 46}

// dashes distinguish overlapping lines: the lower one shows through the gaps.
var dashes = []string{"", "7 4", "2 4", "10 3 2 3"}

// SVG draws the figure.
func (l Lines) SVG() string {
	c := newCanvas(linesWidth, linesHeight, l.Title)
	x, y := l.scales(linesFrame, l.Series)
	c.grid(l.X, l.Y, x, y)
	l.plot(c, x, y)
	return c.done()
}

// plot draws the series and their names.
func (l Lines) plot(c *canvas, x, y scale) {
	for i, s := range l.Series {
		l.band(c, i, s, x, y)
	}
	for i, s := range l.Series {
		l.draw(c, i, s, x, y)
	}
	l.names(c, x, y)
}

// scales returns the axes for a frame with room for all series.
func (l Lines) scales(f frame, all []Series) (x, y scale) {
	var xs, ys []float64
	for _, s := range all {
		xs = append(xs, s.X...)
		ys = slices.Concat(ys, s.Y, s.Low, s.High)
	}
	return l.X.scaled(xs, f.left, f.right), l.Y.scaled(ys, f.bottom, f.top)
}

// grid draws both axes.
func (c *canvas) grid(xa, ya Axis, x, y scale) {
	for _, t := range y.ticks {
		c.line(x.from, y.at(t), x.to, y.at(t), `class="sg"`)
		c.text(x.from-6, y.at(t)+4, `class="t" text-anchor="end"`, label(t))
	}
	for _, t := range x.ticks {
		c.line(x.at(t), y.from, x.at(t), y.from+4, `class="sm"`)
		c.text(x.at(t), y.from+16, `class="t" text-anchor="middle"`, label(t))
	}
	c.line(x.from, y.from, x.to, y.from, `class="sm"`)
	c.text((x.from+x.to)/2, y.from+36, `text-anchor="middle"`, xa.Title)
	middle := (y.from + y.to) / 2
	left := x.from - 50
	c.text(left, middle, fmt.Sprintf(`text-anchor="middle" transform="rotate(-90 %s %s)"`, f(left), f(middle)), ya.Title)
}

// points returns the points of a series that both axes can show.
func (l Lines) points(s Series, values []float64, x, y scale) (points []string) {
	for i := range min(len(s.X), len(values)) {
		if l.X.shown(s.X[i]) && l.Y.shown(values[i]) {
			points = append(points, f(x.at(s.X[i]))+","+f(y.at(values[i])))
		}
	}
	return points
}

func (l Lines) band(c *canvas, i int, s Series, x, y scale) {
	over, under := l.points(s, s.High, x, y), l.points(s, s.Low, x, y)
	slices.Reverse(under)
	if len(over) > 0 && len(under) > 0 {
		c.add(`<polygon points="%s" class="f%d" opacity=".13"/>`, strings.Join(append(over, under...), " "), i%hues)
	}
}

func (l Lines) draw(c *canvas, i int, s Series, x, y scale) {
	points := l.points(s, s.Y, x, y)
	dash, width := cmp.Or(dashes[i%len(dashes)], "none"), "2"
	if s.Reference {
		dash, width = "3 3", "1.4"
	}
	c.add(
		`<polyline points="%s" fill="none" class="s%d" stroke-width="%s" stroke-dasharray="%s" stroke-linejoin="round"/>`,
		strings.Join(points, " "), i%hues, width, dash)
	if s.Reference {
		return
	}
	for _, p := range points {
		px, py, _ := strings.Cut(p, ",")
		c.mark(i, px, py)
	}
}

// mark draws the i-th kind of mark. Series with similar colours have different marks.
func (c *canvas) mark(i int, x, y string) {
	shape := `<circle r="3.2"`
	switch (i + i/hues) % 4 {
	case 1:
		shape = `<path d="M-3 -3h6v6h-6z"`
	case 2:
		shape = `<path d="M0 -4l4 7h-8z"`
	case 3:
		shape = `<path d="M0 -4.5l4.5 4.5-4.5 4.5-4.5-4.5z"`
	}
	c.add(`%s transform="translate(%s %s)" class="f%d sb" stroke-width=".8"/>`, shape, x, y, i%hues)
}

// names writes each series' name beside its last point. It moves overlapping names apart.
func (l Lines) names(c *canvas, x, y scale) {
	type tag struct {
		i     int
		at, y float64
	}
	var tags []tag
	for i, s := range l.Series {
		for k := min(len(s.X), len(s.Y)) - 1; k >= 0; k-- {
			if l.X.shown(s.X[k]) && l.Y.shown(s.Y[k]) {
				tags = append(tags, tag{i, y.at(s.Y[k]), y.at(s.Y[k])})
				break
			}
		}
	}
	slices.SortStableFunc(tags, func(a, b tag) int { return int(10 * (a.at - b.at)) })
	for i := 1; i < len(tags); i++ {
		tags[i].y = max(tags[i].y, tags[i-1].y+labelStep)
	}
	for i, floor := len(tags)-1, y.from; i >= 0; i, floor = i-1, floor-labelStep {
		tags[i].y = min(tags[i].y, floor)
	}
	for _, t := range tags {
		c.add(`<path d="M%s %sL%s %s" class="s%d" opacity=".6" fill="none"/>`, f(x.to+4), f(t.at), f(x.to+16),
			f(t.y), t.i%hues)
		c.text(x.to+20, t.y+4, fmt.Sprintf(`class="f%d"`, t.i%hues), l.Series[t.i].Name)
	}
}
