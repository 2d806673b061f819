package chart

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Colours on light and on dark ground: for the series 0, 1, ..., and for ink, soft ink, grid and
// background.
var (
	light = palette{series: [hues]string{"#0072b2", "#d55e00", "#009e73", "#b3538a", "#c98500", "#2f9bd8", "#1b1f24"},
		ink: "#1b1f24", soft: "#6a737d", grid: "#dfe3e8", back: "#ffffff"}
	dark = palette{series: [hues]string{"#58a9dc", "#f0803c", "#2fc49a", "#dd8fbb", "#edb63f", "#8ccdf2", "#e6e8eb"},
		ink: "#e6e8eb", soft: "#9aa4af", grid: "#30363d", back: "#14171a"}
)

// hues is the number of colours for series.
const hues = 7

type palette struct {
	series                [hues]string
	ink, soft, grid, back string
}

// rules returns the palette as a style sheet: f0 fills with the first series' colour, s0 strokes with
// it, and so on. They are plain classes, so that simpler programs than browsers draw them too.
func (p palette) rules() string {
	var b strings.Builder
	for i, colour := range p.series {
		fmt.Fprintf(&b, ".aq .f%d{fill:%s}.aq .s%d{stroke:%s}", i, colour, i, colour)
	}
	for _, around := range [][2]string{{"i", p.ink}, {"m", p.soft}, {"g", p.grid}, {"b", p.back}} {
		fmt.Fprintf(&b, ".aq .f%s{fill:%s}.aq .s%s{stroke:%s}", around[0], around[1], around[0], around[1])
	}
	fmt.Fprintf(&b, ".aq{background:%s}.aq text{fill:%s}.aq .t{fill:%s}", p.back, p.ink, p.soft)
	return b.String()
}

// style is part of every figure, so that each is complete in itself.
var style = "<style>.aq{font:12px system-ui,sans-serif}.aq .t{font-size:11px}" + light.rules() +
	"@media(prefers-color-scheme:dark){" + dark.rules() + "}</style>"

// canvas is a figure being drawn.
type canvas struct{ strings.Builder }

func newCanvas(width, height float64, title string) *canvas {
	c := &canvas{}
	c.add(
		`<svg class="aq" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img"><title>%s</title>%s`,
		f(width), f(height), f(width), f(height), esc(title), style)
	return c
}

func (c *canvas) add(format string, a ...any) { fmt.Fprintf(c, format+"\n", a...) }

func (c *canvas) text(x, y float64, attributes, s string) {
	c.add(`<text x="%s" y="%s" %s>%s</text>`, f(x), f(y), attributes, esc(s))
}

func (c *canvas) line(x1, y1, x2, y2 float64, attributes string) {
	c.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" %s/>`, f(x1), f(y1), f(x2), f(y2), attributes)
}

func (c *canvas) done() string { return c.String() + "</svg>\n" }

// esc makes any name safe between tags and in attributes. It drops characters that XML cannot hold.
func esc(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?")))
}

// f formats a coordinate to the tenth of a pixel.
func f(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// label formats a number for an axis: 0.05, 12, 10,000.
func label(x float64) string {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64) // removes the rounding errors of summed steps
	s := strconv.FormatFloat(x, 'f', -1, 64)
	whole, part, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		return whole + "." + part
	}
	return whole
}
