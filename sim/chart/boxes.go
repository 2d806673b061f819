package chart

import "slices"

// Boxes is a figure of distributions, one below the other, over a common axis.
type Boxes struct {
	Title string
	X     Axis
	Rows  []Row
}

// Row is one distribution.
type Row struct {
	Name      string
	Deciles   [11]float64
	Mean      float64
	Extremes  []float64 // shown as dots
	Reference float64   // a value for comparison with the mean; 0: none
	Empty     bool      // there are no values: the figure says so
	Few       bool      // too few values for deciles: the figure shows dots and no bar
}

const (
	boxesWidth, boxesName, boxesRight, boxesTop, boxesRow, boxesLow = 860.0, 250.0, 24.0, 30.0, 21.0, 44.0
)

// SVG draws the figure: a thin line from the first to the ninth decile, a thick one from the third to
// the seventh, the median as a gap, the mean as a disc, the reference as a hollow diamond, the
// extremes as small dots.
func (b Boxes) SVG() string {
	height := boxesTop + boxesRow*float64(len(b.Rows)) + boxesLow
	c := newCanvas(boxesWidth, height, b.Title)
	x := b.X.scaled(b.values(), boxesName+8, boxesWidth-boxesRight)
	bottom := height - boxesLow
	for _, t := range x.ticks {
		c.line(x.at(t), boxesTop-6, x.at(t), bottom, `class="sg"`)
		c.text(x.at(t), bottom+15, `class="t" text-anchor="middle"`, label(t))
	}
	c.text((x.from+x.to)/2, bottom+35, `text-anchor="middle"`, b.X.Title)
	b.legend(c)
	for i, r := range b.Rows {
		b.row(c, r, x, boxesTop+boxesRow*(float64(i)+.5))
	}
	return c.done()
}

func (b Boxes) values() (values []float64) {
	for _, r := range b.Rows {
		if !r.Empty {
			values = append(append(values, r.Deciles[1:10]...), r.Mean)
			values = append(values, r.Extremes...)
		}
		if r.Reference != 0 {
			values = append(values, r.Reference)
		}
	}
	return values
}

func (b Boxes) row(c *canvas, r Row, x scale, y float64) {
	c.text(boxesName, y+4, `text-anchor="end"`, r.Name)
	if r.Empty {
		c.text(boxesName+14, y+4, `class="t"`, "not run")
	} else {
		if !r.Few {
			b.bar(c, r.Deciles[1], r.Deciles[9], x, y, 1.5)
			b.bar(c, r.Deciles[3], r.Deciles[7], x, y, 7)
		}
		for _, v := range r.Extremes {
			if b.X.shown(v) {
				c.add(`<circle cx="%s" cy="%s" r="1.8" class="f0" opacity=".45"/>`, f(x.at(v)), f(y))
			}
		}
		if m := r.Deciles[5]; b.X.shown(m) {
			c.line(x.at(m), y-5, x.at(m), y+5, `class="sb" stroke-width="2.4"`)
			c.line(x.at(m), y-5, x.at(m), y+5, `class="si"`)
		}
		if b.X.shown(r.Mean) {
			c.add(`<circle cx="%s" cy="%s" r="4" class="f1 sb"/>`, f(x.at(r.Mean)), f(y))
		}
	}
	if r.Reference != 0 && b.X.shown(r.Reference) {
		c.add(`<path d="M0 -6l6 6-6 6-6-6z" transform="translate(%s %s)" fill="none" class="si" stroke-width="1.3"/>`,
			f(x.at(r.Reference)), f(y))
	}
}

func (b Boxes) bar(c *canvas, low, high float64, x scale, y, width float64) {
	if b.X.shown(low) && b.X.shown(high) {
		c.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" class="s0" stroke-width="%s" opacity=".75"/>`, f(x.at(low)), f(y),
			f(x.at(high)), f(y), f(width))
	}
}

// legend explains the marks in a line above the figure.
func (b Boxes) legend(c *canvas) {
	const y = 12.0
	c.line(boxesName+8, y, boxesName+30, y, `class="s0" stroke-width="1.5"`)
	c.line(boxesName+14, y, boxesName+24, y, `class="s0" stroke-width="7"`)
	at := boxesName + 36
	c.text(at, y+4, `class="t"`, "deciles 1–9 and 3–7, median")
	at += 178
	c.add(`<circle cx="%s" cy="%s" r="4" class="f1"/>`, f(at), f(y))
	c.text(at+8, y+4, `class="t"`, "mean")
	at += 62
	if slices.ContainsFunc(b.Rows, func(r Row) bool { return r.Reference != 0 }) {
		c.add(`<path d="M0 -6l6 6-6 6-6-6z" transform="translate(%s %s)" fill="none" class="si"/>`, f(at), f(y))
		c.text(at+10, y+4, `class="t"`, "mean in the report")
		at += 120
	}
	c.add(`<circle cx="%s" cy="%s" r="1.8" class="f0" opacity=".6"/>`, f(at), f(y))
	c.text(at+7, y+4, `class="t"`, "worst traces")
}
