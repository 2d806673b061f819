package packing

import (
	"math"
	"testing"
)

// hostile are sizes that go wrong easily.
var hostile = []float64{
	0, 1, 2, 3, 0.1, 1000, 1e9, 1 << 53, 1e100, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300,
	-1, math.NaN(), math.Inf(1), math.Inf(-1),
}

// source turns bytes into numbers; once they are used up, all are the first of their kind.
type source struct{ data []byte }

func (s *source) below(n int) int {
	if len(s.data) == 0 {
		return 0
	}
	v := int(s.data[0]) % n
	s.data = s.data[1:]
	return v
}

func (s *source) size() float64 { return hostile[s.below(len(hostile))] }

func (s *source) sizes(n int) (v []float64) {
	for range n {
		v = append(v, s.size())
	}
	return v
}

func (s *source) problem() *Problem {
	p, dims, flows := &Problem{}, s.below(3), s.below(3)
	for range s.below(5) {
		p.Nodes = append(p.Nodes, Node{CPU: s.size(), Rigid: s.sizes(dims), Fluid: s.sizes(flows)})
	}
	for range s.below(8) {
		it := Item{
			Count: []int{1, 2, 5, 100_000, 0, math.MaxInt}[s.below(6)], Need: s.size(), MinCPU: s.size(),
			Rigid: s.sizes(dims), Spread: s.below(4) == 1, Together: s.below(4) == 1, Label: uint64(s.below(3)),
		}
		for d := 0; d < flows && s.below(3) > 0; d++ {
			it.Fluid = append(it.Fluid, Demand{s.size(), s.size(), s.size(), s.size()})
		}
		if s.below(3) == 1 {
			it.Line = Line{s.size(), s.size(), s.size()}
		}
		for range s.below(4) {
			it.Pinned = append(it.Pinned, s.below(6))
		}
		p.Items = append(p.Items, it)
	}
	return p
}

func (s *source) options() Options {
	return Options{Low: s.size(), High: s.size(), Accuracy: s.size(), Strict: s.below(2) == 1}
}

// FuzzAnswersAreValid expects of any numbers an error or a valid answer.
func FuzzAnswersAreValid(f *testing.F) {
	f.Add([]byte{1, 2, 1, 5, 5, 5, 5, 3, 0, 1, 0, 1, 0, 0, 0})
	f.Add([]byte{0, 1, 8, 1, 3, 8, 8, 0, 0, 1, 8, 8, 8, 0, 8, 0, 8})
	f.Add([]byte{2, 4, 9, 9, 9, 9, 9, 9, 7, 0, 9, 9, 9, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		o, p := s.options(), s.problem()
		if p.Validate() != nil {
			return
		}
		r := o.Search(p, all(len(p.Items)))
		check := func(yields []float64) {
			for i, y := range yields {
				if !(y >= 0 && y <= 1) || r.Mapping[i] == nil && y != 0 {
					t.Fatalf("item %d has a yield of %v", i, y)
				}
			}
		}
		check(MaxMin(p, r.Mapping))
		if yields, err := Average(p, r.Mapping, s.size(), nil); err == nil {
			check(yields)
			if err := p.Feasible(r.Mapping, yields); err != nil {
				t.Fatal(err)
			}
		}
		levels := make([]float64, len(p.Items))
		for i := range p.Items {
			if it := &p.Items[i]; r.Mapping[i] != nil && it.Need > 0 {
				levels[i] = min(1, it.demand(r.Yield)/it.Need)
			} else if r.Mapping[i] != nil {
				levels[i] = 1
			}
		}
		if err := p.Feasible(r.Mapping, levels); err != nil {
			t.Fatalf("at level %v: %v", r.Yield, err)
		}
	})
}
