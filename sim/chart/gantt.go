package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Gantt is a figure of what holds which row during which time.
type Gantt struct {
	Title string
	X     Axis
	Note  string // beside the axis: what is not shown; may be empty
	Rows  []string
	Keys  []Key // the bars that a colour stands for
	Bars  []Bar
}

// Key says what is drawn in a colour.
type Key struct {
	Hue  int
	Name string
}

// Bar is a stretch of time in a row.
type Bar struct {
	Row       int
	From, To  float64
	Low, High float64 // of the row's height, from 0 to 1, growing upwards
	Hue       int     // equal ones are drawn alike
	Name      string  // shown when pointed at
	Idle      bool    // held without use: drawn hatched
	Faint     bool    // beside the point: drawn in grey
}

const (
	ganttWidth, ganttLeft, ganttRight, ganttTop, ganttLow = 1000.0, 86.0, 16.0, 22.0, 44.0
	ganttHeight                                           = 900.0 // what many rows share
)

// SVG draws the figure; rows become thinner the more there are.
func (g Gantt) SVG() string {
	each := math.Max(4, math.Min(46, math.Floor(ganttHeight/float64(max(1, len(g.Rows))))))
	bottom := ganttTop + each*float64(len(g.Rows))
	keys, tall := g.keys(bottom + ganttLow)
	c := newCanvas(ganttWidth, bottom+ganttLow+tall, g.Title)
	c.add(`<defs><pattern id="aqh" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="5" class="sb" stroke-width="3"/></pattern></defs>`)
	c.text(ganttLeft, ganttTop-8, "", g.Title)
	c.text(ganttWidth-ganttRight, ganttTop-8, `class="t" text-anchor="end"`, "thick as its share; hatched: held without progress")
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

// bar draws one: a rectangle, hatched where nothing is done with what is held. One that is too narrow to be pointed at
// becomes a grain.
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
	c.add(`<rect x="%s" y="%s" width="%s" height="%s" class="f%s sb" opacity="%s" stroke-width=".4"><title>%s</title></rect>`,
		f(left), f(top), f(width), f(tall), fill, opacity, esc(b.Name))
	if b.Idle {
		c.add(`<rect x="%s" y="%s" width="%s" height="%s" %s pointer-events="none"/>`, f(left), f(top), f(width), f(tall), hatched)
	}
}

const hatched = `fill="url(#aqh)"`

// grains are bars that are less than a pixel wide. Long streams have hundreds of thousands of them, so those that look alike
// are one path, without names.
type grains map[string]*strings.Builder // outlines by attributes

func (g grains) add(attributes string, left, top, width, tall float64) {
	if g[attributes] == nil {
		g[attributes] = &strings.Builder{}
	}
	fmt.Fprintf(g[attributes], "M%s %sh%sv%sh-%sz", f(left), f(top), f(width), f(tall), f(width))
}

// draw draws them, colours first and then what is hatched.
func (g grains) draw(c *canvas) {
	for _, attributes := range slices.Sorted(maps.Keys(g)) {
		c.add(`<path %s d="%s"/>`, attributes, g[attributes])
	}
}

// Shades is how many hues of bars can be told apart.
const Shades = 3 * hues

// shade is what the bars of a hue are filled with.
func shade(hue int) (opacity, fill string) {
	return []string{".95", ".7", ".5"}[hue/hues%3], strconv.Itoa(hue % hues)
}

// keys draws the legend below the figure, and returns how tall it is.
func (g Gantt) keys(top float64) (drawn string, tall float64) {
	const square, letter, line = 10.0, 6.5, 17.0
	c, x, y := &canvas{}, ganttLeft, top
	for _, k := range g.Keys {
		width := square + 20 + letter*float64(len(k.Name))
		if x+width > ganttWidth-ganttRight && x > ganttLeft {
			x, y = ganttLeft, y+line
		}
		opacity, fill := shade(k.Hue)
		c.add(`<rect x="%s" y="%s" width="%s" height="%s" class="f%s" opacity="%s"/>`, f(x), f(y), f(square), f(square), fill, opacity)
		c.text(x+square+4, y+square-1, `class="t"`, k.Name)
		x += width
	}
	if len(g.Keys) == 0 {
		return "", 0
	}
	return c.String(), y + line - top
}
