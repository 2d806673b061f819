package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/scheduler"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// mixed returns a site with two nodes, one of them draining, a job that runs on both, one that moves, and some that
// wait.
func mixed(t *testing.T) *site {
	s := newSite(t)
	n1, n2 := s.Join(t, "n1", 2000, 1024*cluster.MiB), s.Join(t, "n2", 1000, 512*cluster.MiB)
	s.submit(`{"name": "wide", "tasks": 2, "cpu": "1", "memory": "64Mi", "command": ["true"], "labels": {"team": "blue"}}`)
	s.submit(`{"name": "Small", "cpu": "500m", "memory": "128Mi", "command": ["true"]}`)
	s.submit(`{"name": "later", "tasks": 3, "cpu": "250m", "memory": "32Mi", "command": ["true"]}`)
	s.Run(t, 1, 500, n1, n2)
	s.Run(t, 2, 500, n2)
	s.SetUsage(cluster.RunID{Job: 1, Index: 0, Number: 1}, 480, 40*cluster.MiB)
	s.Place(t, 2, 450, n1)
	s.Move(t, cluster.Move{Kind: cluster.Migrate, Task: cluster.TaskID{Job: 2}, From: n2, To: n1, CPU: 450})
	s.want(200, "POST", "/v1/nodes/n2/cordon", webtest.Operator, "")
	s.Advance(5 * cluster.Minute)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision,
		Why: []cluster.Reason{{Job: 3, Code: cluster.WhyTooFewNodes, Values: []int64{2, 3}}}})
	return s
}

func TestTheOverviewShowsTheClusterAtOneGlance(t *testing.T) {
	golden(t, "overview.json", indented(t, mixed(t).want(200, "GET", "/v1/overview", webtest.Viewer, "").text))
}

func TestTheMapShowsEveryVMWhereItIsAndWhereItComes(t *testing.T) {
	golden(t, "map.json", indented(t, mixed(t).want(200, "GET", "/v1/map", webtest.Viewer, "").text))
}

func TestTheMapHasPagesAndSingleNodes(t *testing.T) {
	s := mixed(t)
	names := func(query string) (string, string) {
		var page api.ClusterMap
		s.want(200, "GET", "/v1/map"+query, webtest.Viewer, "").into(t, &page)
		var list []string
		for _, n := range page.Nodes {
			list = append(list, n.Name)
		}
		return strings.Join(list, " "), page.Next
	}
	for query, want := range map[string][2]string{"?limit=1": {"n1", "n1"}, "?limit=1&cursor=n1": {"n2", ""},
		"?node=n2": {"n2", ""}, "?cursor=n2": {"", ""}} {
		if list, next := names(query); list != want[0] || next != want[1] {
			t.Errorf("%s: %q, next %q", query, list, next)
		}
	}
}

// attention returns the issues that the overview lists.
func (s *site) attention(t *testing.T) []api.Attention {
	t.Helper()
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	return o.Attention
}

