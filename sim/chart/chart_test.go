package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// wellFormed fails if the figure is not XML.
func wellFormed(t interface{ Fatalf(string, ...any) }, svg string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	d.Strict = true
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
	}
}

const hostile = "</title><script>alert(1)</script>&\"'\x00\xff"

func TestFiguresAreWellFormedWhateverTheirDataAndNames(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1000),
		rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(1), math.Inf(-1)}))
	rapid.Check(t, func(t *rapid.T) {
		axis := Axis{Title: hostile, Log: rapid.Bool().Draw(t, "log")}
		values := rapid.SliceOfN(number, 0, 8).Draw(t, "values")
		name := rapid.OneOf(rapid.String(), rapid.Just(hostile)).Draw(t, "name")
		series := Series{Name: name, X: values, Y: values, Low: values, High: values,
			Reference: rapid.Bool().Draw(t, "reference")}
		row := Row{Name: name, Extremes: values, Mean: number.Draw(t, "mean")}
		copy(row.Deciles[:], values)
		for _, svg := range []string{
			Lines{Title: name, X: axis, Y: axis,
				Series: []Series{series, {Name: "flat", X: []float64{1, 2}, Y: []float64{3, 3}}}}.SVG(),
			Panels{Title: name, X: axis, Y: axis, Panels: []Panel{{name, []Series{series}},
				{"flat", []Series{{Name: "flat", X: []float64{1, 2}, Y: []float64{3, 3}}}}, {Title: "empty"}}}.SVG(),
			Boxes{Title: name, X: axis, Rows: []Row{row, {Name: "none", Empty: true}}}.SVG(),
			Gantt{Title: name, X: Axis{Title: hostile}, Rows: []string{name},
				Bars: []Bar{{From: 1, To: 2, High: 1, Name: name, Idle: true}}}.SVG(),
		} {
			wellFormed(t, svg)
			if strings.Contains(svg, "<script") || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Fatalf("bad figure:\n%s", svg)
			}
		}
	})
}

func TestAnAxisHoldsAllValuesThatItCanShowAndItsTicksRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Axis{Log: rapid.Bool().Draw(t, "log")}
		values := rapid.SliceOfN(rapid.Float64Range(1e-6, 1e7), 1, 20).Draw(t, "values")
		s := a.scaled(values, 100, 500)
		for _, v := range append(values, s.ticks...) {
			if at := s.at(v); at < 100-1e-6 || at > 500+1e-6 {
				t.Fatalf("%g is at %g; ticks %v", v, at, s.ticks)
			}
		}
		for i := 1; i < len(s.ticks); i++ {
			if s.ticks[i] <= s.ticks[i-1] {
				t.Fatalf("ticks %v", s.ticks)
			}
		}
		if len(s.ticks) < 2 || len(s.ticks) > 60 {
			t.Fatalf("%d ticks for %v", len(s.ticks), values)
		}
	})
}

func TestAFigureDoesNotChange(t *testing.T) {
	l := Lines{Title: "t", X: Axis{Title: "x"}, Y: Axis{Title: "y", Log: true},
		Series: []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{1, 100}},
			{Name: "b", X: []float64{1, 2}, Y: []float64{0, 100}}}}
	svg := l.SVG()
	if svg != l.SVG() {
		t.Error("two drawings differ")
	}
	for _, want := range []string{">100<", ">10<", `>a</text>`, `>b</text>`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if n := strings.Count(svg, "translate("); n != 3 { // zero has no place on a logarithmic axis
		t.Errorf("%d marks, want 3", n)
	}
}

func TestNamesBesideLinesDoNotOverlap(t *testing.T) {
	var l Lines
	for i := range 12 {
		l.Series = append(l.Series, Series{Name: string(rune('a' + i)), X: []float64{0, 1},
			Y: []float64{0, 5 + float64(i)/100}})
	}
	x, y := l.scales(linesFrame, l.Series)
	c := &canvas{}
	l.names(c, x, y)
	seen := map[string]bool{}
	for line := range strings.Lines(c.String()) {
		if strings.HasPrefix(line, "<text") {
			at := strings.Fields(line)[2]
			if seen[at] {
				t.Errorf("two names at %s", at)
			}
			seen[at] = true
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d names", len(seen))
	}
}

func TestEveryPanelShowsItsOwnSeriesByNameAndTheOthersInGreyOnTheSameAxes(t *testing.T) {
	series := func(name string, y float64) Series { return Series{Name: name, X: []float64{1, 2}, Y: []float64{y, y}} }
	svg := Panels{Title: "t", Panels: []Panel{{"low", []Series{series("a", 1), series("b", 2)}},
		{"high", []Series{series("c", 100)}}}}.SVG()
	for text, want := range map[string]int{">a</text>": 1, ">b</text>": 1, ">c</text>": 1, ">low</text>": 1,
		">high</text>": 1, ">100</text>": 2, `class="sm" opacity=".35"`: 3} {
		if n := strings.Count(svg, text); n != want {
			t.Errorf("%q is there %d times, want %d", text, n, want)
		}
	}
}

func TestBarsTooNarrowToBePointedAtAreOnePathOfAColour(t *testing.T) {
	g := Gantt{Rows: []string{"n1"}, Bars: []Bar{{From: 0, To: 5, High: 1, Name: "job 1"},
		{From: 5, To: 10, High: 1, Name: "job 2", Idle: true}}}
	for i := range 1000 {
		g.Bars = append(g.Bars, Bar{From: float64(i) / 100, To: float64(i)/100 + 0.005, High: .5, Hue: i % 2, Idle: i < 3,
			Name: "job 3"})
	}
	svg := g.SVG()
	wellFormed(t, svg)
	paths, hatch := strings.Count(svg, "<path class="), strings.Count(svg, "<path fill=")
	if paths != 2 || hatch != 1 || strings.Count(svg, "h0.4v") != 1003 || strings.Count(svg, "<title>job") != 2 {
		t.Errorf("%d and %d paths in\n%.2000s", paths, hatch, svg)
	}
}
