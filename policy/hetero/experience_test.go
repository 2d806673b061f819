package hetero

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

func TestExperienceIsTheMeanOfCompletedRuns(t *testing.T) {
	var e Experience
	p := Pair{"a", false, "m1"}
	for _, run := range []Ticks{10, 20, 30} {
		if err := e.Observe(p, run); err != nil {
			t.Fatal(err)
		}
	}
	c, known := e.Of(p)
	if !known || c.Mean() != 20 || c.Count != 3 || math.Abs(c.Deviation()-10) > 1e-9 {
		t.Errorf("%+v, deviation %g", c, c.Deviation())
	}
	if _, known := e.Of(Pair{"a", true, "m1"}); known {
		t.Error("a parallel run is not a sequential one")
	}
}

func TestImpossibleRunsAreNoExperience(t *testing.T) {
	var e Experience
	for _, run := range []Ticks{0, -5, Longest + 1, math.MaxInt64, math.MinInt64} {
		if err := e.Observe(Pair{"a", false, "m1"}, run); err == nil {
			t.Errorf("%d ms were believed", run)
		}
	}
	for want, c := range map[string]Cell{
		"count is 0":         {0, 10, big.NewInt(100)},
		"the mean of 2 runs": {2, 1, big.NewInt(1)},
		"too small":          {2, 20, big.NewInt(199)},
		"too large":          {2, 20, big.NewInt(401)},
	} {
		if err := e.Add(Pair{"a", false, "m1"}, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if len(e.Pairs()) > 0 {
		t.Error("a refused run left a trace")
	}
	_ = e.Add(Pair{"a", false, "m1"}, Cell{most, most, big.NewInt(most)})
	if err := e.Observe(Pair{"a", false, "m1"}, 1); err == nil {
		t.Error("a count overflows")
	}
}

func TestAPairWithoutHistoryIsPredictedByItsClass(t *testing.T) {
	s := &Site{Machines: []Machine{{Name: "m1", Class: "x"}, {Name: "m2", Class: "x"}, {Name: "m3", Class: "y"},
		{Name: "m4", Class: "x", Down: true}}, Clusters: []Cluster{{Name: "c1", Class: "cx", Members: []int{0, 1}}}}
	var e Experience
	for p, run := range map[Pair]Ticks{{"a", false, "m1"}: 10, {"a", false, "x"}: 30, {"a", false, "m4"}: 80,
		{"a", true, "cx"}: 7} {
		if err := e.Observe(p, run); err != nil {
			t.Fatal(err)
		}
	}
	table := e.Predict(s, []string{"a", "b"})
	if got := table.Sequential[0]; got[0] != 10 || got[1] != 40 || got[2] != Never || got[3] != Never {
		t.Errorf("%v", got)
	}
	if table.Parallel[0][0] != 7 || table.Shortest(1, true) != Never || table.Shortest(0, false) != 10 {
		t.Errorf("%+v", table)
	}
}

func TestTheMeanOfAClassIsRightHoweverLongItsHistory(t *testing.T) {
	s := &Site{Machines: []Machine{{Name: "new", Class: "x"}}}
	var e Experience
	sum := new(big.Int).Mul(big.NewInt(int64(Longest)), big.NewInt(most))
	long := Cell{most, Longest * most, sum.Mul(sum, big.NewInt(int64(Longest)))}
	for i := range 20 {
		name := string(rune('a' + i))
		s.Machines = append(s.Machines, Machine{Name: name, Class: "x"})
		if err := e.Add(Pair{"a", false, name}, long); err != nil {
			t.Fatal(err)
		}
	}
	if got := e.Predict(s, []string{"a"}).Sequential[0][0]; got != Longest {
		t.Errorf("%d, want %d", got, Longest)
	}
}
