package web_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// inMinutes returns a time some minutes after the site's beginning, as REST takes it.
func inMinutes(s *site, n cluster.Time) string {
	return time.UnixMicro(int64(s.Latest().At + n*cluster.Minute)).UTC().Format(time.RFC3339)
}

func TestAReservationIsPromisedShownAndGivenBack(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB) // alice may have half of it
	interval := `{"start": "` + inMinutes(s, 10) + `", "duration": "2h"}`
	id := s.submit(job(`"tasks": 3, "reserve": ` + interval))
	var list api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list)
	var j api.Job
	s.want(200, "GET", "/v1/jobs/"+id.String(), webtest.Viewer, "").into(t, &j)
	want := api.Reservation{Job: "j1", Name: "x", Owner: "alice", Project: j.Project, Tasks: 3, CPUMillicores: 500,
		MemoryBytes: j.ChargeBytes, Promise: *j.Promise}
	if diff := cmp.Diff([]api.Reservation{want}, list.Reservations); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	if p := j.Promise; p.State != "promised" || p.From.Format(time.RFC3339) != inMinutes(s, 10) ||
		p.Until.Sub(p.From) != 2*time.Hour ||
		!p.Due.Before(p.From) || len(p.Nodes) != 3 ||
		j.Spec.Reserve.Duration != "2h" || j.Spec.Estimate != "" || j.ForecastSeconds != 7200 {
		t.Errorf("the job: %+v, %+v", p, j.Spec.Reserve)
	}
	problem := s.want(409, "POST", "/v1/jobs", webtest.Alice, job(`"tasks": 2, "reserve": `+interval))
	var p api.Problem
	problem.into(t, &p)
	short := strings.Contains(p.Detail, "has 1500m and 240 MiB of it already, ") &&
		strings.Contains(p.Detail, ": short by 500m of CPU;")
	if p.Code != "cannot_be_promised" || !short || len(p.Alternatives) != 2 ||
		p.Alternatives[0].Tasks != 2 || p.Alternatives[1].Tasks != 1 {
		t.Errorf("without room: %+v", p)
	}
	s.want(409, "POST", "/v1/jobs/check", webtest.Alice, job(`"tasks": 2, "reserve": `+interval))
	s.want(409, "POST", "/v1/jobs/j1/hold", webtest.Alice, "")
	s.want(200, "DELETE", "/v1/jobs/j1", webtest.Alice, "")
	s.want(201, "POST", "/v1/jobs", webtest.Alice, job(`"tasks": 2, "reserve": `+interval))
}

// The policy books the head of the queue a start, which is in the list without a promise of the State.
func TestWhatThePolicyBookedForWaitingJobsIsListed(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 1000, 1024*cluster.MiB)
	s.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
	runs, head, behind := s.submit(job(`"estimate": "1h"`)), s.submit(job(`"estimate": "30m"`)), s.submit(job(`"estimate": "2h"`))
	s.Run(t, runs, 500, n1)
	wait := cluster.Reason{Job: head, Code: cluster.WhyPromised, Values: []int64{0, 1, 3600, int64(runs), 0}}
	delays := cluster.Reason{Job: behind, Code: cluster.WhyWouldDelay, Values: []int64{int64(head)}}
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Why: []cluster.Reason{wait, delays}})
	var list api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list)
	submitted := clockOf(s.Latest().Job(head).Submitted)
	if len(list.Expected) != 1 || list.ExpectedTotal != 1 || list.Expected[0].Job != head.String() ||
		!list.Expected[0].Start.Equal(submitted.Add(time.Hour)) ||
		list.Expected[0].Until.Sub(list.Expected[0].Start) != 30*time.Minute {
		t.Errorf("expected starts: %+v", list.Expected)
	}
	s.want(200, "POST", "/v1/jobs/"+head.String()+"/hold", webtest.Alice, "")
	if s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list); len(list.Expected) != 0 {
		t.Errorf("of a job that is held: %+v", list.Expected)
	}
}

