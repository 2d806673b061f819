package bound

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/pace"
)

// distinctTasks are as many tasks, no two alike, as there is room for on nodes of two sizes.
func distinctTasks(count int) (*packing.Problem, []int) {
	p, kept := &packing.Problem{}, make([]int, count)
	for n := range count / 10 {
		p.Nodes = append(p.Nodes, packing.Node{CPU: float64(1000 * (1 + n%2)), Rigid: []float64{1000}})
	}
	for i := range kept {
		kept[i] = i
		p.Items = append(p.Items, packing.Item{Count: 1, Need: float64(100 + i*7919%401), Rigid: []float64{float64(20 + i*104729%131)}})
	}
	return p, kept
}

func TestEndIsAskedForWithEveryPassOverTheItems(t *testing.T) {
	const count = 20_000
	p, kept := distinctTasks(count)
	var in *instance
	questions := 0
	in = newInstance(p, kept, func() bool {
		if questions++; in.Since > pace.Between+count {
			t.Errorf("%d items were looked at before question %d", in.Since, questions)
		}
		return questions > 100
	})
	in.begin(0)
	in.summed(0, 1)
	for _, a := range in.arguments() {
		a.lowest(0, 1)
	}
	if questions != 101 {
		t.Errorf("asked %d times, wanted an end at the 101st", questions)
	}
}

func TestNoLevelIsLookedAtAfterTheEnd(t *testing.T) {
	p, kept := distinctTasks(20_000)
	for _, after := range []int{3, 5, 8} {
		var in *instance
		asked, end := 0, 0.0
		in = newInstance(p, kept, func() bool {
			if asked++; asked == after {
				end = in.level
			}
			return asked >= after
		})
		in.begin(0)
		in.lowest(func(in *instance) bool { return in.level > 0.7 }, 0, 1)
		if asked != after || in.level != end {
			t.Errorf("the end came at level %v, question %d of %d, the last level is %v", end, asked, after, in.level)
		}
	}
}

func TestBoundThatWasCutShortIsABound(t *testing.T) {
	p, kept := distinctTasks(20_000)
	whole := Of(p, kept)
	for _, after := range []int{1, 4, 16} {
		asked := 0
		b := Options{Stop: func() bool { asked++; return asked > after }}.Of(p, kept)
		if asked != after+1 {
			t.Errorf("asked %d times, wanted an end at the %dth", asked, after+1)
		}
		if b.Level < whole.Level || b.Impossible {
			t.Errorf("after %d questions %+v, the whole bound is %+v", after, b, whole)
		}
	}
}
