package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/scheduler"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestPlanIsShownAndAppliedOnItsBasis(t *testing.T) {
	s := newSite(t)
	n1, n2 := s.Join(t, "n1", 2000, 1024*cluster.MiB), s.Join(t, "n2", 1000, 512*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 500, n1)
	s.PlanFunc = func(h scheduler.Hypothesis) (scheduler.Preview, error) {
		before, after := s.Latest(), s.Latest()
		if h.Drain != n1 {
			t.Errorf("the plan drains node %d, want %d", h.Drain, n1)
		}
		after.TargetAll().Set(id, &cluster.Placement{Grant: cluster.Foreground.Grant(400), Nodes: []cluster.NodeID{n2}})
		most := 0.9
		return scheduler.Preview{
			Basis: before.Revision, Before: before, After: after, Bound: &most,
			Plan: migrate.Plan{
				Steps: []migrate.Step{{Move: cluster.Move{Kind: cluster.Migrate, Task: cluster.TaskID{Job: id}, From: n1, To: n2,
					CPU: 400}}},
				Blocked: []migrate.Blocked{{Task: cluster.TaskID{Job: id, Index: 1}, Why: migrate.StillBooting}},
			},
			Adopt: cluster.Adopt{Why: []cluster.Reason{{Job: id, Code: cluster.WhyPlaced, Values: []int64{800}}}},
			Weighed: &cluster.Weighed{Jobs: 1, Gain: 90 * cluster.Second, Cost: 2 * cluster.Second,
				Horizon: cluster.Hour, Margin: 2},
		}, nil
	}
	var plan api.Plan
	r := s.want(200, "POST", "/v1/plan", webtest.Alice, `{"drain": "n1"}`)
	r.into(t, &plan)
	golden(t, "plan.json", indented(t, r.text))
	order, err := json.Marshal(api.PlanOrder{Basis: plan.Basis, Hypothesis: api.Hypothesis{Drain: "n1"}})
	if err != nil {
		t.Fatal(err)
	}
	s.want(200, "POST", "/v1/plan/apply", webtest.Operator, string(order))
	if !s.Latest().Node(n1).Draining {
		t.Error("the plan was applied and the node does not drain")
	}
	s.want(409, "POST", "/v1/plan/apply", webtest.Operator, string(order))
}

func TestADrainThatWouldBreakAPromiseIsRefusedAndItsPlanListsIt(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 4000, 1024*cluster.MiB)
	id := s.submit(job(`"reserve": {"start": "` + inMinutes(s, 60) + `", "duration": "10m"}`))
	s.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		before := s.Latest()
		draft := before.Clone()
		draft.Apply(draft.Revision+1, cluster.Command{At: before.At, Actor: cluster.Actor{Role: cluster.System},
			Action: cluster.SetNode{Node: n1, Want: cluster.ForceDrain}})
		return scheduler.Preview{Basis: before.Revision, Before: before, After: draft.Snapshot(before.At)}, nil
	}
	var plan api.Plan
	s.want(200, "POST", "/v1/plan", webtest.Alice, `{"drain": "n1"}`).into(t, &plan)
	if b := plan.Broken; len(b) != 1 || b[0].Job != id.String() || b[0].Owner != "alice" ||
		b[0].Until.Sub(b[0].From) != 10*time.Minute {
		t.Errorf("the plan would break %+v", plan.Broken)
	}
	apply := func(force bool) string {
		order, err := json.Marshal(api.PlanOrder{Basis: plan.Basis, Hypothesis: api.Hypothesis{Drain: "n1"}, Force: force})
		if err != nil {
			t.Fatal(err)
		}
		return string(order)
	}
	for _, r := range []reply{s.want(409, "POST", "/v1/plan/apply", webtest.Operator, apply(false)),
		s.want(409, "POST", "/v1/nodes/n1/cordon", webtest.Operator, ""),
		s.want(409, "POST", "/v1/nodes/n1/drain", webtest.Operator, "")} {
		if !strings.Contains(r.text, id.String()+" of alice") {
			t.Error(r.text)
		}
	}
	s.want(200, "POST", "/v1/nodes/n1/cordon?force=true", webtest.Operator, "")
	if !s.Latest().Node(n1).Cordoned || !s.Latest().PromiseTo(id).Broken() {
		t.Error("a forced cordon is not in force")
	}
	s.want(200, "POST", "/v1/nodes/n1/uncordon", webtest.Operator, "")
	s.want(200, "POST", "/v1/nodes/n1/drain?force=true", webtest.Operator, "")
	if !s.Latest().Node(n1).Draining {
		t.Error("it does not drain")
	}
	s.want(200, "POST", "/v1/nodes/n1/uncordon", webtest.Operator, "") // which makes the promise good
	s.want(200, "POST", "/v1/plan", webtest.Alice, `{"drain": "n1"}`).into(t, &plan)
	s.want(200, "POST", "/v1/plan/apply", webtest.Operator, apply(true))
	if !s.Latest().Node(n1).Draining || !s.Latest().PromiseTo(id).Broken() {
		t.Error("a forced plan was not applied")
	}
}

func TestOnlyAPlanOfADrainTakesForce(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 1024*cluster.MiB)
	for _, hypothesis := range []string{`{}`, `{"submit": ` + job("") + `}`, `{"policy": {"name": "FCFS"}}`} {
		order := `{"basis": 1, "force": true, "hypothesis": ` + hypothesis + `}`
		if r := s.want(422, "POST", "/v1/plan/apply", webtest.Admin, order); !strings.Contains(r.text, `"field":"force"`) {
			t.Errorf("%s: %s", hypothesis, r.text)
		}
	}
}

