package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
	"aliquot/wording"
)

const small = `{"name": "small", "cpu": "500m", "memory": "64Mi", "command": ["true"]}`

const full = `{"name": "render", "tasks": 2, "cpu": "1.2", "memory": "96Mi", "image": "busybox",
	"command": ["/bin/sh", "-c"], "args": ["frame $N"], "env": {"N": "7", "KEY": "s3cret"},
	"restart": {"onFailure": 3}, "limits": {"runtime": "2h", "logBytes": "1Mi"}, "estimate": "20m",
	"labels": {"team": "blue"}, "placement": {"labels": {"zone": "a"}, "spread": true}}`

func TestRunningJobIsShownWithAllItsNumbers(t *testing.T) {
	s := newSite(t)
	n1, n2 := s.Join(t, "n1", 2000, 1024*cluster.MiB), s.Join(t, "n2", 1000, 512*cluster.MiB)
	id := s.submit(full)
	s.Run(t, id, 600, n1, n2)
	s.SetUsage(cluster.RunID{Job: id, Index: 0, Number: 1}, 587, 41*cluster.MiB)
	s.Advance(90 * cluster.Second)
	s.Move(t, cluster.Move{Kind: cluster.Pause, Task: cluster.TaskID{Job: id, Index: 1}, From: n2})
	golden(t, "job_running.json", indented(t, s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").text))
}

func TestEndedJobKeepsItsStory(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 500, n1)
	s.Advance(30 * cluster.Second)
	s.Exit(t, cluster.RunID{Job: id, Number: 1}, 3)
	s.Advance(cluster.Hour)
	golden(t, "job_failed.json", indented(t, s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").text))
}

func TestCommandEnvironmentAndLabelsAreHiddenFromOtherProjects(t *testing.T) {
	s := newSite(t)
	s.submit(`{"cpu": "500m", "memory": "64Mi", "command": ["/bin/run-s3cret"], "args": ["--password", "an-s3cret"],
		"env": {"PASSWORD": "env-s3cret"}, "labels": {"customer": "label-s3cret"}}`)
	for token, visible := range map[string]bool{webtest.Alice: true, webtest.Operator: true, webtest.Bob: false,
		webtest.Viewer: false} {
		for _, path := range []string{"/v1/jobs/j1", "/v1/jobs"} {
			text := s.want(200, "GET", path, token, "").text
			for _, secret := range []string{"run-s3cret", "an-s3cret", "env-s3cret", "label-s3cret"} {
				if got := strings.Contains(text, secret); got != visible {
					t.Errorf("%s shows the %s to %s: %v, want %v", path, secret, token, got, visible)
				}
			}
		}
	}
	var kept api.Job
	s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &kept)
	if diff := cmp.Diff([]string{"/bin/run-s3cret"}, kept.Spec.Command); diff != "" {
		t.Errorf("hiding the command from others has changed it: %s", diff)
	}
}

func TestNobodyGuessesALabelOfAnotherProjectByFilters(t *testing.T) {
	s := newSite(t)
	s.submit(`{"cpu": "500m", "memory": "64Mi", "command": ["/bin/true"], "labels": {"customer": "s3cret"}}`)
	for token, found := range map[string]int{webtest.Alice: 1, webtest.Operator: 1, webtest.Bob: 0, webtest.Viewer: 0} {
		for _, filter := range []string{"label=customer%3Ds3cret", "search=s3cret"} {
			var page api.JobPage
			s.want(200, "GET", "/v1/jobs?"+filter, token, "").into(t, &page)
			if page.Total != found || len(page.Jobs) != found {
				t.Errorf("%s finds %d jobs for %s, want %d", filter, page.Total, token, found)
			}
		}
	}
}

func TestSpecificationComesBackAsItWouldHaveToBeSubmitted(t *testing.T) {
	s := newSite(t)
	s.submit(full)
	var first, second api.Job
	s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &first)
	again, err := json.Marshal(first.Spec)
	if err != nil {
		t.Fatal(err)
	}
	s.submit(string(again))
	s.want(200, "GET", "/v1/jobs/j2", webtest.Alice, "").into(t, &second)
	if diff := cmp.Diff(first.Spec, second.Spec); diff != "" {
		t.Errorf("specification (-first +second):\n%s", diff)
	}
}

func TestRepeatedKeySubmitsOnce(t *testing.T) {
	s := newSite(t)
	var first, second api.Accepted
	s.want(201, "POST", "/v1/jobs", webtest.Alice, small, "Idempotency-Key: k1").into(t, &first)
	s.want(201, "POST", "/v1/jobs", webtest.Alice, small, "Idempotency-Key: k1").into(t, &second)
	if second.Job != first.Job || !second.Repeated || first.Repeated {
		t.Errorf("first %+v, repeated %+v", first, second)
	}
	var other api.Accepted
	s.want(201, "POST", "/v1/jobs", webtest.Bob, small, "Idempotency-Key: k1").into(t, &other)
	if other.Job == first.Job {
		t.Error("another user's key names the same request")
	}
	problem := s.want(422, "POST", "/v1/jobs", webtest.Alice, full, "Idempotency-Key: k1")
	for _, part := range []string{"idempotency_key_reused",
		"this key was used for " + first.Job + ", which is a different job"} {
		if !strings.Contains(problem.text, part) {
			t.Errorf("the same key for another job: %s", problem.text)
		}
	}
}

func TestRepeatedKeyOfAnotherRequestIsNoSubmission(t *testing.T) {
	s := newSite(t)
	s.want(200, "PUT", "/v1/policy", webtest.Admin, `{"name": "FCFS"}`, "Idempotency-Key: k1")
	problem := s.want(422, "POST", "/v1/jobs", webtest.Admin, small, "Idempotency-Key: k1")
	if !strings.Contains(problem.text, "idempotency_key_reused") {
		t.Error(problem.text)
	}
}

func TestNewestImageOfANameIsTaken(t *testing.T) {
	s := newSite(t)
	s.Advance(cluster.Second)
	newer := strings.Repeat("b", 64)
	s.Must(t, cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: newer, Kind: "kernel", Size: 1}})
	byName := s.submit(`{"cpu": "1", "memory": "32Mi", "command": ["true"], "image": "busybox"}`)
	builtin := s.submit(`{"cpu": "1", "memory": "32Mi", "command": ["true"]}`)
	v := s.Latest()
	if got, want := v.Job(byName).Spec.Image, "busybox@sha256:"+newer; got != want {
		t.Errorf("by name: %s, want %s", got, want)
	}
	if got, want := v.Job(builtin).Spec.Image, "busybox@sha256:"+webtest.Digest; got != want {
		t.Errorf("built in: %s, want %s", got, want)
	}
}

