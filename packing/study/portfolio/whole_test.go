package portfolio

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/packing"
	"aliquot/packing/pace"
	"aliquot/packing/study/instance"
)

// crowded returns one node for each large task that needs no CPU and half of the memory, and as many
// small tasks as nodes. Methods that fill node after node put the small tasks on a few nodes.
func crowded(nodes int) *packing.Problem {
	return &packing.Problem{
		Nodes: slices.Repeat([]packing.Node{{CPU: 1000, Rigid: []float64{10_000}}}, nodes),
		Items: []packing.Item{{Count: 2*nodes - 2, Rigid: []float64{5000}},
			{Count: 2 * nodes, Need: 1000, Rigid: []float64{10}, Label: 1}},
	}
}

func TestWholeSearchesDropNoItemThatFits(t *testing.T) {
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
			if len(fine.Dropped) == 0 && fine.Yield > fine.Bound.Level*(1+1e-9) ||
				len(fine.Dropped) > 0 && fine.Bound.Level < 0 {
				t.Fatalf("%s: yield %v, bound %v", name, fine.Yield, fine.Bound)
			}
			free, first := search(Options{}), MCB8.Search(p, order, Options{})
			if len(first.Dropped) == 0 && fine.Yield < free.Yield*(1-1e-9) { // both begin with MCB8's answer
				t.Fatalf("%s: yield %v, %v if somebody might have been dropped", name, fine.Yield, free.Yield)
			}
		}
	})
}

func TestOneMethodMapsAllAtTheSameInstancesHoweverCoarselyItSearches(t *testing.T) {
	p := &packing.Problem{
		Nodes: []packing.Node{{CPU: 0, Rigid: []float64{0}}, {CPU: 1, Rigid: []float64{36}}, {CPU: 1, Rigid: []float64{36}}},
		Items: []packing.Item{
			{Count: 1, Need: 1, Rigid: []float64{1}, Allowed: []bool{false, true, false}},
			{Count: 1, Need: 3, Rigid: []float64{36}, Label: 1},
		},
	}
	for _, accuracy := range []float64{0.5, 0.1, 0.01, 0.001} {
		if r := MCB8.Search(p, []int{0, 1}, Options{Whole: true, Accuracy: accuracy}); len(r.Dropped) > 0 || r.Yield <= 0 {
			t.Errorf("at %v: yield %v, dropped %v", accuracy, r.Yield, r.Dropped)
		}
	}
}

func TestTheReachedLevelDependsOnTheMappingAlone(t *testing.T) {
	p := &packing.Problem{
		Nodes: slices.Repeat([]packing.Node{{CPU: 1e9, Rigid: []float64{1e9}}}, 2),
		Items: []packing.Item{
			{Count: 3, Need: 5e8, Rigid: []float64{2.5e8}},
			{Count: 1, Need: 2.5e8, Rigid: []float64{2.5e8}, Allowed: []bool{true, false}, Label: 1},
			{Count: 1, Need: 2.5e8, Rigid: []float64{2.5e8}, Label: 2},
		},
	}
	for _, m := range every() {
		if r := m.Search(p, []int{0, 1, 2}, Options{Whole: true}); len(r.Dropped) == 0 && r.Yield != Reached(p, r.Mapping) {
			t.Errorf("%v: yield %v, the mapping allows %v", m, r.Yield, Reached(p, r.Mapping))
		}
	}
}

func TestTinyLevelsAreBisectedToTheRequestedAccuracyOnly(t *testing.T) {
	p := &packing.Problem{
		Nodes: []packing.Node{{CPU: 50, Rigid: []float64{125}}, {CPU: 0, Rigid: []float64{25}},
			{CPU: 175, Rigid: []float64{150}}},
		Items: []packing.Item{
			{Count: 1, Need: 25, MinCPU: 50, Rigid: []float64{0}},
			{Count: 2, Need: 25, Rigid: []float64{100}, Label: 1},
			{Count: 3, Need: 50, MinCPU: 25, Rigid: []float64{25}, Label: 2},
			{Count: 1, Need: 50, MinCPU: 50, Rigid: []float64{0}, Label: 3},
		},
	}
	if r := (Options{Whole: true}).Search(p, []int{0, 1, 2, 3}); r.Cut || r.Steps > 100_000 || r.Yield < 0.666 {
		t.Errorf("%+v", r)
	}
}

func TestWholeSearchThatIsStoppedAtOnceReportsThatItMapsNothing(t *testing.T) {
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
		if questions++; s.Since > pace.Between+tasks || s.steps-s.asked > pace.Between+tasks {
			t.Errorf("%d items were looked at and %d steps made before question %d", s.Since, s.steps-s.asked, questions)
		}
		return false
	}}
	s = o.begin(p)
	s.start(order)
	asked := questions // so far, before every node
	s.readmit()
	for _, m := range s.methods[:4] {
		s.attempt(m, 0.4)
	}
	if questions == asked {
		t.Error("nobody asked")
	}
}
