package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Gantt is a figure of bars in rows over time.
type Gantt struct {
	Title string
	X     Axis
	Note  string // beside the axis: the omitted parts; may be empty
	Rows  []string
	Keys  []Key // the legend of the colours
	Bars  []Bar
}

// Key is the legend of a colour.
type Key struct {
	Hue  int
	Name string
}

// Bar is a period in a row.
type Bar struct {
	Row       int
	From, To  float64
	Low, High float64 // of the row's height, from 0 to 1, growing upwards
	Hue       int     // bars with equal hues look alike
	Name      string  // shown on hover
	Idle      bool    // held without use: hatched
	Faint     bool    // unimportant: grey
}

const (
	ganttWidth, ganttLeft, ganttRight, ganttTop, ganttLow = 1000.0, 86.0, 16.0, 22.0, 44.0
	ganttHeight                                           = 900.0 // height shared by all rows when there are many
)

// SVG draws the figure. Rows become thinner as their number grows.
func (g Gantt) SVG() string {
	each := math.Max(4, math.Min(46, math.Floor(ganttHeight/float64(max(1, len(g.Rows))))))
	bottom := ganttTop + each*float64(len(g.Rows))
	keys, tall := g.keys(bottom + ganttLow)
	c := newCanvas(ganttWidth, bottom+ganttLow+tall, g.Title)
	c.add(
		`<defs><pattern id="aqh" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="5" class="sb" stroke-width="3"/></pattern></defs>`)
	c.text(ganttLeft, ganttTop-8, "", g.Title)
	c.text(ganttWidth-ganttRight, ganttTop-8, `class="t" text-anchor="end"`,
		"thick as its share; hatched: held without progress")
	x := g.X.scaled(g.times(), ganttLeft, ganttWidth-ganttRight)
	for _, t := range x.ticks {
		c.line(x.at(t), ganttTop, x.at(t), bottom, `class="sg"`)
		c.text(x.at(t), bottom+15, `class="t" text-anchor="middle"`, label(t))
	}
	c.text((x.from+x.to)/2, bottom+35, `text-anchor="middle"`, g.X.Title)
	c.text(ganttWidth-ganttRight, bottom+35, `class="t" text-anchor="end"`, g.Note)
	c.add("%s", keys)
	every := int(math.Ceil(12 / each))
	for i, name := range g.Rows {
		y := ganttTop + each*float64(i)
		if each > 8 {
			c.line(x.from, y, x.to, y, `class="sg"`)
		}
		if i%every == 0 {
			c.text(ganttLeft-6, y+each/2+4, `class="t" text-anchor="end"`, name)
		}
	}
	fine := grains{}
	for _, b := range g.Bars {
		g.bar(c, fine, b, x, ganttTop+each*float64(b.Row+1), each*.94)
	}
	fine.draw(c)
	return c.done()
}

func (g Gantt) times() (times []float64) {
	for _, b := range g.Bars {
		times = append(times, b.From, b.To)
	}
	return times
}

// bar draws a rectangle, hatched if it is idle. A bar too narrow for hovering becomes a grain.
func (g Gantt) bar(c *canvas, fine grains, b Bar, x scale, floor, height float64) {
	left, width := x.at(b.From), math.Max(.4, x.at(b.To)-x.at(b.From))
	top, tall := floor-height*b.High, math.Max(.4, height*(b.High-b.Low))
	opacity, fill := shade(b.Hue)
	if b.Faint {
		fill = "g"
	}
	if width < 1 {
		fine.add(fmt.Sprintf(`class="f%s" opacity="%s"`, fill, opacity), left, top, width, tall)
		if b.Idle {
			fine.add(hatched, left, top, width, tall)
		}
		return
	}
	c.add(
		`<rect x="%s" y="%s" width="%s" height="%s" class="f%s sb" opacity="%s" stroke-width=".4"><title>%s</title></rect>`,
		f(left), f(top), f(width), f(tall), fill, opacity, esc(b.Name))
	if b.Idle {
		c.add(`<rect x="%s" y="%s" width="%s" height="%s" %s pointer-events="none"/>`, f(left), f(top), f(width),
			f(tall), hatched)
	}
}

const hatched = `fill="url(#aqh)"`

// grains are bars less than a pixel wide. Long streams have hundreds of thousands of them, so those
// that look alike share one path, without names.
type grains map[string]*strings.Builder // outlines by attributes

func (g grains) add(attributes string, left, top, width, tall float64) {
	if g[attributes] == nil {
		g[attributes] = &strings.Builder{}
	}
	fmt.Fprintf(g[attributes], "M%s %sh%sv%sh-%sz", f(left), f(top), f(width), f(tall), f(width))
}

// draw draws the grains, first the coloured and then the hatched ones.
func (g grains) draw(c *canvas) {
	for _, attributes := range slices.Sorted(maps.Keys(g)) {
		c.add(`<path %s d="%s"/>`, attributes, g[attributes])
	}
}

// Shades is the number of distinguishable hues of bars.
const Shades = 3 * hues

// shade returns the fill of the bars of a hue.
func shade(hue int) (opacity, fill string) {
	return []string{".95", ".7", ".5"}[hue/hues%3], strconv.Itoa(hue % hues)
}

// keys draws the legend below the figure, and returns its height.
func (g Gantt) keys(top float64) (drawn string, tall float64) {
	const square, letter, line = 10.0, 6.5, 17.0
	c, x, y := &canvas{}, ganttLeft, top
	for _, k := range g.Keys {
		width := square + 20 + letter*float64(len(k.Name))
		if x+width > ganttWidth-ganttRight && x > ganttLeft {
			x, y = ganttLeft, y+line
		}
		opacity, fill := shade(k.Hue)
		c.add(`<rect x="%s" y="%s" width="%s" height="%s" class="f%s" opacity="%s"/>`, f(x), f(y), f(square), f(square),
			fill, opacity)
		c.text(x+square+4, y+square-1, `class="t"`, k.Name)
		x += width
	}
	if len(g.Keys) == 0 {
		return "", 0
	}
	return c.String(), y + line - top
}
