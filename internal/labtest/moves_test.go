package labtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/client"
	"aliquot/web/api"
)

func TestPeriodicDecisionMovesARunningVMToWhereItGetsMore(t *testing.T) {
	s := begin(t)
	s.calm()
	s.only("n1")
	mover := s.submitOne(counting(endless, "280m"))
	s.awaitCount(mover, 0, 1, ended)
	s.submit(counting(endless, "1"), counting(endless, "1"))
	s.need(s.api.SetNode(s.ctx, "n2", "uncordon"))
	crowded := s.awaitThat(mover, "old enough to be moved", 2*ended, func(j api.Job) bool { return j.VirtualSeconds > 5 })
	if crowded.Tasks[0].Node != "n1" || *crowded.Yield > 0.6 {
		t.Fatalf("want it crowded on n1: %s", show(crowded))
	}
	s.need(s.api.SetPolicy(s.ctx, api.Policy{Name: policyName, Period: period.String()}))
	moved := s.awaitThat(mover, "moved to n2", ended, func(j api.Job) bool {
		return j.Tasks[0].Node == "n2" && j.Tasks[0].State == "running"
	})
	written := s.counted(mover, 0)
	s.awaitCount(mover, 0, written+3, ended)
	if j := s.job(mover); j.Tasks[0].Run != 1 || *moved.Yield <= *crowded.Yield {
		t.Errorf("its yield was %v; now: %s", *crowded.Yield, show(j))
	}
	if got, want := migrations(s.events(mover)), []string{mover + "/0 n1 to n2"}; !slices.Equal(got, want) {
		t.Errorf("migrations %q, want %q", got, want)
	}
	plan, err := s.api.Plan(s.ctx, api.Hypothesis{})
	s.ok(err)
	if w := plan.Weighed; w == nil || w.Beneficial || !strings.HasPrefix(w.Text, "no beneficial move: ") ||
		len(plan.Moves) > 0 {
		t.Errorf("right after the move, the plan for the next is %+v, weighed as %+v", plan.Moves, w)
	}
}

// only cordons all nodes except one.
func (s *scene) only(node string) {
	s.t.Helper()
	for _, p := range s.places {
		if p.name != node {
			s.need(s.api.SetNode(s.ctx, p.name, "cordon"))
		}
	}
}

// migrations returns the migrations among the events, sorted.
func migrations(events []api.Event) (found []string) {
	for _, e := range events {
		if e.Kind == "task_migrated" {
			found = append(found, fmt.Sprintf("%s/%d %s to %s", e.Job, *e.Task, e.From, e.Node))
		}
	}
	slices.Sort(found)
	return found
}

func TestDrainingFollowsTheAnnouncedPlanAndLosesNothing(t *testing.T) {
	s := begin(t)
	s.calm()
	s.only("n1")
	ids := s.submit(several(2, counting(endless, "400m")), counting(endless, "400m"))
	for _, id := range ids {
		for i := range s.job(id).Tasks {
			s.awaitCount(id, i, 1, 2*ended)
		}
	}
	for _, p := range s.places {
		s.need(s.api.SetNode(s.ctx, p.name, "uncordon"))
	}
	s.settled(ids)

	drain := api.Hypothesis{Drain: "n1"}
	stale, err := s.api.Plan(s.ctx, drain)
	s.ok(err)
	s.need(s.api.SetNode(s.ctx, "n3", "cordon"))
	s.need(s.api.SetNode(s.ctx, "n3", "uncordon"))
	late := api.PlanOrder{Basis: stale.Basis, Hypothesis: drain}
	if _, err := s.api.ApplyPlan(s.ctx, late); client.Code(err) != "stale_basis" {
		t.Errorf("a plan of before the last change was answered with %v", err)
	}
	if n := s.node("n1"); n.Draining {
		t.Fatal("a refused plan drains the node")
	}
	since := len(migrations(s.events("")))
	plan := s.applyFresh(drain)
	s.awaitNode("n1", "drained", ended)
	s.eventually("n1 has no VM", ended, func() error { return s.wantNoGuest("n1") })
	s.settled(ids)
	if got := migrations(s.events("")); since+len(plan) != len(got) {
		t.Errorf("%d migrations, want the %d of the plan", len(got)-since, len(plan))
	}
	var got []string
	for _, id := range ids {
		got = append(got, migrations(s.events(id))...)
	}
	slices.Sort(got)
	if diff := cmp.Diff(plan, got); diff != "" {
		t.Errorf("announced (-) and done (+):\n%s", diff)
	}
	for _, id := range ids {
		for i, task := range s.job(id).Tasks {
			s.awaitCount(id, i, s.counted(id, i)+1, 2*ended)
			if task.Run != 1 || task.Losses != 0 {
				t.Errorf("%s/%d lost its work: %+v", id, i, task)
			}
		}
	}
}

// applyFresh plans and applies at once and returns the announced migrations. If reports of the nodes outdate the plan
// meanwhile, it plans again.
func (s *scene) applyFresh(h api.Hypothesis) (announced []string) {
	s.t.Helper()
	s.eventually("a plan is applied", ended, func() error {
		plan, err := s.api.Plan(s.ctx, h)
		if err != nil {
			return err
		}
		announced = nil
		for _, m := range plan.Moves {
			switch m.Kind {
			case "migrate":
				announced = append(announced, fmt.Sprintf("%s/%d %s to %s", m.Job, m.Task, m.From, m.To))
			case "resize":
			default:
				s.t.Errorf("the plan announces %+v", m)
			}
		}
		_, err = s.api.ApplyPlan(s.ctx, api.PlanOrder{Basis: plan.Basis, Hypothesis: h})
		return err
	})
	slices.Sort(announced)
	return announced
}

func (s *scene) awaitNode(name, state string, within time.Duration) {
	s.t.Helper()
	s.eventually(name+" is "+state, within, func() error {
		if n := s.node(name); n.State != state {
			return fmt.Errorf("it is %s with %d tasks", n.State, n.Tasks)
		}
		return nil
	})
}
