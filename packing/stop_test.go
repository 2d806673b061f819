package packing

import (
	"math/rand/v2"
	"testing"

	"aliquot/packing/pace"
)

// endless returns problems that cover every kind of pass over the items: in order of submission or
// not, lines and smallest shares that disorder lists, more dimensions, items that only the last nodes
// take, and too many.
func endless(items int) map[string]*Problem {
	list := map[string]*Problem{}
	for name, with := range map[string]func(r *rand.Rand, it *Item, p *Problem){
		"distinct": func(*rand.Rand, *Item, *Problem) {},
		"lines":    func(r *rand.Rand, it *Item, _ *Problem) { it.Line = Line{Slope: 1 + r.Float64(), Base: -r.Float64()} },
		"shares":   func(r *rand.Rand, it *Item, _ *Problem) { it.MinCPU, it.Label = 100*r.Float64(), r.Uint64() },
		"three dimensions": func(r *rand.Rand, it *Item, p *Problem) {
			it.Rigid = append(it.Rigid, float64(r.IntN(100)))
		},
		"hard to admit": func(_ *rand.Rand, it *Item, p *Problem) {
			it.Allowed = make([]bool, len(p.Nodes))
			it.Allowed[len(p.Nodes)-1] = true
		},
		"too many": func(r *rand.Rand, it *Item, _ *Problem) { it.Rigid[0] *= 1.2 },
	} {
		r, p := rand.New(rand.NewPCG(1, 2)), &Problem{}
		for range items / 10 {
			p.Nodes = append(p.Nodes, Node{CPU: 1000, Rigid: []float64{1000}})
		}
		for i := range items {
			it := Item{Count: 1, Need: 400 * r.Float64(), Rigid: []float64{float64(r.IntN(180))}, Label: uint64(i)}
			with(r, &it, p)
			p.Items = append(p.Items, it)
		}
		for n := range p.Nodes {
			for len(p.Nodes[n].Rigid) < len(p.Items[0].Rigid) {
				p.Nodes[n].Rigid = append(p.Nodes[n].Rigid, 1000)
			}
		}
		list[name] = p
	}
	return list
}

func TestEndIsAskedForInEveryPassOverTheItems(t *testing.T) {
	const items, end = 30_000, 200
	for name, p := range endless(items) {
		questions := 0
		var s *search
		o := Options{Accuracy: 0.3, Whole: name == "three dimensions", Stop: func() bool {
			if questions++; s.Since > pace.Between+items/10 {
				t.Errorf("%s: %d items were looked at before question %d", name, s.Since, questions)
			}
			return questions == end
		}}
		s = o.begin(p)
		s.run(all(items))
		s.release()
		if questions != end {
			t.Errorf("%s: asked %d times, wanted an end at question %d", name, questions, end)
		}
	}
}

// TestStoppedSearchListsEveryItemThatItDoesNotMap stops the search in every pass.
func TestStoppedSearchListsEveryItemThatItDoesNotMap(t *testing.T) {
	const items = 3000
	for name, p := range endless(items) {
		for end := 1; end < 500; end += 1 + end/4 {
			asked, since := 0, 0
			var s *search
			o := Options{Accuracy: 0.05, Stop: func() bool { asked++; return asked >= end }}
			s = o.begin(p)
			r := s.run(all(items))
			since = s.Since
			s.release()
			if asked > end || since > pace.Between {
				t.Errorf("%s: asked %d times, looked at %d items after an end at question %d", name, asked, since, end)
			}
			if len(r.Dropped) > items {
				t.Fatalf("%s: dropped %d items of %d", name, len(r.Dropped), items)
			}
			gone := make([]bool, items)
			for _, i := range r.Dropped {
				gone[i] = true
			}
			for i, nodes := range r.Mapping {
				if gone[i] != (nodes == nil) {
					t.Fatalf("%s, end at question %d: item %d is on %v, dropped: %v", name, end, i, nodes, gone[i])
				}
			}
			if err := p.Feasible(r.Mapping, MaxMin(p, r.Mapping)); err != nil {
				t.Fatalf("%s, end at question %d: %v", name, end, err)
			}
		}
	}
}