func TestAttentionNamesWhatIsWrongAndWhatToDo(t *testing.T) {
	s := newSite(t)
	look := func() (list []string) {
		for _, a := range s.attention(t) {
			if a.Help == "" || a.Text == "" {
				t.Errorf("%+v says too little", a)
			}
			list = append(list, a.Severity+" "+a.Code+" "+a.Node+a.Job)
		}
		return list
	}
	expect := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, look()); diff != "" {
			t.Errorf("attention (-want +got):\n%s", diff)
		}
	}
	expect("notice no_nodes ")
	n1, n2 := s.Join(t, "n1", 2000, 1024*cluster.MiB), s.Join(t, "n2", 2000, 1024*cluster.MiB)
	expect()
	job := s.submit(small)
	s.Run(t, job, 500, n1)
	s.Report(t, n2, cluster.Observation{Run: cluster.RunID{Job: job, Number: 7}, Seen: cluster.SeenStray})
	s.Exit(t, cluster.RunID{Job: job, Number: 1}, 3)
	s.Must(t, cluster.Report{Node: n1, StoreFree: -1})
	s.Must(t, cluster.Report{Node: n2, FenceAlive: true, StoreProven: true, StoreFree: 512 * cluster.MiB})
	if got := strings.Join(look(), ", "); !strings.Contains(got, "warning store_full") ||
		!strings.Contains(got, "warning fence_dead n1") ||
		!strings.Contains(got, "warning store_unproven n1") || !strings.Contains(got, "notice jobs_failed") {
		t.Errorf("attention: %s", got)
	}
	s.Must(t, cluster.Report{Node: n1, FenceAlive: true, StoreFree: -1, HypervisorSilent: true})
	if list := look(); list[0] != "problem hypervisor_silent n1" {
		t.Errorf("the worst is %q", list[0])
	}
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	if diff := cmp.Diff(map[string]int{"stalled": 1, "ready": 1}, o.Nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	s.Must(t, cluster.SetHealth{Node: n1, Health: cluster.Silent})
	s.Must(t, cluster.SetHealth{Node: n2, Health: cluster.Silent})
	s.Must(t, cluster.SetHealth{Node: n2, Health: cluster.Down})
	if list := look(); list[0] != "problem node_silent n1" {
		t.Errorf("the worst is %q", list[0])
	} else if got := strings.Join(list, ", "); !strings.Contains(got, "warning node_down n2") {
		t.Errorf("attention: %s", got)
	}
}

func TestANodeWithoutAConnectionNeedsAttentionFromWhenItBroke(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	broken := s.Latest().At
	s.Advance(90 * cluster.Second)
	s.Must(t, cluster.Report{Node: n1, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	s.Must(t, cluster.SetLink{Node: n1, Broken: broken})
	s.Advance(30 * cluster.Second)
	want := []api.Attention{{Severity: "problem", Code: "node_unreachable", Node: "n1",
		Text: "n1 has had no connection to the leader for 2 min",
		Help: "Check its monitor, its machine and its network. VMs there run on, but none can start, stop or move."}}
	if diff := cmp.Diff(want, s.attention(t)); diff != "" {
		t.Errorf("attention (-want +got):\n%s", diff)
	}
	s.Must(t, cluster.SetLink{Node: n1})
	if list := s.attention(t); len(list) > 0 {
		t.Errorf("connected again: %+v", list)
	}
}

func TestMonitorsOfDifferentVersionsNeedAttention(t *testing.T) {
	s := newSite(t)
	said := func() (texts []string) {
		for _, a := range s.attention(t) {
			if a.Code == "versions" {
				texts = append(texts, a.Text)
			}
		}
		return texts
	}
	join := func(name, version string) cluster.NodeID {
		return s.Must(t, cluster.Join{Name: name, Boot: "1", Description: cluster.Description{
			CPU: 1000, Memory: 1024 * cluster.MiB, Program: version}}).Node
	}
	join("n1", "v2")
	last := join("n2", "v2")
	if got := said(); got != nil {
		t.Errorf("of one version: %q", got)
	}
	join("n2", "v1")
	want := []string{"monitors of different versions: v1 on 1 node, v2 on 1 node"}
	if got := said(); !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
	s.Must(t, cluster.SetHealth{Node: last, Health: cluster.Silent})
	if got := said(); got != nil {
		t.Errorf("a silent node is not upgraded now: %q", got)
	}
	for i := range 9 {
		join(fmt.Sprint("m", i), fmt.Sprint("v", i))
	}
	if got := said(); len(got) != 1 || !strings.HasSuffix(got[0], ", and 4 more") {
		t.Errorf("of ten versions: %q", got)
	}
}

func TestAStuckJobSaysWhatKeepsItWhereItIs(t *testing.T) {
	s := newSite(t)
	n1, n2 := s.Join(t, "n1", 2000, 1024*cluster.MiB), s.Join(t, "n2", 2000, 1024*cluster.MiB)
	job := s.submit(small)
	s.Run(t, job, 500, n1)
	s.Place(t, job, 500, n2)
	run := cluster.RunID{Job: job, Number: 1}
	m := s.Move(t, cluster.Move{Kind: cluster.Migrate, Task: run.Task(), From: n1, To: n2, CPU: 500})
	s.Report(t, n1, cluster.Observation{Run: run, Move: m.ID, Seen: cluster.SeenFailed, Cause: "no route"})
	expect := func(code cluster.ReasonCode, says string, attention bool) {
		t.Helper()
		var j api.Job
		s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
		if j.Why.Code != string(code) || !strings.Contains(j.Why.Text, says) {
			t.Errorf("%s: %s; want %s: …%s…", j.Why.Code, j.Why.Text, code, says)
		}
		var o api.Overview
		s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
		if said := slices.ContainsFunc(o.Attention, func(a api.Attention) bool {
			return a.Code == string(code) && a.Job == "j1"
		}); said != attention {
			t.Errorf("%s among what needs attention: %v", code, said)
		}
	}
	expect(cluster.WhyPlaced, "at yield", false)
	s.Report(t, n2, cluster.Observation{Run: run, Seen: cluster.SeenStray})
	expect(cluster.WhyClings, "n2 has a copy of the VM of task 0 and fails to destroy it", true)
	s.Must(t, cluster.SetHealth{Node: n2, Health: cluster.Silent})
	expect(cluster.WhyRivalSilent, "n2, which is silent", true)
	s.Must(t, cluster.Report{Node: n1, FenceAlive: true, StoreFree: -1, HypervisorSilent: true})
	expect(cluster.WhyHypervisor, "task 0 runs on n1, whose hypervisor does not answer", false)
	s.Must(t, cluster.SetHealth{Node: n1, Health: cluster.Silent})
	expect(cluster.WhySilent, "task 0 is on n1, which is silent", false)
}

func TestAJobWithAPlaceAndNoVMSaysThatItIsToStart(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	job := s.submit(small)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision,
		Set: []cluster.Holding{{Job: job, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(500),
			Nodes: []cluster.NodeID{n1}}}},
		Why: []cluster.Reason{{Job: job, Code: cluster.WhyPlaced, Values: []int64{1000}}}})
	expect := func(state, why string) {
		t.Helper()
		var j api.Job
		s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
		if j.State != state || j.Why.Text != why {
			t.Errorf("%s: %s; want %s: %s", j.State, j.Why.Text, state, why)
		}
	}
	expect("waiting", "is to start at yield 1.00, after other moves")
	s.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: n1, CPU: 500})
	expect("starting", "placed at yield 1.00")
}

