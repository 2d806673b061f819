package linear

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAScarceRowGoesToTheColumnThatGainsMost(t *testing.T) {
	p := Program{
		Limits: []float64{1},
		Columns: []Column{
			{Gain: 1, Most: 1, Entries: []Entry{{0, 1}}},
			{Gain: 3, Most: 0.5, Entries: []Entry{{0, 1}}},
			{Gain: 1, Most: 1, Entries: []Entry{{0, 4}}},
		},
	}
	same(t, &p, 0.5, 0.5, 0)
}

func TestAColumnWithoutAScarceRowGetsItsMaximum(t *testing.T) {
	same(t, &Program{Columns: []Column{{Gain: 1, Most: 0.25}}}, 0.25)
	same(t, &Program{Limits: []float64{1}, Columns: []Column{{Gain: 1, Most: 2, Entries: []Entry{{0, 0}}}}}, 2)
}

func TestAProgramWithoutColumnsHasAnEmptyAnswer(t *testing.T) {
	same(t, &Program{Limits: []float64{1}})
}

// With two variables a best answer lies on a corner, where two of the bounding lines cross.
func TestTheAnswerIsTheBestCorner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		x, err := p.Maximum()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.worth(x[0], x[1]), p.bestCorner(); math.Abs(got-want) > 1e-6 || !p.holds(x[0], x[1]) {
			t.Fatalf("the answer %v is worth %v, the best corner %v: %+v", x, got, want, p)
		}
	})
}

func drawProgram(t *rapid.T) *Program {
	tenths := rapid.Map(rapid.IntRange(0, 20), func(n int) float64 { return float64(n) / 10 })
	p := &Program{Limits: rapid.SliceOfN(tenths, 0, 4).Draw(t, "limits")}
	for range 2 {
		c := Column{Gain: tenths.Draw(t, "gain"), Most: tenths.Draw(t, "most")}
		for row := range p.Limits {
			c.Entries = append(c.Entries, Entry{row, tenths.Draw(t, "value")})
		}
		p.Columns = append(p.Columns, c)
	}
	return p
}

func (p *Program) worth(x, y float64) float64 { return p.Columns[0].Gain*x + p.Columns[1].Gain*y }

func (p *Program) holds(x, y float64) bool {
	for _, l := range p.lines() {
		if l[0]*x+l[1]*y > l[2]+1e-6 {
			return false
		}
	}
	return true
}

// lines returns all bounds a·x + b·y ≤ c.
func (p *Program) lines() [][3]float64 {
	lines := [][3]float64{{-1, 0, 0}, {0, -1, 0}, {1, 0, p.Columns[0].Most}, {0, 1, p.Columns[1].Most}}
	for row, limit := range p.Limits {
		lines = append(lines, [3]float64{p.Columns[0].Entries[row].Value, p.Columns[1].Entries[row].Value, limit})
	}
	return lines
}

func (p *Program) bestCorner() (best float64) {
	for _, l := range p.lines() {
		for _, m := range p.lines() {
			if det := l[0]*m[1] - l[1]*m[0]; math.Abs(det) > 1e-9 {
				x, y := (l[2]*m[1]-l[1]*m[2])/det, (l[0]*m[2]-l[2]*m[0])/det
				if p.holds(x, y) {
					best = max(best, p.worth(x, y))
				}
			}
		}
	}
	return best
}

func TestManyProgramsLeaveNoMemoryBehind(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	p := Program{Limits: []float64{1}}
	for range 500 {
		p.Columns = append(p.Columns, Column{Gain: 1, Most: 0.01, Entries: []Entry{{0, 1}}})
	}
	a := p.arrays()
	solve := func(times int) {
		for range times {
			if _, status := a.primal(); status != 0 {
				t.Fatal(status)
			}
		}
	}
	solve(20)
	before := heldByC(t)
	solve(1000)
	if grown := heldByC(t) - before; grown > 32<<20 {
		t.Errorf("1000 programs hold %d MiB outside Go's heap", grown>>20)
	}
}

// heldByC returns the resident memory of the process less the memory of Go's runtime.
func heldByC(t *testing.T) int64 {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	var of runtime.MemStats
	runtime.ReadMemStats(&of)
	return pages*int64(os.Getpagesize()) - int64(of.Sys-of.HeapReleased)
}

func same(t *testing.T, p *Program, want ...float64) {
	t.Helper()
	got, err := p.Maximum()
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %v, %v, want %v", got, err, want)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6 {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}
