package instance_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/packing"
	"aliquot/packing/study/instance"
)

// small returns the goals that are drawn instantly.
func small() (families []instance.Family) {
	for _, f := range append(instance.Goals(), instance.Busy) {
		if f.Nodes <= 1000 {
			families = append(families, f)
		}
	}
	return families
}

func TestInstancesAreValidAndTheSameForASeed(t *testing.T) {
	for _, f := range small() {
		p, order := f.Draw(3)
		if err := p.Validate(); err != nil {
			t.Errorf("%v: %v", f, err)
		}
		again, orderAgain := f.Draw(3)
		if !cmp.Equal(p, again) || !cmp.Equal(order, orderAgain) {
			t.Errorf("%v: drawn twice, it differs", f)
		}
		if other, _ := f.Draw(4); cmp.Equal(p, other) {
			t.Errorf("%v: another seed gives the same", f)
		}
	}
}

// full fails unless the instance is within 2 % of its family's totals, with no task larger than a
// node.
func full(t interface {
	Helper()
	Errorf(string, ...any)
}, f instance.Family, seed uint64) {
	t.Helper()
	p, _ := f.Draw(seed)
	tasks := 0
	for _, it := range p.Items {
		if tasks += it.Count; it.Need > instance.Unit || it.Rigid[0] > instance.Unit {
			t.Errorf("%v, seed %d: a task needs %v and requires %v", f, seed, it.Need, it.Rigid[0])
		}
	}
	need, memory := instance.Sums(p)
	if math.Abs(memory-f.Memory) > 0.02*f.Memory {
		t.Errorf("%v, seed %d: memory is %.4f full", f, seed, memory)
	}
	if !f.Discrete && (tasks != f.Tasks || math.Abs(need-f.Need) > 0.02*f.Need) {
		t.Errorf("%v, seed %d: %d tasks need %.4f", f, seed, tasks, need)
	}
}

func TestInstancesAreAsFullAsTheirFamilySays(t *testing.T) {
	for _, f := range small() {
		for seed := range uint64(2) {
			full(t, f, seed)
		}
	}
}

func TestEveryPossibleFamilyReachesItsTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := instance.Family{Nodes: rapid.IntRange(100, 300).Draw(t, "nodes"),
			PerJob: rapid.IntRange(1, 5).Draw(t, "tasks of a job")}
		f.Tasks = f.PerJob * rapid.IntRange(50, 500).Draw(t, "jobs")
		most := 0.95 * float64(f.Tasks) / float64(f.Nodes)
		f.Memory, f.Need = rapid.Float64Range(0.1, most).Draw(t, "memory"), rapid.Float64Range(0.1, most).Draw(t, "need")
		full(t, f, 1)
	})
}

func TestImpossibleTotalsAreRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("600 % of 128 nodes was drawn with 500 tasks")
		}
	}()
	instance.Family{Nodes: 128, Tasks: 500, PerJob: 5, Memory: 0.9, Need: 6}.Draw(1)
}

// Sizes are spread evenly: the middle half of the range contains half of the tasks.
func TestSizesAreUniform(t *testing.T) {
	for _, need := range []float64{2, 6} {
		p, _ := instance.Family{Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.7, Need: need}.Draw(1)
		mean, half, middle := need/10, min(need/10, 1-need/10), 0
		for _, it := range p.Items {
			if math.Abs(it.Need/instance.Unit-mean) < half/2 {
				middle++
			}
		}
		if middle < 4800 || middle > 5200 {
			t.Errorf("need %v: %d of 10,000 tasks are in the middle half", need, middle)
		}
	}
}

func TestPinnedJobsAreWhereASearchHasPutThem(t *testing.T) {
	f := instance.Busy
	p, order := f.Draw(1)
	m := packing.Search(p, order).Mapping
	f.Pinned = 3
	p, _ = f.Draw(1)
	for i, it := range p.Items {
		if i%3 == 0 && !cmp.Equal(it.Pinned, m[i]) || i%3 > 0 && it.Pinned != nil {
			t.Errorf("item %d is pinned to %v, mapped to %v", i, it.Pinned, m[i])
		}
	}
}

// Published figures name a family and a seed, so their instances must not change.
func TestInstancesOfPublishedFiguresHaveNotChanged(t *testing.T) {
	for want, f := range map[string]instance.Family{
		"52c9b7705c98c8ad": instance.Busy,
		"353be26db75cd41f": {Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.7, Need: 2},
		"b7e97fe20dbd19b7": {Nodes: 1000, PerJob: 1, Memory: 0.7, Discrete: true},
	} {
		p, order := f.Draw(1)
		h := fnv.New64a()
		for _, it := range p.Items {
			fmt.Fprintln(h, it.Count, it.Need, it.MinCPU, it.Rigid, it.Label)
		}
		fmt.Fprintln(h, len(p.Nodes), order)
		if got := fmt.Sprintf("%016x", h.Sum64()); got != want {
			t.Errorf("%v: %s, was %s", f, got, want)
		}
	}
}