func TestAStartThatHasPassedIsNotTold(t *testing.T) {
	for _, c := range []struct{ estimate, want string }{
		{"30m", "waits for a free node; it starts as soon as j1 ends, which is past its estimate or has none"},
		{"3h", "waits for a free node; by the estimates it would run by now, but others run for longer"},
	} {
		s := newSite(t)
		n1 := s.Join(t, "n1", 1000, 1024*cluster.MiB)
		s.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
		runs, waits := s.submit(job(`"estimate": "`+c.estimate+`"`)), s.submit(job(`"estimate": "30m"`))
		s.Run(t, runs, 500, n1)
		s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Why: []cluster.Reason{
			{Job: waits, Code: cluster.WhyPromised, Values: []int64{0, 1, 3600, int64(runs), 0}}}})
		told := func() (string, int) {
			var j api.Job
			s.want(200, "GET", "/v1/jobs/"+waits.String(), webtest.Viewer, "").into(t, &j)
			var list api.ReservationList
			s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list)
			return j.Why.Text, len(list.Expected)
		}
		if text, listed := told(); !strings.Contains(text, "at the latest 1 h after its submission") || listed != 1 {
			t.Errorf("before: %d listed, %s", listed, text)
		}
		s.Advance(61 * cluster.Minute)
		if text, listed := told(); text != c.want || listed != 0 {
			t.Errorf("afterwards: %d listed, %s", listed, text)
		}
	}
}

func clockOf(t cluster.Time) time.Time { return time.UnixMicro(int64(t)).UTC() }

func TestADeadlineIsPromisedShownAndRefusedWithALaterOne(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)                                            // alice may have half of it
	due := `"tasks": 4, "deadline": {"by": "` + inMinutes(s, 150) + `", "work": "4h"}` // two hours at 500m each
	s.submit(job(due))
	var j api.Job
	s.want(200, "GET", "/v1/jobs/j1", webtest.Viewer, "").into(t, &j)
	p := j.Promise
	if p.Deadline.Format(time.RFC3339) != inMinutes(s, 150) || *p.LeftSeconds != 7200 || *p.SlackSeconds < 1560 ||
		*p.SlackSeconds > 1630 || j.Spec.Deadline.Work != "4h" || j.Spec.Deadline.By != inMinutes(s, 150) {
		t.Errorf("the job: %+v, %+v", p, j.Spec.Deadline)
	}
	var list api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list)
	if want := (api.Margin{Part: 0.02}); list.Margin != want || p.Margin != want.Part {
		t.Errorf("margins: %+v of new ones, %v of the job's", list.Margin, p.Margin)
	}
	var refused api.Problem
	s.want(409, "POST", "/v1/jobs", webtest.Alice, job(due)).into(t, &refused)
	later := refused.Alternatives[0]
	if refused.Field != "deadline" || later.Deadline == nil || later.Tasks != 4 {
		t.Fatalf("without room: %+v", refused)
	}
	s.want(201, "POST", "/v1/jobs", webtest.Alice,
		job(`"tasks": 4, "deadline": {"by": "`+later.Deadline.Format(time.RFC3339)+`", "work": "4h"}`))
	s.Advance(31 * cluster.Minute)
	for _, a := range s.attention(t) {
		if a.Code == "promise_late" && a.Job == "j1" {
			return
		}
	}
	t.Error("a job that cannot end in time any more is no concern")
}