func TestAJobThatMayRunAndHasNoShareCountsAsYieldZero(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Run(t, s.submit(small), 500, n)
	s.submit(small)
	held := s.submit(small)
	s.want(200, "POST", "/v1/jobs/"+held.String()+"/hold", webtest.Alice, "")
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	want := api.YieldSummary{Jobs: 2, Without: 1, Mean: 0.5, Counts: []int{1, 0, 0, 0, 0, 0, 0, 0, 0, 1}, Full: 1}
	if diff := cmp.Diff(&want, o.Yield); diff != "" {
		t.Errorf("yields (-want +got):\n%s", diff)
	}
}

// said returns the text of the issue with the code; empty if there is none.
func (s *site) said(t *testing.T, code string) string {
	t.Helper()
	for _, a := range s.attention(t) {
		if a.Code == code {
			return a.Text
		}
	}
	return ""
}

func TestJobsOfOtherClassesAreCountedApart(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 1000, 1024*cluster.MiB)
	s.submit(`{"cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	for range 2 {
		s.submit(`{"cpu": "500m", "memory": "64Mi", "command": ["true"], "class": "background"}`)
	}
	s.Run(t, 1, 800, n1)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Set: []cluster.Holding{{Job: 2, Placement: cluster.Placement{
		Grant: cluster.Background.Grant(500), Nodes: []cluster.NodeID{n1}}}}})
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	if o.Yield == nil || o.Yield.Jobs != 1 || o.Yield.Least != 0.8 || o.Yield.Without != 0 {
		t.Errorf("yields: %+v", o.Yield)
	}
	if want := (api.BackgroundSummary{Jobs: 2, Background: 1, Without: 1}); o.Background == nil || *o.Background != want {
		t.Errorf("background: %+v, want %+v", o.Background, want)
	}
	if o.CPU.GuaranteedMillicores != 800 || o.CPU.BestEffortMillicores != 200 {
		t.Errorf("granted: %+v", o.CPU)
	}
	var j api.Job
	s.want(200, "GET", "/v1/jobs/j2", webtest.Viewer, "").into(t, &j)
	if j.Yield != nil || j.Tasks[0].Yield != 0 || j.Tasks[0].ShareMillicores != 500 {
		t.Errorf("a job in the background has the yield %v, and its task %+v", j.Yield, j.Tasks[0])
	}
}

func TestAStandardJobInTheBackgroundCountsAsYieldZero(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 1000, 1024*cluster.MiB)
	s.submit(`{"cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	s.submit(`{"cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	s.Run(t, 1, 800, n1)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Set: []cluster.Holding{{Job: 2, Placement: cluster.Placement{
		Grant: cluster.Background.Grant(1000), Nodes: []cluster.NodeID{n1}}}}})
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	if o.Yield == nil || o.Yield.Jobs != 2 || o.Yield.Least != 0 || o.Yield.Without != 1 || o.Yield.Mean != 0.4 {
		t.Errorf("yields: %+v", o.Yield)
	}
	s.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		return scheduler.Preview{Before: s.Latest(), After: s.Latest()}, nil
	}
	var plan api.Plan
	s.want(200, "POST", "/v1/plan", webtest.Operator, `{"drain": "n1"}`).into(t, &plan)
	if plan.YieldBefore == nil || *plan.YieldBefore != 0 {
		t.Errorf("the plan's least yield is %v", plan.YieldBefore)
	}
	s.wantMetrics("aliquot_yield_least 0")
}