func TestAPlanShowsWhatANewJobIsPromised(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 1024*cluster.MiB)
	due := job(`"deadline": {"by": "` + inMinutes(s, 60) + `", "duration": "10m"}`)
	s.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		before := s.Latest()
		id := s.submit(due)
		return scheduler.Preview{Basis: before.Revision, Before: before, After: s.Latest(), Job: id}, nil
	}
	var plan api.Plan
	s.want(200, "POST", "/v1/plan", webtest.Alice, `{"submit": `+due+`}`).into(t, &plan)
	if p := plan.Jobs[0].Promise; p == nil || *p.LeftSeconds != 600 {
		t.Errorf("%+v", plan.Jobs[0])
	}
}

func TestAPlanShowsWhatAStandingReservationIsPromisedAndIsApplied(t *testing.T) {
	s := standingSite(t)
	s.PlanFunc = func(h scheduler.Hypothesis) (scheduler.Preview, error) {
		return scheduler.Foresee(s.Latest(), h, func(c cluster.PolicyChoice) (policy.Policy, error) {
			return catalog.Parse(c.Name, c.Period)
		})
	}
	var plan api.Plan
	before := s.fingerprint()
	s.want(200, "POST", "/v1/plan", webtest.Alice, `{"stand": `+weekly("")+`}`).into(t, &plan)
	if string(before) != string(s.fingerprint()) {
		t.Error("the plan changed something")
	}
	if len(plan.Jobs) != 10 {
		t.Fatalf("%d occurrences within two weeks: %+v", len(plan.Jobs), plan.Jobs)
	}
	for i, j := range plan.Jobs {
		p := j.Promise
		if !j.New || p == nil || p.PriceCoreHours <= 0 || i == 0 && p.From.Format("01-02 15:04") != "11-30 08:00" {
			t.Errorf("occurrence %d: %+v", i, j)
		}
	}
	order := `{"basis": ` + fmt.Sprint(plan.Basis) + `, "hypothesis": {"stand": ` + weekly("") + `}}`
	s.want(200, "POST", "/v1/plan/apply", webtest.Operator, order)
	var list api.StandingList
	s.want(200, "GET", "/v1/standing", webtest.Viewer, "").into(t, &list)
	if len(list.Standing) != 1 || len(list.Standing[0].Jobs) != 10 {
		t.Errorf("applied: %+v", list)
	}
	var p api.Problem
	wrong := strings.Replace(weekly(""), "Europe", "Atlantis", 1)
	if s.want(422, "POST", "/v1/plan", webtest.Alice, `{"stand": `+wrong+`}`).into(t, &p); p.Field != "stand.zone" {
		t.Errorf("a zone that is not known: %+v", p)
	}
}

func TestAPlanNamesTheTierOfEachJobBeforeAndAfter(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	changes, starts, stops := s.submit(small), s.submit(small), s.submit(small)
	s.Run(t, changes, 500, n1)
	s.Run(t, stops, 500, n1)
	s.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		before, after := s.Latest(), s.Latest()
		background := cluster.Placement{Grant: cluster.Background.Grant(500), Nodes: []cluster.NodeID{n1}}
		after.TargetAll().Set(changes, &background)
		after.TargetAll().Set(starts, &background)
		after.TargetAll().Set(stops, nil)
		return scheduler.Preview{Basis: before.Revision, Before: before, After: after}, nil
	}
	var plan api.Plan
	s.want(200, "POST", "/v1/plan", webtest.Alice, `{"drain": "n1"}`).into(t, &plan)
	var got [][3]string
	for _, j := range plan.Jobs {
		got = append(got, [3]string{j.Job, j.TierBefore, j.TierAfter})
	}
	want := [][3]string{{"j1", "foreground", "background"}, {"j2", "", "background"}, {"j3", "foreground", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if why := plan.Jobs[0].Why; why == nil || why.Code != string(cluster.WhyBackground) {
		t.Errorf("the job that changes its tier: %+v", why)
	}
}

func TestAPlanToDrainAnUnreachableNodeSaysWhatHoldsItsVMs(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Run(t, s.submit(small), 500, n1)
	s.submit(small)
	s.Must(t, cluster.SetLink{Node: n1, Broken: s.Latest().At})
	s.PlanFunc = func(h scheduler.Hypothesis) (scheduler.Preview, error) {
		before, after := s.Latest(), s.Latest()
		after.Node(h.Drain).Draining = true
		return scheduler.Preview{Basis: before.Revision, Before: before, After: after}, nil
	}
	var plan api.Plan
	s.want(200, "POST", "/v1/plan", webtest.Alice, `{"drain": "n1"}`).into(t, &plan)
	want := []api.BlockedTask{{Job: "j1", Obstacle: "stays where it is: task 0 runs on n1, " +
		"to which the manager has no connection; waits for it to return"}}
	if diff := cmp.Diff(want, plan.Blocked); diff != "" {
		t.Error(diff)
	}
}

func TestPlanSaysWhyASharedNodeGivesAnotherShare(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 250, n1)
	s.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		before, after := s.Latest(), s.Latest()
		after.TargetAll().Set(id, &cluster.Placement{Grant: cluster.Foreground.Grant(400), Nodes: []cluster.NodeID{n1}})
		return scheduler.Preview{Basis: before.Revision, Before: before, After: after}, nil
	}
	var plan api.Plan
	s.want(200, "POST", "/v1/plan", webtest.Alice, `{}`).into(t, &plan)
	if len(plan.Jobs) != 1 || plan.Jobs[0].Why == nil || plan.Jobs[0].Why.Text != "placed at yield 0.80" {
		t.Errorf("%+v", plan.Jobs)
	}
}