// Nothing runs the job while its first part lasts, and the second one cannot hold all of its work.
func TestAPromiseThatHoldsTooLittleIsToldAsSuch(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	most := cluster.Use{CPU: 10_000, Memory: 1 << 40}
	s.Must(t, cluster.SetQuota{Quota: cluster.Quota{Owner: "alice", Most: most}})
	s.Must(t, cluster.SetQuota{Quota: cluster.Quota{Project: "render", Most: most}})
	s.submit(job(`"tasks": 8, "reserve": {"start": "` + inMinutes(s, 60) + `", "duration": "30m"}`))
	id := s.submit(job(`"tasks": 8, "deadline": {"by": "` + inMinutes(s, 150) + `", "duration": "80m", "pausable": true}`))
	s.Advance(cluster.Hour)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision})
	var j api.Job
	s.want(200, "GET", "/v1/jobs/"+id.String(), webtest.Viewer, "").into(t, &j)
	if p := j.Promise; p.ShortSeconds == nil || *p.ShortSeconds < 1200 || *p.ShortSeconds > 1300 || p.SlackSeconds != nil {
		t.Errorf("%+v", j.Promise)
	}
	for _, a := range s.attention(t) {
		if a.Code == "promise_at_risk" && a.Job == id.String() {
			return
		}
	}
	t.Error("that too little is kept is no concern")
}

func TestMaintenanceOverAPromiseIsRefusedWithIt(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	s.submit(job(`"reserve": {"start": "` + inMinutes(s, 60) + `", "duration": "2h"}`))
	window := `{"start": "` + inMinutes(s, 90) + `", "duration": "1h", "reason": "disk"`
	var p api.Problem
	s.want(409, "POST", "/v1/nodes/n1/maintenance", webtest.Operator, window+`}`).into(t, &p)
	if !strings.Contains(p.Detail, "j1 of alice") {
		t.Errorf("refused: %+v", p)
	}
	s.want(403, "POST", "/v1/nodes/n1/maintenance", webtest.Alice, window+`}`)
	s.want(201, "POST", "/v1/nodes/n1/maintenance", webtest.Operator, window+`, "force": true}`)
	var n api.Node
	s.want(200, "GET", "/v1/nodes/n1", webtest.Viewer, "").into(t, &n)
	if len(n.Maintenance) != 1 || n.Maintenance[0].Reason != "disk" ||
		n.Maintenance[0].Start.Format(time.RFC3339) != inMinutes(s, 90) {
		t.Errorf("planned: %+v", n.Maintenance)
	}
	for body, field := range map[string]string{
		`{"duration": "1s"}`: "duration", `{"duration": "x1"}`: "duration", `{"start": "now", "duration": "1h"}`: "start",
		`{"start": "` + inMinutes(s, -1) + `", "duration": "1h"}`: "start",
	} {
		var p api.Problem
		s.want(422, "POST", "/v1/nodes/n1/maintenance", webtest.Operator, body).into(t, &p)
		if !strings.HasSuffix(p.Field, field) {
			t.Errorf("%s: %+v", body, p)
		}
	}
	s.want(404, "DELETE", "/v1/nodes/n1/maintenance?start="+inMinutes(s, 91), webtest.Operator, "")
	s.want(200, "DELETE", "/v1/nodes/n1/maintenance", webtest.Operator, "")
	s.want(404, "DELETE", "/v1/nodes/n1/maintenance", webtest.Operator, "")
}

func TestPromisesCountOnANodeAfterItsMaintenance(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	s.want(201, "POST", "/v1/nodes/n1/maintenance", webtest.Operator, `{"duration": "1h"}`)
	var list api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list)
	if c := list.Capacity; len(c) != 2 || c[0].CPUMillicores != 0 || c[1].CPUMillicores != 4000 ||
		c[1].From.Sub(c[0].From) != time.Hour {
		t.Errorf("%+v", c)
	}
}

