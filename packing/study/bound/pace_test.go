package bound

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/pace"
)

// distinctTasks returns as many different tasks as there is room for on nodes of two sizes.
func distinctTasks(count int) (*packing.Problem, []int) {
	p, kept := &packing.Problem{}, make([]int, count)
	for n := range count / 10 {
		p.Nodes = append(p.Nodes, packing.Node{CPU: float64(1000 * (1 + n%2)), Rigid: []float64{1000}})
	}
	for i := range kept {
		kept[i] = i
		p.Items = append(p.Items, packing.Item{Count: 1, Need: float64(100 + i*7919%401),
			Rigid: []float64{float64(20 + i*104729%131)}})
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

func TestNodesAreNotSplitFurtherAfterTheEnd(t *testing.T) {
	p, kept := distinctTasks(20_000)
	lists := make([][]bool, 2*mostGroups)
	for k := range lists {
		lists[k] = make([]bool, len(p.Nodes))
		for n := range lists[k] {
			lists[k][n] = n%len(lists) >= k
		}
	}
	for i := range p.Items {
		p.Items[i].Allowed = lists[i%len(lists)]
	}
	for split, of := range map[string]func(in *instance) (made bool){
		"groups": func(in *instance) bool { return in.group() != nil },
		"fences": func(in *instance) bool { return in.fences() != nil },
	} {
		ends := 0
		for after := 1; ; after++ {
			asked := 0
			in := newInstance(p, kept, nil)
			in.begin(0)
			in.Stop = func() bool { asked++; return asked == after }
			if made := of(in); made == in.Ended || in.Ended && in.Since > 1 {
				t.Errorf("%s: made %v, looked at %d items after an end at question %d", split, made, in.Since, after)
			}
			if !in.Ended {
				break
			}
			ends++
		}
		if ends < 3 {
			t.Errorf("%s: %d ends", split, ends)
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
