package benchmark

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"aliquot/packing"
	"aliquot/packing/study/bound"
	"aliquot/packing/study/instance"
	"aliquot/packing/study/portfolio"
)

// Compared lists the families in which methods differ.
func Compared() []instance.Family {
	return []instance.Family{
		{Nodes: 128, Tasks: 100, PerJob: 1, Memory: 0.4, Need: 0.6},
		{Nodes: 128, Tasks: 300, PerJob: 1, Memory: 0.7, Need: 1.5},
		{Nodes: 128, Tasks: 500, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 128, Tasks: 500, PerJob: 5, Memory: 0.7, Need: 2},
		{Nodes: 128, Tasks: 500, PerJob: 5, Memory: 0.9, Need: 3},
		{Nodes: 128, Tasks: 1600, PerJob: 5, Memory: 0.9, Need: 6},
		{Nodes: 128, Tasks: 1000, PerJob: 1, Memory: 0.9, Need: 4},
		{Nodes: 128, PerJob: 1, Memory: 0.9, Discrete: true},
		{Nodes: 128, PerJob: 5, Memory: 0.4, Discrete: true},
		{Nodes: 128, PerJob: 5, Memory: 0.7, Discrete: true},
		{Nodes: 128, PerJob: 5, Memory: 0.9, Discrete: true},
		{Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 1000, Tasks: 10_000, PerJob: 5, Memory: 0.7, Need: 2},
		{Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.9, Need: 6},
		{Nodes: 1000, PerJob: 5, Memory: 0.9, Discrete: true},
		{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.7, Need: 2},
	}
}

// Quality is how close to the bound heuristics come on a family, as means over the seeds.
type Quality struct {
	Family       string   `json:"family"`
	Seeds        int      `json:"seeds"`
	LPGap        float64  `json:"lpGap"`   // of MCB8, to the linear relaxation alone
	MCB8Gap      float64  `json:"mcb8Gap"` // of MCB8, to the bound
	LevelGap     float64  `json:"levelGap"`
	Gap          float64  `json:"gap"` // of the portfolio
	Worse        int      `json:"worse"`
	Milliseconds float64  `json:"milliseconds"`
	Methods      []Method `json:"methods"`
}

// Method is the result of one heuristic alone. It wins where no other is better.
type Method struct {
	Name   string  `json:"name"`
	Gap    float64 `json:"gap"`
	Wins   int     `json:"wins"`
	Failed int     `json:"failed"` // number of seeds for which it gave up an item
}

// mostCompared limits the comparison of single heuristics: best fit takes tasks times nodes steps per level.
const mostCompared = 5_000_000

// Compare compares heuristics on the instances of the first seeds. It calls begin with the number of seeds done before
// each. The result is void once stop returns true.
func Compare(f instance.Family, seeds int, stop func() bool, begin func(done int)) Quality {
	q := Quality{Family: f.String(), Seeds: seeds}
	for _, m := range portfolio.Published(2, true) {
		if m.Fit != portfolio.BestFit || f.Nodes*f.Tasks <= mostCompared {
			q.Methods = append(q.Methods, Method{Name: m.String()})
		}
	}
	for seed := 0; seed < seeds && !stop(); seed++ {
		begin(seed)
		p, order := f.Draw(uint64(1 + seed))
		q.instance(stop, p, order, 1/float64(seeds))
	}
	slices.SortStableFunc(q.Methods, func(a, b Method) int { return cmp.Or(b.Wins-a.Wins, cmp.Compare(a.Gap, b.Gap)) })
	return q
}

// instance adds the result of one instance, with its weight in the means.
func (q *Quality) instance(stop func() bool, p *packing.Problem, order []int, weight float64) {
	const accuracy = 0.001
	first := packing.Options{Accuracy: accuracy, Stop: stop}.Search(p, order)
	yield := portfolio.Reached(p, first.Mapping)
	b := bound.Options{Stop: stop}.Of(p, slices.DeleteFunc(slices.Clone(order), func(i int) bool {
		return first.Mapping[i] == nil
	}))
	begun := time.Now()
	r := portfolio.Options{Accuracy: accuracy, Stop: stop}.Search(p, order)
	q.Milliseconds += weight * float64(time.Since(begun).Nanoseconds()) / 1e6
	q.LPGap += weight * (b.Relaxation - yield) / b.Relaxation
	q.MCB8Gap += weight * b.Gap(yield)
	q.LevelGap += weight * b.Gap(first.Yield)
	q.Gap += weight * r.Bound.Gap(r.Yield)
	if len(r.Dropped) > len(first.Dropped) || len(r.Dropped) == len(first.Dropped) && r.Yield < yield {
		q.Worse++
	}
	q.singles(p, order, portfolio.Options{Accuracy: accuracy, Stop: stop}, weight)
}

// singles runs every heuristic alone.
func (q *Quality) singles(p *packing.Problem, order []int, o portfolio.Options, weight float64) {
	yields, best := make([]float64, len(q.Methods)), 0.0
	for at := range q.Methods {
		method := &q.Methods[at]
		m, err := portfolio.Parse(method.Name)
		if err != nil {
			panic(err)
		}
		r := m.Search(p, order, o)
		method.Gap += weight * r.Bound.Gap(r.Yield)
		if len(r.Dropped) > 0 {
			method.Failed++
		} else {
			yields[at], best = r.Yield, max(best, r.Yield)
		}
	}
	for at := range q.Methods {
		if yields[at] > 0 && yields[at] >= best*(1-1e-9) {
			q.Methods[at].Wins++
		}
	}
}

// Winners words which heuristics are best most often.
func (q *Quality) Winners() string {
	var parts []string
	for _, m := range q.Methods[:min(4, len(q.Methods))] {
		if m.Wins > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", m.Name, m.Wins, q.Seeds))
		}
	}
	return strings.Join(parts, ", ")
}
