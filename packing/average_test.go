package packing

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// loaded draws a mapping and the starting level of linear program (2).
func loaded(t *rapid.T) (p *Problem, m Mapping, level float64) {
	p = differentNodes(t)
	for i := range p.Items {
		it := &p.Items[i]
		*it = Item{Count: it.Count, Need: it.Need, Rigid: make([]float64, len(it.Rigid)), Label: it.Label}
	}
	for n := range p.Nodes {
		p.Nodes[n].Fluid = nil
	}
	m = drawMapping(t, p)
	return p, m, 1 / max(1, p.Load(m))
}

func drawWeights(t *rapid.T, p *Problem) (weights []float64) {
	if rapid.Bool().Draw(t, "alike") {
		return nil
	}
	for range p.Items {
		weights = append(weights, float64(rapid.IntRange(0, 8).Draw(t, "weight"))/4)
	}
	return weights
}

func weighed(weights, yields []float64) (sum float64) {
	for i, y := range yields {
		if weights != nil {
			y *= weights[i]
		}
		sum += y
	}
	return sum
}

func TestAverageIsFeasibleAndNoLowerThanMaxMin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m, level := loaded(t)
		weights := drawWeights(t, p)
		yields, err := Average(p, m, level, weights)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Feasible(m, yields); err != nil {
			t.Fatal(err)
		}
		for i, nodes := range m {
			if nodes != nil && yields[i] < level*(1-slop) {
				t.Fatalf("item %d has %v, below the level %v", i, yields[i], level)
			}
		}
		if got, fair := weighed(weights, yields), weighed(weights, MaxMin(p, m)); got < fair*(1-2*preference)-1e-6 {
			t.Fatalf("sum %v, by max-min fairness %v", got, fair)
		}
		again, _ := Average(p, m, level, weights)
		if diff := cmp.Diff(yields, again); diff != "" {
			t.Fatalf("asked twice: %s", diff)
		}
	})
}

func TestAverageKeepsWithinEveryFluidDimension(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		r := Search(p, drawOrder(t, p))
		yields, err := Average(p, r.Mapping, r.Yield, drawWeights(t, p))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Feasible(r.Mapping, yields); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAverageIsThatOfTheBestCornerOfItsProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m, level := loaded(t)
		if len(p.Items) > 4 {
			p.Items, m = p.Items[:4], m[:4]
			level = 1 / max(1, p.Load(m))
		}
		weights := drawWeights(t, p)
		yields, err := Average(p, m, level, weights)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := weighed(weights, yields), plainAverage(p, m, level, weights); math.Abs(got-want) > 4*preference {
			t.Fatalf("sum %v of %v, the best corner has %v", got, yields, want)
		}
	})
}

// hasty draws the problem of MCB8-stretch shortly before a tick: at worst, yields are differences of
// numbers that are 10¹¹ times as large.
func hasty(t *rapid.T) (p *Problem, m Mapping) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	until, alike := math.Pow(10, 9*r.Float64()-6), r.Float64()
	p = &Problem{}
	for range 1 + r.IntN(6) {
		p.Nodes = append(p.Nodes, Node{CPU: 100_000})
	}
	for i := range 1 + r.IntN(40) {
		flow := 1e6 * r.Float64()
		virtual := flow * (alike + (1-alike)*r.Float64())
		it := Item{Count: 1 + r.IntN(3), Need: 1000 * float64(1+r.IntN(100)), MinCPU: 1000, Label: uint64(i)}
		it.Line = Line{Slope: (flow + until) / until, Base: -virtual / until}
		nodes := make([]int, it.Count)
		for k := range nodes {
			nodes[k] = r.IntN(len(p.Nodes))
		}
		p.Items, m = append(p.Items, it), append(m, nodes)
	}
	return p, m
}

func TestTheLevelThatMaxMinReachesCanBeAveragedHoweverSoonTheTick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m := hasty(t)
		level, weights := math.Inf(1), make([]float64, len(p.Items))
		for i, y := range MaxMin(p, m) {
			line := p.Items[i].Line
			level, weights[i] = min(level, (y-line.Base)/line.Slope), 1/line.Slope
		}
		yields, err := Average(p, m, level, weights)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range yields {
			if y < p.Items[i].floor() || y > 1 {
				t.Fatalf("item %d has a yield of %v", i, y)
			}
		}
	})
}