func TestAnExtensionWithoutRoomIsRefusedWithTheShortfall(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	reserve := func(start cluster.Time) string {
		return job(`"tasks": 4, "reserve": {"start": "` + inMinutes(s, start) + `", "duration": "1h"}`)
	}
	s.submit(reserve(60))
	s.submit(reserve(150))
	extend, shorten := "/v1/reservations/j1/extend", "/v1/reservations/j1/shorten"
	var p api.Problem
	s.want(409, "POST", extend, webtest.Alice, `{"by": "40m"}`).into(t, &p)
	if p.Code != "cannot_be_promised" || !strings.Contains(p.Detail, "the 4 tasks without room ask for ") ||
		len(p.Alternatives) != 1 || p.Help != "Move the end by less." {
		t.Errorf("without room: %+v", p)
	}
	var before, moved api.Accepted
	s.want(200, "POST", shorten, webtest.Alice, `{"by": "1s"}`).into(t, &before)
	s.want(200, "POST", extend, webtest.Alice, `{"by": "1s"}`)
	s.want(200, "POST", extend, webtest.Alice, `{"by": "10m"}`, "Idempotency-Key: ten").into(t, &moved)
	if moved.Promise == nil || moved.Promise.PriceCoreHours <= before.Promise.PriceCoreHours {
		t.Errorf("the price: %+v, before %+v", moved.Promise, before.Promise)
	}
	s.want(200, "POST", extend, webtest.Alice, `{"by": "10m"}`, "Idempotency-Key: ten") // once
	s.want(200, "POST", shorten, webtest.Alice, `{"by": "20m"}`)
	var list api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list)
	if lasts := list.Reservations[0].Until.Sub(list.Reservations[0].From); lasts != 50*time.Minute {
		t.Errorf("it lasts %v", lasts)
	}
	s.want(403, "POST", extend, webtest.Viewer, `{"by": "10m"}`)
	s.want(422, "POST", extend, webtest.Alice, `{"by": "x"}`)
	s.want(422, "POST", shorten, webtest.Alice, `{"by": "3h"}`)
	s.want(404, "POST", "/v1/reservations/j9/extend", webtest.Alice, `{"by": "10m"}`)
}

func TestASubmissionIsKnownAgainAfterItsEndWasMoved(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	asked := job(`"reserve": {"start": "` + inMinutes(s, 60) + `", "duration": "1h"}`)
	again := func(body string, status int) (a api.Accepted) {
		s.want(status, "POST", "/v1/jobs", webtest.Alice, body, "Idempotency-Key: once").into(t, &a)
		return a
	}
	first := again(asked, 201)
	s.want(200, "POST", "/v1/reservations/"+first.Job+"/extend", webtest.Alice, `{"by": "10m"}`)
	s.want(200, "POST", "/v1/reservations/"+first.Job+"/shorten", webtest.Alice, `{"by": "30m"}`)
	if second := again(asked, 201); second.Job != first.Job {
		t.Errorf("%v was submitted again as %v", first.Job, second.Job)
	}
	again(strings.Replace(asked, `"1h"`, `"40m"`, 1), 422)
}

func TestDeadlinesThatAreNoneAreRefused(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	by := `"by": "` + inMinutes(s, 60) + `"`
	for deadline, field := range map[string]string{
		`{"by": "tomorrow", "duration": "1h"}`: "deadline.by", `{` + by + `, "duration": "1h", "ready": "x"}`: "deadline.ready",
		`{` + by + `, "duration": "-1h"}`: "deadline.duration", `{` + by + `, "work": "soon"}`: "deadline.work",
		`{` + by + `}`: "deadline", `{` + by + `, "duration": "1m", "work": "1m"}`: "deadline",
		`{` + by + `, "duration": "1m", "ready": "` + inMinutes(s, 61) + `"}`: "deadline.ready",
		`{` + by + `, "duration": "2h"}`:                                      "deadline.by", `{"by": "` + inMinutes(s, -1) + `", "duration": "1m"}`: "deadline.by",
	} {
		var p api.Problem
		s.want(422, "POST", "/v1/jobs", webtest.Alice, job(`"deadline": `+deadline)).into(t, &p)
		if p.Field != field && !strings.HasSuffix(p.Field, field) {
			t.Errorf("%s: %+v", deadline, p)
		}
	}
}