func TestJobsThatHaveLongHadNoShareNeedAttention(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	first := s.submit(small)
	held := s.submit(small)
	s.want(200, "POST", "/v1/jobs/"+held.String()+"/hold", webtest.Alice, "")
	s.Advance(20 * cluster.Minute)
	s.submit(small)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision,
		Why: []cluster.Reason{{Job: first, Code: cluster.WhyNoMemory, Values: []int64{0, 1, int64(900 * cluster.MiB)}}}})
	if text := s.said(t, "jobs_starve"); text != "" {
		t.Errorf("after two periods: %q", text)
	}
	s.Advance(11 * cluster.Minute)
	if text := s.said(t, "jobs_starve"); !strings.HasPrefix(text, "j1 has had no share for 31 min: ") {
		t.Errorf("after three periods: %q", text)
	}
	s.Advance(20 * cluster.Minute)
	want := "2 jobs have had no share for 30 min or longer; j1 has had no share for 51 min: "
	if text := s.said(t, "jobs_starve"); !strings.HasPrefix(text, want) {
		t.Errorf("of two: %q", text)
	}
	s.Run(t, first, 500, n)
	if text := s.said(t, "jobs_starve"); !strings.HasPrefix(text, "j3 has had no share for 31 min") {
		t.Errorf("when one runs: %q", text)
	}
}

func TestATaskThatDoesNotFinishItsBootNeedsAttention(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	job := s.submit(small)
	s.Place(t, job, 500, n)
	see := func(m *cluster.Move, seen cluster.Sight) {
		t.Helper()
		s.Report(t, n, cluster.Observation{Run: cluster.RunID{Job: job, Number: 1}, Move: m.ID, Seen: seen, Cap: m.CPU,
			Platform: "q35-7.2"})
	}
	start := s.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: n, CPU: 500})
	see(start, cluster.SeenBooting)
	s.Advance(9 * cluster.Minute)
	if text := s.said(t, "boot_slow"); text != "" {
		t.Errorf("after nine minutes: %q", text)
	}
	s.Place(t, job, 400, n)
	resize := s.Move(t, cluster.Move{Kind: cluster.Resize, Task: cluster.TaskID{Job: job}, From: n, To: n, CPU: 400})
	see(resize, cluster.SeenBooting)
	s.Advance(2 * cluster.Minute)
	if text := s.said(t, "boot_slow"); text != "j1/0 has booted for 11 min, and its guest has not started" {
		t.Errorf("after another share, and eleven minutes: %q", text)
	}
	see(resize, cluster.SeenRunning)
	if text := s.said(t, "boot_slow"); text != "" {
		t.Errorf("when it runs: %q", text)
	}
}