func TestJobsAreFiltered(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 4000, 1024*cluster.MiB)
	running := s.submit(
		`{"name": "render-1", "cpu": "1", "memory": "64Mi", "command": ["true"], "labels": {"team": "blue"}}`)
	s.submit(`{"name": "render-2", "cpu": "1", "memory": "64Mi", "command": ["true"], "labels": {"team": "red"}}`)
	s.want(201, "POST", "/v1/jobs", webtest.Bob, `{"name": "probe", "cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	s.Run(t, running, 1000, n1)
	s.want(200, "DELETE", "/v1/jobs/j2?cause=typo", webtest.Alice, "")
	for query, want := range map[string]string{
		"":                                     "j3 j2 j1",
		"?owner=alice":                         "j2 j1",
		"?project=other":                       "j3",
		"?name=render-*":                       "j2 j1",
		"?name=render":                         "",
		"?state=running":                       "j1",
		"?state=running,waiting":               "j3 j1",
		"?state=ended":                         "j2",
		"?state=cancelled":                     "j2",
		"?state=active":                        "j3 j1",
		"?label=team%3Dblue":                   "j1",
		"?label=team%3Dblue&label=team%3Dred":  "",
		"?owner=alice&state=active&name=*nder": "",
	} {
		if got := s.ids(query); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
}

func (s *site) ids(query string) string {
	s.Helper()
	var page api.JobPage
	s.want(200, "GET", "/v1/jobs"+query, webtest.Operator, "").into(s, &page)
	var ids []string
	for _, j := range page.Jobs {
		ids = append(ids, j.ID)
	}
	return strings.Join(ids, " ")
}

func TestPagesHoldEveryJobOnce(t *testing.T) {
	s := newSite(t)
	var want []string
	for i := range 7 {
		s.submit(small)
		want = append([]string{fmt.Sprintf("j%d", i+1)}, want...)
	}
	var got []string
	for cursor, pages := "", 0; ; pages++ {
		var page api.JobPage
		s.want(200, "GET", "/v1/jobs?limit=3&cursor="+cursor, webtest.Alice, "").into(t, &page)
		for _, j := range page.Jobs {
			got = append(got, j.ID)
		}
		if cursor = page.Next; cursor == "" {
			if pages != 2 {
				t.Errorf("%d pages, want 3", pages+1)
			}
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
}

func TestATaskNamesTheNodeOnWhichItIsPlacedUntilItIsThere(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 4000, 1024*cluster.MiB)
	want := func(node, target string) {
		t.Helper()
		var j api.Job
		s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
		if got := j.Tasks[0]; got.Node != node || got.Target != target {
			t.Errorf("on %q, placed on %q; want %q and %q", got.Node, got.Target, node, target)
		}
	}
	id := s.submit(small)
	want("", "")
	s.Place(t, id, 500, n1)
	want("", "n1")
	s.Run(t, id, 500, n1)
	want("n1", "")
}

func TestStateIsOneWord(t *testing.T) {
	s := newSite(t)
	n1, n2 := s.Join(t, "n1", 4000, 1024*cluster.MiB), s.Join(t, "n2", 4000, 1024*cluster.MiB)
	state := func(want string) {
		t.Helper()
		var j api.Job
		s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
		if j.State != want {
			t.Errorf("state %s, want %s", j.State, want)
		}
	}
	id := s.submit(small)
	task, run := cluster.TaskID{Job: id}, cluster.RunID{Job: id, Number: 1}
	see := func(node cluster.NodeID, m *cluster.Move, sight cluster.Sight) {
		t.Helper()
		s.Report(t, node, cluster.Observation{Run: run, Move: m.ID, Seen: sight, Cap: m.CPU, Image: cluster.MiB,
			Platform: "q35-7.2"})
	}
	state("waiting")
	s.Place(t, id, 500, n1)
	m := s.Move(t, cluster.Move{Kind: cluster.Start, Task: task, To: n1, CPU: 500})
	state("starting")
	see(n1, m, cluster.SeenBooting)
	state("starting")
	see(n1, m, cluster.SeenRunning)
	state("running")
	m = s.Move(t, cluster.Move{Kind: cluster.Resize, Task: task, From: n1, To: n1, CPU: 400})
	state("running")
	see(n1, m, cluster.SeenRunning)
	m = s.Move(t, cluster.Move{Kind: cluster.Migrate, Task: task, From: n1, To: n2, CPU: 400})
	state("moving")
	see(n2, m, cluster.SeenArrived)
	see(n1, &cluster.Move{}, cluster.SeenAbsent)
	state("running")
	m = s.Move(t, cluster.Move{Kind: cluster.Pause, Task: task, From: n2})
	state("pausing")
	see(n2, m, cluster.SeenSaved)
	state("paused")
	s.want(200, "POST", "/v1/jobs/j1/hold", webtest.Alice, "")
	state("held")
	s.want(200, "POST", "/v1/jobs/j1/release", webtest.Alice, "")
	state("paused")
	s.Place(t, id, 400, n1)
	m = s.Move(t, cluster.Move{Kind: cluster.Resume, Task: task, To: n1, CPU: 400})
	state("starting")
	see(n1, m, cluster.SeenRunning)
	state("running")
	s.want(200, "DELETE", "/v1/jobs/j1", webtest.Alice, "")
	state("stopping")
	m = s.Move(t, cluster.Move{Kind: cluster.Stop, Task: task, From: n1})
	see(n1, m, cluster.SeenAbsent)
	state("cancelled")
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestAJobThatWasHeldAndThenCancelledSaysOnlyThatItIsCancelled(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 4000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Place(t, id, 500, n1)
	s.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: id}, To: n1, CPU: 500})
	shown := func() (j api.Job) {
		t.Helper()
		s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j)
		return j
	}
	heldJobs := func() int {
		t.Helper()
		var page api.JobPage
		s.want(200, "GET", "/v1/jobs?state=held", webtest.Alice, "").into(t, &page)
		return page.Total
	}
	s.want(200, "POST", "/v1/jobs/j1/hold", webtest.Alice, "")
	if j := shown(); j.Why == nil || j.Why.Text != "held by its user" {
		t.Errorf("held: %+v", j.Why)
	}
	if n := heldJobs(); n != 1 {
		t.Errorf("%d jobs are found as held", n)
	}
	s.want(200, "DELETE", "/v1/jobs/j1", webtest.Alice, "")
	if j := shown(); j.State != "stopping" || j.Why != nil || j.Cause != "cancelled by alice" {
		t.Errorf("cancelled: %s, %+v, %q", j.State, j.Why, j.Cause)
	}
	if n := heldJobs(); n != 0 {
		t.Errorf("%d jobs are found as held when it is cancelled", n)
	}
	p := s.want(404, "GET", "/v1/jobs/j1/logs", webtest.Alice, "").text
	if strings.Contains(p, "held by its user") {
		t.Errorf("the refusal of its output: %s", p)
	}
}

func TestAJobThatThePolicyWouldEndAtOnceForLackOfAnEstimateIsRefused(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.want(201, "POST", "/v1/jobs", webtest.Alice, small, "Idempotency-Key: once")
	s.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
	for _, path := range []string{"/v1/jobs", "/v1/jobs/check"} {
		if refused := s.want(422, "POST", path, webtest.Alice, small).text; !strings.Contains(refused, `"field":"estimate"`) ||
			!strings.Contains(refused, "EASY") {
			t.Errorf("%s: %s", path, refused)
		}
	}
	again := s.want(201, "POST", "/v1/jobs", webtest.Alice, small, "Idempotency-Key: once").text
	if !strings.Contains(again, `"repeated":true`) {
		t.Errorf("what was accepted before is not known any more: %s", again)
	}
	for _, more := range []string{`"estimate": "5m"`, `"class": "background"`} {
		s.want(201, "POST", "/v1/jobs", webtest.Alice, strings.Replace(small, "{", "{"+more+", ", 1))
	}
}

func TestAJobThatThePolicyWouldEndForAReasonOfItsOwnIsRefusedWithIt(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Refuses = &cluster.Reason{Code: cluster.WhyNoPromises}
	refused := s.want(409, "POST", "/v1/jobs", webtest.Alice, small).text
	if !strings.Contains(refused, "would end it at once: "+wording.Reason(*s.Refuses, wording.Names{})) {
		t.Error(refused)
	}
}

func TestAJobOfMoreTasksThanThePolicyHasNodesForIsRefused(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Join(t, "n2", 2000, 1024*cluster.MiB)
	wide := strings.Replace(small, "{", `{"tasks": 3, `, 1)
	s.want(201, "POST", "/v1/jobs", webtest.Alice, wide, "Idempotency-Key: once")
	s.Must(t, cluster.SetPolicy{Name: "FCFS", Period: cluster.Minute})
	for path, body := range map[string]string{
		"/v1/jobs": wide, "/v1/jobs/check": wide, "/v1/plan": `{"submit": ` + wide + `}`,
		"/v1/plan/apply": `{"hypothesis": {"submit": ` + wide + `}, "basis": 1}`,
		"/v1/workflows":  `{"name": "w", "tasks": [{"name": "a", "job": ` + strings.Replace(wide, `"name": "small", `, "", 1) + `}]}`,
	} {
		token := webtest.Alice
		if path == "/v1/plan/apply" {
			token = webtest.Operator
		}
		refused := s.want(422, "POST", path, token, body).text
		if !strings.Contains(refused, `"code":"tasks_exceed_cluster"`) ||
			!strings.Contains(refused, "FCFS the nodes could never take 3 of this size together: ask for at most 2") {
			t.Errorf("%s: %s", path, refused)
		}
	}
	s.want(201, "POST", "/v1/jobs", webtest.Alice, wide, "Idempotency-Key: once")
	due := `"tasks": 3, "deadline": {"by": "` + inMinutes(s, 60) + `", "duration": "1m"}`
	for _, more := range []string{`"tasks": 2`, `"tasks": 3, "class": "background"`, due} {
		s.want(201, "POST", "/v1/jobs", webtest.Alice, strings.Replace(small, "{", "{"+more+", ", 1))
	}
	huge := strings.Replace(wide, `"memory": "`, `"memory": "9`, 1)
	if refused := s.want(422, "POST", "/v1/jobs", webtest.Alice, huge).text; strings.Contains(refused, "FCFS") {
		t.Errorf("what no policy could run: %s", refused)
	}
}

func TestAJobIsCheckedWithoutBeingSubmitted(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.want(204, "POST", "/v1/jobs/check", webtest.Alice, small)
	for body, field := range map[string]string{
		`{"cpu": "1", "memory": "9000Gi", "command": ["true"]}`: "memory",
		`{"cpu": "x", "memory": "64Mi", "command": ["true"]}`:   "cpu",
	} {
		submitted := s.want(422, "POST", "/v1/jobs", webtest.Alice, body).text
		if checked := s.want(422, "POST", "/v1/jobs/check", webtest.Alice, body).text; checked != submitted ||
			!strings.Contains(checked, `"field":"`+field+`"`) {
			t.Errorf("the check says %s, submitting it %s", checked, submitted)
		}
	}
	var list api.JobPage
	if s.want(200, "GET", "/v1/jobs", webtest.Alice, "").into(t, &list); len(list.Jobs) != 0 {
		t.Errorf("submitted: %+v", list.Jobs)
	}
}

func TestTheCheckOfAJobNeedsNoLeaderUnlessItsImageIsUnknown(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.SetDown(true)
	s.want(204, "POST", "/v1/jobs/check", webtest.Alice, small)
	s.want(422, "POST", "/v1/jobs/check", webtest.Alice, `{"cpu": "1", "memory": "9000Gi", "command": ["true"]}`)
	s.want(503, "POST", "/v1/jobs/check", webtest.Alice,
		`{"cpu": "1", "memory": "64Mi", "command": ["true"], "image": "other"}`)
}
