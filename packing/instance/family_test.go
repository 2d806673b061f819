package instance_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/packing"
	"aliquot/packing/instance"
)

// small are the goals that are drawn in no time.
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

func TestInstancesAreAsFullAsTheirFamilySays(t *testing.T) {
	for _, f := range small() {
		p, _ := f.Draw(1)
		tasks, memory, need := 0, 0.0, 0.0
		for _, it := range p.Items {
			tasks += it.Count
			memory += float64(it.Count) * it.Rigid[0] / instance.Unit / float64(f.Nodes)
			need += float64(it.Count) * it.Need / instance.Unit / float64(f.Nodes)
		}
		tolerance := 2 / math.Sqrt(float64(len(p.Items)))
		if math.Abs(memory-f.Memory) > tolerance*f.Memory {
			t.Errorf("%v: memory is %.2f full", f, memory)
		}
		if !f.Discrete && (tasks != f.Tasks || need > f.Need*(1+tolerance)) {
			t.Errorf("%v: %d tasks need %.2f", f, tasks, need)
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

// Figures that were published name a family and a seed: what these give must not change.
func TestInstancesOfPublishedFiguresHaveNotChanged(t *testing.T) {
	for want, f := range map[string]instance.Family{
		"199f56a1e3435cec": instance.Busy,
		"123ba901cedb1842": {Nodes: 1000, Tasks: 10_000, PerJob: 1, Memory: 0.7, Need: 2},
		"b244624626a134b3": {Nodes: 1000, PerJob: 1, Memory: 0.7, Discrete: true},
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