func TestOfTasksThatHaveBootedForEquallyLongTheFirstIsNamed(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	job := s.submit(strings.Replace(small, "{", `{"tasks": 3, `, 1))
	s.Place(t, job, 100, n, n, n)
	for i := range 3 {
		m := s.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job, Index: i}, To: n, CPU: 100})
		s.Report(t, n, cluster.Observation{Run: cluster.RunID{Job: job, Index: i, Number: 1}, Move: m.ID,
			Seen: cluster.SeenBooting, Cap: m.CPU, Platform: "q35-7.2"})
	}
	s.Advance(11 * cluster.Minute)
	for range 30 { // maps have no order
		if text := s.said(t, "boot_slow"); !strings.Contains(text, "; j1/0 has booted for 11 min") {
			t.Fatal(text)
		}
	}
}

func TestSecondsUntilSomethingAreThoseThatAreLeft(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	job := s.submit(small)
	expect := func(text string) {
		t.Helper()
		var j api.Job
		s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
		if j.Why.Text != text {
			t.Errorf("%s; want %s", j.Why.Text, text)
		}
	}
	view := s.Latest()
	s.Must(t, cluster.Adopt{Basis: view.Revision, Seen: view.View().Pending(),
		Alarms: []cluster.Alarm{{At: view.At + cluster.Minute, Kind: cluster.AlarmTick}},
		Why:    []cluster.Reason{{Job: job, Code: cluster.WhyWaitsTick, Values: []int64{60}}}})
	expect("waits for the next periodic decision in 1 min")
	s.Advance(45 * cluster.Second)
	expect("waits for the next periodic decision in 15 s")
	s.Place(t, job, 500, n1)
	run := cluster.RunID{Job: job, Number: 1}
	m := s.Move(t, cluster.Move{Kind: cluster.Start, Task: run.Task(), To: n1, CPU: 500, Run: 1})
	s.Report(t, n1, cluster.Observation{Run: run, Move: m.ID, Seen: cluster.SeenFailed, Cause: "no space"})
	expect("1 attempt failed; tries again in 2 s")
	s.Advance(cluster.Second)
	expect("1 attempt failed; tries again in 1 s")
	s.Advance(cluster.Minute)
	expect("1 attempt failed; tries again in 0 s")
}

func TestATaskAndWhatNeedsAttentionTellWhyTheLastMoveFailed(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	job := s.submit(small)
	for run, cause := range []string{"", "no route", "no such image"} {
		if run > 0 {
			s.Place(t, job, 500, n1)
			m := s.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: n1, CPU: 500})
			s.Report(t, n1, cluster.Observation{Run: cluster.RunID{Job: job, Number: run}, Move: m.ID,
				Seen: cluster.SeenFailed, Cause: cause})
			s.Advance(cluster.Minute)
			cause = "start: " + cause
		}
		var j api.Job
		s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
		if got := j.Tasks[0].Trouble; got != cause {
			t.Errorf("after %d failures: %q, want %q", run, got, cause)
		}
	}
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	want := "2 moves of task 0 of j1 failed in a row (the last: start: no such image); the next attempt is in 0 s"
	if !slices.ContainsFunc(o.Attention, func(a api.Attention) bool { return a.Code == "moves_fail" && a.Text == want }) {
		t.Errorf("what needs attention: %+v", o.Attention)
	}
}

func TestAttentionTellsDurationsInUnitsThatFit(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Must(t, cluster.SetHealth{Node: n, Health: cluster.Silent})
	s.Must(t, cluster.SetHealth{Node: n, Health: cluster.Down})
	for _, step := range []struct {
		passes cluster.Time
		want   string
	}{{0, "0 s"}, {45 * cluster.Second, "45 s"}, {15 * cluster.Second, "1 min"}, {75 * cluster.Second, "2 min 15 s"},
		{2 * cluster.Hour, "2 h 2 min"}, {48 * cluster.Hour, "2 d 2 h"}} {
		s.Advance(step.passes)
		var o api.Overview
		s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
		if got := o.Attention[0].Text; got != "n1 has been down for "+step.want {
			t.Errorf("%s; want %s", got, step.want)
		}
	}
}