func TestAPromiseThatIsAtRiskLateOrBrokenNeedsAttention(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.submit(job(`"reserve": {"start": "` + inMinutes(s, 10) + `", "duration": "2h"}`))
	codes := func() (found []string) {
		for _, a := range s.attention(t) {
			if strings.HasPrefix(a.Code, "promise_") {
				found = append(found, a.Code)
			}
		}
		return found
	}
	if got := codes(); got != nil {
		t.Errorf("at first: %v", got)
	}
	var o api.Overview
	if s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o); o.Yield != nil || o.CPU.WaitingMillicores != 0 {
		t.Errorf("a job that waits for its interval counts as one that may run: %+v, %+v", o.Yield, o.CPU)
	}
	s.Must(t, cluster.SetLink{Node: n1, Broken: s.Latest().At})
	if got := codes(); !slices.Equal(got, []string{"promise_at_risk"}) {
		t.Errorf("without a link: %v", got)
	}
	s.Must(t, cluster.SetLink{Node: n1})
	s.Advance(15 * cluster.Minute)
	if got := codes(); !slices.Equal(got, []string{"promise_late"}) {
		t.Errorf("after the start: %v", got)
	}
	s.want(200, "POST", "/v1/nodes/n1/drain?force=true", webtest.Operator, "")
	if got := codes(); !slices.Equal(got, []string{"promise_broken"}) {
		t.Errorf("without nodes: %v", got)
	}
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	if told := regexp.MustCompile(`from \S+ \d\d:\d\d:\d\d UTC to \S+ \d\d:\d\d:\d\d UTC$`); !slices.ContainsFunc(o.Attention,
		func(a api.Attention) bool { return told.MatchString(a.Text) }) {
		t.Errorf("no times for people: %+v", o.Attention)
	}
	if text := s.want(200, "GET", "/v1/metrics", webtest.Viewer, "").text; !strings.Contains(text,
		`aliquot_promises{state="broken"} 1`) {
		t.Error("the metric is missing")
	}
}

func TestMaintenanceThatIsOverBeforeAPromiseEndangersNone(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	for range 2 {
		s.submit(job(`"reserve": {"start": "` + inMinutes(s, 60) + `", "duration": "2h"}`))
	}
	told := func() (codes []string) {
		for _, a := range s.attention(t) {
			codes = append(codes, a.Code+" "+a.Job+a.Node)
		}
		return codes
	}
	s.want(201, "POST", "/v1/nodes/n1/maintenance", webtest.Operator, `{"duration": "10m", "reason": "disk"}`)
	if got := told(); !slices.Equal(got, []string{"node_in_maintenance n1"}) {
		t.Errorf("in maintenance: %v", got)
	}
	if a := s.attention(t)[0]; !strings.HasPrefix(a.Text, "n1 is in maintenance until ") ||
		!strings.HasSuffix(a.Text, " UTC: disk") {
		t.Errorf("%+v", a)
	}
	s.want(200, "DELETE", "/v1/nodes/n1/maintenance", webtest.Operator, "")
	s.Must(t, cluster.SetLink{Node: n1, Broken: s.Latest().At})
	if got := told(); !slices.Contains(got, "promises_at_risk n1") || len(got) != 2 {
		t.Errorf("without a link: %v", got)
	}
}

func TestOfTheStartsThatAreBookedTheFirstAreListedAndAllCounted(t *testing.T) {
	s := newSite(t)
	s.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
	const maxExpected = 1000
	var why []cluster.Reason
	for i := range maxExpected + 1 {
		id := s.submit(job(`"estimate": "1h"`))
		start := int64(maxExpected + 1 - i)
		why = append(why, cluster.Reason{Job: id, Code: cluster.WhyPromised, Values: []int64{0, 1, start}})
	}
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Why: why})
	var list api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &list)
	last := why[maxExpected].Job.String()
	if len(list.Expected) != maxExpected || list.ExpectedTotal != maxExpected+1 || list.Expected[0].Job != last {
		t.Errorf("%d of %d are listed, %s first, want %s", len(list.Expected), list.ExpectedTotal, list.Expected[0].Job, last)
	}
}
