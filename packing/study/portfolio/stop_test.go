package portfolio

import (
	"math/rand/v2"
	"testing"

	"aliquot/packing"
	"aliquot/packing/pace"
	"aliquot/packing/study/instance"
)

// lasting returns searches that a time limit may end anywhere.
func lasting() map[string]func() (*packing.Problem, []int, Options) {
	family := func(f instance.Family, o Options) func() (*packing.Problem, []int, Options) {
		return func() (*packing.Problem, []int, Options) {
			p, order := f.Draw(1)
			return p, order, o
		}
	}
	return map[string]func() (*packing.Problem, []int, Options){
		"distinct": family(instance.Family{Nodes: 200, Tasks: 2000, PerJob: 1, Memory: 0.9, Need: 4}, Options{Whole: true}),
		"dropped":  family(instance.Family{Nodes: 100, Tasks: 1000, PerJob: 1, Memory: 1.1, Need: 2}, Options{}),
		"jobs":     family(instance.Family{Nodes: 200, Tasks: 2000, PerJob: 5, Memory: 0.9, Need: 3}, Options{}),
		"discrete": family(instance.Family{Nodes: 200, PerJob: 5, Memory: 0.9, Discrete: true}, Options{Whole: true}),
		"rescued": func() (*packing.Problem, []int, Options) {
			return crowded(200), []int{0, 1}, Options{Whole: true}
		},
		"restricted": func() (*packing.Problem, []int, Options) {
			p, order := instance.Family{Nodes: 100, Tasks: 1000, PerJob: 1, Memory: 0.8, Need: 2}.Draw(1)
			r := rand.New(rand.NewPCG(1, 1))
			for i := range p.Items {
				it := &p.Items[i]
				it.Label, it.Allowed = r.Uint64(), make([]bool, len(p.Nodes))
				for n := range it.Allowed {
					it.Allowed[n] = (n+i)%3 > 0
				}
			}
			return p, order, Options{}
		},
	}
}

// TestLittleIsDoneAfterTheEnd stops searches at ever later calls, until they end by themselves.
func TestLittleIsDoneAfterTheEnd(t *testing.T) {
	for name, draw := range lasting() {
		p, order, o := draw()
		tasks := 0
		for i := range p.Items {
			tasks += p.Items[i].Count
		}
		o.Steps = 5_000_000
		for end := 1; ; end += 1 + end/2 {
			asked, steps := 0, int64(0)
			var s *search
			o.Stop = func() bool { asked, steps = asked+1, s.steps; return asked >= end }
			s = o.begin(p)
			r := s.run(order)
			if asked < end {
				break
			}
			// The remaining work is to finish an exchange and to write the answer down.
			if asked > end || !r.Cut || s.Since > 2*tasks || s.steps-steps > pace.Between {
				t.Errorf("%s: end at question %d: asked %d times, cut %v, looked at %d items and made %d steps afterwards", name,
					end, asked, r.Cut, s.Since, s.steps-steps)
			}
			if err := p.Feasible(r.Mapping, granted(p, r.Mapping, r.Yield)); err != nil {
				t.Errorf("%s: end at question %d: %v", name, end, err)
			}
			if len(r.Dropped) < len(order) && r.Yield > r.Bound.Level*(1+1e-9) {
				t.Errorf("%s: end at question %d: yield %v above the bound %+v", name, end, r.Yield, r.Bound)
			}
		}
	}
}

func TestSearchThatIsStoppedAfterTheFirstAnswerHasTheBoundOfTheSums(t *testing.T) {
	p, order := instance.Family{Nodes: 200, Tasks: 2000, PerJob: 1, Memory: 0.7, Need: 2}.Draw(1)
	for _, end := range []int{10, 200, 400} {
		asked := 0
		r := Options{Stop: func() bool { asked++; return asked >= end }}.Search(p, order)
		if len(r.Dropped) == 0 && !(r.Bound.Level > 0.49 && r.Bound.Level < 0.51) || asked != end {
			t.Errorf("stopped at question %d of %d: yield %v, dropped %d, bound %+v", asked, end, r.Yield,
				len(r.Dropped), r.Bound)
		}
	}
}

func TestFirstAnswerThatDropsItemsHasTheBoundOfTheSumsOfTheOthers(t *testing.T) {
	p, order := instance.Family{Nodes: 200, Tasks: 2000, PerJob: 1, Memory: 1.1, Need: 2.2}.Draw(1)
	s := Options{Stop: func() bool { return false }}.begin(p)
	s.start(order)
	if want := s.summed(s.items); len(s.Dropped) == 0 || s.Bound != want || want.Level > 0.51 {
		t.Errorf("dropped %d, bound %+v, want %+v", len(s.Dropped), s.Bound, want)
	}
}