func TestAttentionIsBounded(t *testing.T) {
	s := newSite(t)
	for i := range 70 {
		id := s.Join(t, fmt.Sprintf("n%d", i), 1000, 512*cluster.MiB)
		s.Must(t, cluster.Report{Node: id, StoreProven: true, StoreFree: 4096 * cluster.MiB})
	}
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	if len(o.Attention) != 50 || o.AttentionMore != 20 {
		t.Errorf("%d, and %d more", len(o.Attention), o.AttentionMore)
	}
}

func TestJobsAreSearchedSortedAndCounted(t *testing.T) {
	s := mixed(t)
	s.submit(`{"name": "blue-one", "cpu": "100m", "memory": "16Mi", "command": ["true"]}`)
	for query, want := range map[string]string{
		"?search=SMALL":                    "j2",
		"?search=blue":                     "j4 j1",
		"?search=team%3Dblue":              "j1",
		"?search=alice+j3":                 "j3",
		"?search=nothing":                  "",
		"?node=n1":                         "j2 j1",
		"?node=n2":                         "j2 j1",
		"?sort=name&order=asc":             "j4 j3 j2 j1",
		"?sort=name":                       "j1 j2 j3 j4",
		"?sort=need":                       "j1 j2 j3 j4",
		"?sort=tasks&order=asc":            "j4 j2 j1 j3",
		"?sort=yield":                      "j2 j1 j4 j3",
		"?sort=memory&offset=1&limit=2":    "j1 j3",
		"?sort=id&order=asc&offset=3":      "j4",
		"?offset=9":                        "",
		"?sort=state&order=asc&search=one": "j4",
	} {
		if got := s.ids(query); got != want {
			t.Errorf("%s lists %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]int{"": 4, "?limit=1": 4, "?search=blue&limit=1": 2, "?cursor=j2": 4,
		"?offset=3": 4} {
		var page api.JobPage
		s.want(200, "GET", "/v1/jobs"+query, webtest.Operator, "").into(t, &page)
		if page.Total != want {
			t.Errorf("%q counts %d, want %d", query, page.Total, want)
		}
	}
}

func TestReasonsNameNodes(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "rack7", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision,
		Why: []cluster.Reason{{Job: id, Code: cluster.WhyLost, Values: []int64{int64(n)}}}})
	var j api.Job
	s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
	if j.Why.Text != "its VM on rack7 was lost; starts again" {
		t.Errorf("why: %s", j.Why.Text)
	}
}

func TestEventsAreExportedForProgramsAndSpreadsheets(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	for range 3 {
		s.submit(small)
	}
	s.want(200, "DELETE", "/v1/jobs/j2?cause=%3DHYPERLINK%28%22x%22%29", webtest.Alice, "")
	lines := s.want(200, "GET", "/v1/history/export?kind=job_*", webtest.Viewer, "")
	if got := strings.Count(lines.text, "\n"); got != 5 || lines.header.Get("Content-Type") != "application/jsonl" ||
		!strings.Contains(lines.header.Get("Content-Disposition"), "events.jsonl") {
		t.Errorf("%d lines, %v\n%s", got, lines.header, lines.text)
	}
	golden(t, "events.csv", s.want(200, "GET", "/v1/history/export?kind=job_*&format=csv", webtest.Viewer, "").text)
	if two := s.want(200, "GET", "/v1/history/export?limit=2", webtest.Viewer, "").text; strings.Count(two, "\n") != 2 {
		t.Errorf("two events are %q", two)
	}
	s.Advance(cluster.Hour)
	s.submit(small)
	if recent := s.want(200, "GET", "/v1/history/export?from=2026-01-01T12:30:00Z", webtest.Viewer,
		"").text; strings.Count(recent, "\n") != 1 {
		t.Errorf("since half past twelve: %q", recent)
	}
}
