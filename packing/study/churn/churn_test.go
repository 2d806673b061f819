package churn_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/packing/study/churn"
)

func never() bool { return false }

func TestAComparisonThatIsEndedCountsTheStepsThatItTook(t *testing.T) {
	f, asked := churn.Families()[0], 0
	ended := churn.Compare(f, 1, 5, func() bool { asked++; return asked > 2 })
	if diff := cmp.Diff(churn.Compare(f, 1, 2, never), ended); diff != "" {
		t.Error(diff)
	}
}

func TestStablePackingMovesAFractionOfTheMemoryThatMCB8Moves(t *testing.T) {
	for _, f := range churn.Families() {
		r := churn.Compare(f, 1, 1+300/f.Nodes, never)
		switch {
		case r.Anew == 0:
			t.Errorf("%v: MCB8 moves nothing, so nothing is compared", f)
		case r.Stable > 0.15*r.Anew:
			t.Errorf("%v: stable packing moves %.1f, MCB8 %.1f", f, r.Stable, r.Anew)
		case r.Loss > 0.02:
			t.Errorf("%v: %.3f of the yield is lost", f, r.Loss)
		case r.Lossless > 0.15*r.Anew:
			t.Errorf("%v: without loss it moves %.1f, MCB8 %.1f", f, r.Lossless, r.Anew)
		case r.Stable > r.Lossless:
			t.Errorf("%v: giving up some yield it moves %.1f, without loss %.1f", f, r.Stable, r.Lossless)
		case r.Assigned > 0.9*r.Anew || r.Bound > r.Assigned || r.Bound < r.Assigned*(1-1e-9):
			t.Errorf("%v: assigned anew, it moves %.1f, at least %.1f, of %.1f", f, r.Assigned, r.Bound, r.Anew)
		case r.Home > 0.6*r.Anew || r.Home > r.Assigned:
			t.Errorf("%v: at home where that costs nothing, it moves %.1f, assigned %.1f, of %.1f", f, r.Home,
				r.Assigned, r.Anew)
		}
	}
}

func TestASequenceIsTheSameForASeed(t *testing.T) {
	f := churn.Families()[0]
	if diff := cmp.Diff(churn.Compare(f, 3, 2, never), churn.Compare(f, 3, 2, never)); diff != "" {
		t.Error(diff)
	}
	if churn.Compare(f, 3, 1, never).Anew == churn.Compare(f, 4, 1, never).Anew {
		t.Error("another seed gives the same")
	}
}

func TestClustersStayAsFullAsTheirFamilySays(t *testing.T) {
	for _, f := range churn.Families()[:5] {
		s := churn.Begin(f, 1)
		for range 3 {
			p, now, order := s.Step()
			memory, fresh := 0.0, 0
			for i, it := range p.Items {
				memory += float64(it.Count) * it.Rigid[0] / p.Nodes[0].Rigid[0] / float64(f.Nodes)
				if now[i] == nil {
					fresh++
				}
			}
			if memory > f.Memory+1e-9 || memory < f.Memory-0.05 || fresh == 0 || len(order) != len(p.Items) {
				t.Errorf("%v: memory is %.2f full, %d of %d are new", f, memory, fresh, len(p.Items))
			}
			for i := range now {
				now[i] = make([]int, p.Items[i].Count)
			}
			s.Adopt(now)
		}
	}
}

func TestTheTableSaysHowMuchLessIsMoved(t *testing.T) {
	var b bytes.Buffer
	churn.Write(&b, []churn.Row{{Family: churn.Families()[0], Steps: 4, Anew: 200, Assigned: 100, Bound: 90, Home: 60,
		Lossless: 20, Stable: 1, Loss: 0.012, Mended: 4}})
	if want := "200   -50.0%    -55.0%    -70.0%  -90.0%           -99.5%  1.20%  4/4"; !strings.Contains(b.String(),
		want) {
		t.Errorf("no %q in\n%s", want, &b)
	}
}
