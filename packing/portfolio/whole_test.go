package portfolio

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/packing"
	"aliquot/packing/instance"
)

// crowded is a node for each large task that needs no CPU and half of the memory, and as many small tasks as there are
// nodes, which all methods that fill node after node put on a few nodes.
func crowded(nodes int) *packing.Problem {
	return &packing.Problem{
		Nodes: slices.Repeat([]packing.Node{{CPU: 1000, Rigid: []float64{10_000}}}, nodes),
		Items: []packing.Item{{Count: 2*nodes - 2, Rigid: []float64{5000}}, {Count: 2 * nodes, Need: 1000, Rigid: []float64{10}, Label: 1}},
	}
}

func TestWholeSearchesDropNobodyThatFits(t *testing.T) {
	p := crowded(50)
	for _, m := range []string{"PP1/max", "FF/max", "FF/rigid-lex", "BF/sum"} {
		method, err := Parse(m)
		if err != nil {
			t.Fatal(err)
		}
		r := method.Search(p, []int{0, 1}, Options{Whole: true, Accuracy: 0.1})
		if len(r.Dropped) > 0 || r.Yield <= 0 || r.Yield > r.Bound.Level*(1+1e-9) {
			t.Errorf("%s: yield %v of at most %v, dropped %v", m, r.Yield, r.Bound.Level, r.Dropped)
		}
		if err := p.Feasible(r.Mapping, yieldsAt(p, r.Mapping, r.Yield)); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}

func TestWholeAnswersMapAllOrNoneAndThatDependsOnRoomAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problem(t, rapid.IntRange(0, 2).Draw(t, "rigid dimensions"), rapid.Bool().Draw(t, "restricted"))
		order := rapid.Permutation(indices(len(p.Items))).Draw(t, "order")
		methods := map[string]func(Options) Result{
			"portfolio": func(o Options) Result { return o.Search(p, order) },
			"PP1/max":   func(o Options) Result { return MCB8.Search(p, order, o) },
		}
		for name, search := range methods {
			fine, coarse := search(Options{Whole: true}), search(Options{Whole: true, Accuracy: 0.5})
			if len(fine.Dropped) != len(coarse.Dropped) {
				t.Fatalf("%s: dropped %v, and %v at another accuracy", name, fine.Dropped, coarse.Dropped)
			}
			if len(fine.Dropped) > 0 && len(fine.Dropped) < len(order) {
				t.Fatalf("%s: dropped some: %v", name, fine.Dropped)
			}
			if err := p.Feasible(fine.Mapping, yieldsAt(p, fine.Mapping, fine.Yield)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(fine.Dropped) == 0 && fine.Yield > fine.Bound.Level*(1+1e-9) || len(fine.Dropped) > 0 && fine.Bound.Level < 0 {
				t.Fatalf("%s: yield %v, bound %v", name, fine.Yield, fine.Bound)
			}
			if free := search(Options{}); len(free.Dropped) == 0 && cmp.Diff(free.Mapping, fine.Mapping) != "" && fine.Yield < free.Yield {
				t.Fatalf("%s: yield %v, %v if somebody might have been dropped", name, fine.Yield, free.Yield)
			}
		}
	})
}

func TestWholeSearchThatIsStoppedAtOnceMapsNobodyAndSaysSo(t *testing.T) {
	p := crowded(10)
	r := Options{Whole: true, Stop: func() bool { return true }}.Search(p, []int{0, 1})
	if !r.Cut || len(r.Dropped) != 2 || r.Mapping[0] != nil {
		t.Errorf("%+v", r)
	}
}

func TestEndIsAskedForWithEveryPassOverTheTasks(t *testing.T) {
	const tasks = 30_000
	p, order := instance.Family{Nodes: tasks / 10, Tasks: tasks, PerJob: 1, Memory: 0.7, Need: 2}.Draw(1)
	questions := 0
	var s *search
	o := Options{Stop: func() bool {
		if questions++; s.looked > between+tasks || s.steps-s.asked > between+tasks {
			t.Errorf("%d items were looked at and %d steps made before question %d", s.looked, s.steps-s.asked, questions)
		}
		return false
	}}
	s = o.begin(p)
	s.start(order)
	asked := questions // before every node, so far
	s.readmit()
	for _, m := range s.methods[:4] {
		s.attempt(m, 0.4)
	}
	if questions == asked {
		t.Error("nobody asked")
	}
}