func TestAverageStartsFromSmallestShares(t *testing.T) {
	p := &Problem{
		Nodes: []Node{{CPU: 1000}},
		Items: []Item{{Count: 1, Need: 1000, MinCPU: 600}, {Count: 1, Need: 100}, {Count: 1, Need: 500}},
	}
	yields, err := Average(p, Mapping{{0}, {0}, {0}}, 0.25, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{0.6, 1, 0.6}, yields); diff != "" {
		t.Error(diff)
	}
}

func TestAverageRefusesArgumentsOutOfRange(t *testing.T) {
	p, m := sound(), Mapping{{0, 1}, {0, 1}}
	for want, ask := range map[string]func() ([]float64, error){
		"level is NaN":      func() ([]float64, error) { return Average(p, m, math.NaN(), nil) },
		"level is -Inf":     func() ([]float64, error) { return Average(p, m, math.Inf(-1), nil) },
		"item 1: weight is": func() ([]float64, error) { return Average(p, m, 0.5, []float64{1, -1}) },
		"at level 1 tasks take 2000 of 1000 CPU": func() ([]float64, error) {
			return Average(p, Mapping{{0, 0}, {0, 0}}, 1, nil)
		},
	} {
		if _, err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// plainAverage tries every corner of linear program (2): at each, as many constraints as there are
// items hold exactly.
func plainAverage(p *Problem, m Mapping, level float64, weights []float64) (best float64) {
	var rows [][]float64 // coefficients, then the upper bound
	n := len(p.Items)
	bound := func(i int, sign, value float64) {
		row := make([]float64, n+1)
		row[i], row[n] = sign, value
		rows = append(rows, row)
	}
	for i := range p.Items {
		least, most := level, 1.0
		if m[i] == nil {
			least, most = 0, 0
		} else if p.Items[i].Need == 0 {
			least = 1
		}
		bound(i, 1, most)
		bound(i, -1, -least)
	}
	for k := range p.Nodes {
		row := make([]float64, n+1)
		for i, nodes := range m {
			for _, at := range nodes {
				if at == k {
					row[i] += p.Items[i].Need / 1000
				}
			}
		}
		row[n] = p.Nodes[k].CPU / 1000
		rows = append(rows, row)
	}
	best = math.Inf(-1)
	var choose func(from int, tight [][]float64)
	choose = func(from int, tight [][]float64) {
		if len(tight) == n {
			if y, ok := solve(tight); ok && inside(rows, y) {
				best = max(best, weighed(weights, y))
			}
			return
		}
		for k := from; k < len(rows); k++ {
			choose(k+1, append(tight[:len(tight):len(tight)], rows[k]))
		}
	}
	choose(0, nil)
	return best
}

func inside(rows [][]float64, y []float64) bool {
	for _, row := range rows {
		sum := 0.0
		for i, v := range y {
			sum += row[i] * v
		}
		if sum > row[len(y)]+1e-9 {
			return false
		}
	}
	return true
}

// solve eliminates. It returns false if the equations do not determine one point.
func solve(equations [][]float64) (y []float64, ok bool) {
	n := len(equations)
	rows := make([][]float64, n)
	for k := range rows {
		rows[k] = append([]float64(nil), equations[k]...)
	}
	for col := range n {
		pivot := col
		for k := col; k < n; k++ {
			if math.Abs(rows[k][col]) > math.Abs(rows[pivot][col]) {
				pivot = k
			}
		}
		if n == 0 || math.Abs(rows[pivot][col]) < 1e-9 {
			return nil, false
		}
		rows[col], rows[pivot] = rows[pivot], rows[col]
		for k := range rows {
			factor := rows[k][col] / rows[col][col]
			for c := col; k != col && c <= n; c++ {
				rows[k][c] -= factor * rows[col][c]
			}
		}
	}
	for k := range rows {
		y = append(y, rows[k][n]/rows[k][k])
	}
	return y, true
}
