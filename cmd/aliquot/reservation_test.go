package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/scheduler"
	"aliquot/web/api"
)

func TestAReservationIsMadeListedAndShown(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	start := time.UnixMicro(int64(d.Latest().At)).Add(time.Hour).UTC().Format(time.RFC3339)
	id := strings.TrimSpace(d.ok("job submit --name later --tasks 2 --cpu 100m --memory 64Mi --start " + start +
		" --for 30m -- true"))
	list, shown := d.ok("reservation list"), d.ok("job show "+id)
	for _, want := range []string{id, "later", "promised", "100m"} {
		if !strings.Contains(list, want) {
			t.Errorf("%s is missing in\n%s", want, list)
		}
	}
	if page := d.ok("reservation show " + id); !strings.Contains(list, "PRICE") || !strings.Contains(page, "Price:") ||
		!strings.Contains(shown, "core-hours") {
		t.Errorf("the price is missing in\n%s%s%s", list, page, shown)
	}
	if !strings.Contains(shown, "Promised:") {
		t.Errorf("the promise is missing in\n%s", shown)
	}
	if o := d.run("job submit --cpu 100m --memory 64Mi --start soon --for 30m -- true"); o.code != exitUsage {
		t.Errorf("a start that is no time: %+v", o)
	}
}

func TestWhatThePolicyBookedIsListedBehindWhatIsPromised(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 1000, 1024*cluster.MiB)
	d.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
	d.ok("job submit --name queued --cpu 1 --memory 64Mi --estimate 30m -- true")
	wait := cluster.Reason{Job: 1, Code: cluster.WhyPromised, Values: []int64{0, 1, 3600}}
	d.Must(t, cluster.Adopt{Basis: d.Latest().Revision, Why: []cluster.Reason{wait}})
	_, booked, found := strings.Cut(d.ok("reservation list"), "Booked by the policy for waiting jobs, by their estimates:")
	if !found || !strings.Contains(booked, "queued") || !strings.Contains(booked, "START") {
		t.Errorf("the booking is missing in\n%s", booked)
	}
}

func TestADeadlineIsPromisedAndShown(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	by := time.UnixMicro(int64(d.Latest().At)).Add(3 * time.Hour).UTC().Format(time.RFC3339)
	id := strings.TrimSpace(d.ok("job submit --cpu 100m --memory 64Mi --tasks 2 --deadline " + by + " --work 6m -- true"))
	if shown := d.ok("job show " + id); !strings.Contains(shown, "lacks 30m at full CPU") {
		t.Errorf("the promise is missing in\n%s", shown)
	}
	margin := "New deadlines keep 2% more than their work takes; 0 of 20 promises are measured to learn it."
	if list := d.ok("reservation list"); !strings.Contains(list, "DEADLINE") || !strings.Contains(list, id) ||
		!strings.Contains(list, margin) {
		t.Errorf("the list:\n%s", list)
	}
}

func TestWorkThatFindsNoRoomAtAStretchIsPromisedInParts(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	now := time.UnixMicro(int64(d.Latest().At)).UTC()
	at := func(minutes int) string { return now.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339) }
	wanted := "job submit --cpu 1 --memory 64Mi --deadline " + at(200) + " --for 2h "
	d.ok("job submit --cpu 1 --memory 64Mi --start " + at(60) + " --for 1h -- true")
	if o := d.run(wanted + "-- true"); o.code == 0 || !strings.Contains(o.err, "2h2m24s, in 2 parts: it may be paused") {
		t.Errorf("at a stretch: %+v", o)
	}
	if list := d.ok("offer list"); !strings.Contains(list, "PARTS") {
		t.Errorf("the offers:\n%s", list)
	}
	id := strings.TrimSpace(d.ok(wanted + "--pausable -- true"))
	if shown := d.ok("job show " + id); !strings.Contains(shown, "in 2 parts") {
		t.Errorf("the promise is missing in\n%s", shown)
	}
	if shown := d.ok("reservation show " + id); !strings.Contains(shown, "Part 2:") {
		t.Errorf("the parts are missing in\n%s", shown)
	}
	if o := d.run("job submit --cpu 1 --memory 64Mi --pausable -- true"); o.code == 0 {
		t.Errorf("without a deadline: %+v", o)
	}
}

func TestAReservationIsCreatedShownAndGivenBack(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	if o := d.run("reservation create --cpu 100m --memory 64Mi -- true"); o.code != exitUsage {
		t.Errorf("a job that asks for no promise: %+v", o)
	}
	by := time.UnixMicro(int64(d.Latest().At)).Add(3 * time.Hour).UTC().Format(time.RFC3339)
	id := strings.TrimSpace(d.ok("reservation create --cpu 100m --memory 64Mi --deadline " + by + " --for 30m -- true"))
	shown := d.ok("reservation show " + id)
	for _, want := range []string{"Deadline:", "Lacks:", "30m", "Slack:", "n1"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%s is missing in\n%s", want, shown)
		}
	}
	plain := strings.TrimSpace(d.ok("job submit --cpu 100m --memory 64Mi -- true"))
	for _, verb := range []string{"show", "cancel"} {
		if o := d.run("reservation " + verb + " " + plain); o.code == 0 || !strings.Contains(o.err, "is promised nothing") {
			t.Errorf("%s of a job without a promise: %+v", verb, o)
		}
	}
	d.ok("reservation cancel " + id)
	if o := d.run("reservation show " + id); o.code != exitFailed || !strings.Contains(o.err,
		id+" is promised nothing any more: it was to have had its work by ") ||
		!strings.Contains(o.err, "; it was cancelled at ") {
		t.Errorf("of a promise that is over: %+v", o)
	}
	if list := d.ok("reservation list"); strings.Contains(list, id+" ") {
		t.Errorf("it is still promised:\n%s", list)
	}
}

func TestAPromiseIsExtendedAndShortened(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	start := time.UnixMicro(int64(d.Latest().At)).Add(time.Hour).UTC().Format(time.RFC3339)
	id := strings.TrimSpace(d.ok("job submit --cpu 1 --memory 64Mi --start " + start + " --for 30m -- true"))
	ends := func() time.Time { return time.UnixMicro(int64(d.Latest().PromiseTo(1).Until)).UTC() }
	before := ends()
	d.ok("reservation extend " + id + " --by 30m")
	d.ok("reservation shorten " + id + " --by 10m")
	if moved := ends().Sub(before); moved != 20*time.Minute {
		t.Errorf("its end moved by %v", moved)
	}
	for line, code := range map[string]int{"shorten " + id + " --by 2h": exitFailed, "extend " + id: exitUsage,
		"extend " + id + " --by soon": exitFailed, "extend j9 --by 1m": exitFailed} {
		if o := d.run("reservation " + line); o.code != code {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestAStartIsATimeOrADurationFromNow(t *testing.T) {
	now := time.Date(2026, 11, 26, 14, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"18:00": "2026-11-26T18:00:00Z", "13:59": "2026-11-27T13:59:00Z",
		"10m": "2026-11-26T14:10:00Z", "2026-12-01T08:00:00+01:00": "2026-12-01T08:00:00+01:00", "soon": "",
	} {
		if got, err := startTime(text, now); got != want || (err != nil) != (want == "") {
			t.Errorf("%s is %q, %v", text, got, err)
		}
	}
}

func TestAStandingReservationIsCreatedListedAndCancelled(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	create := "reservation create --weekly mon-fri --cpu 100m --memory 64Mi "
	id := strings.TrimSpace(d.ok(create + "--start 09:00 --for 8h --zone Europe/Paris -- true"))
	list := d.ok("reservation standing")
	var standing api.StandingList
	if err := json.Unmarshal([]byte(d.ok("reservation standing -o json")), &standing); err != nil {
		t.Fatal(err)
	}
	next := standing.Standing[0].NextStart
	if !next.Before(*standing.Standing[0].Next) {
		t.Errorf("the next one begins at %v, and is submitted already", next)
	}
	for _, want := range []string{id, "mon,tue,wed,thu,fri", "09:00", "8h", "Europe/Paris", when(*next)} {
		if !strings.Contains(list, want) {
			t.Errorf("%s is missing in\n%s", want, list)
		}
	}
	if list := d.ok("reservation list"); !strings.Contains(list, "promised") {
		t.Errorf("the occurrences are missing in\n%s", list)
	}
	for _, bad := range []string{create + "--for 8h -- true", create + "--start 10m --for 8h -- true",
		create + "--start 09:00 -- true", create + "--start 09:00 --for 8h --deadline 18:00 -- true",
		"reservation create --zone UTC --start 10m --for 1h --cpu 1 --memory 64Mi -- true",
		strings.Replace(create, "mon-fri", "mon-fun", 1) + "--start 09:00 --for 8h -- true"} {
		if o := d.run(bad); o.code != exitUsage {
			t.Errorf("%s: %+v", bad, o)
		}
	}
	d.PlanFunc = func(h scheduler.Hypothesis) (scheduler.Preview, error) {
		if h.Stand == nil || h.Stand.Lasts != 8*cluster.Hour || h.Stand.Week.Zone != "Europe/Paris" {
			t.Errorf("planned: %+v", h)
		}
		return scheduler.Preview{Before: d.Latest(), After: d.Latest()}, nil
	}
	plan := strings.Replace(create, "reservation create", "plan submit", 1)
	d.ok(plan + "--start 09:00 --for 8h --zone Europe/Paris -- true")
	d.ok("reservation cancel " + id)
	if list := d.ok("reservation list"); strings.Contains(list, "promised") {
		t.Errorf("still promised:\n%s", list)
	}
	if list := d.ok("reservation standing"); !strings.Contains(list, "--weekly mon-fri") {
		t.Errorf("without any:\n%s", list)
	}
}

func TestDaysOfTheWeekAreReadWithRanges(t *testing.T) {
	for text, want := range map[string]string{"mon-fri": "mon tue wed thu fri", "SAT-mon": "mon sat sun",
		"thu,mon": "mon thu", "sun": "sun", "": "", "mon-": "", "day": ""} {
		got, err := weekdays(text)
		if strings.Join(got, " ") != want || (err != nil) != (want == "") {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}

func TestThetaIsShownAndSet(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	if out := d.ok("reservation theta"); !strings.Contains(out, "may cost anything") {
		t.Error(out)
	}
	for _, line := range []string{"reservation theta 0.2", "reservation theta"} {
		if out := d.ok(line); !strings.Contains(out, "Theta is 0.2: a promise may cost up to 0.4 core-hours.") {
			t.Errorf("%s: %s", line, out)
		}
	}
	for line, code := range map[string]int{"reservation theta much": exitUsage, "reservation theta NaN": exitUsage,
		"reservation theta 101": exitFailed, "reservation theta -- -1": exitFailed, "reservation theta 1 2": exitUsage} {
		if o := d.run(line); o.code != code || o.err == "" {
			t.Errorf("%s: %+v", line, o)
		}
	}
	d.ok("reservation theta 0")
}

func TestWhatBecameOfAPromiseIsToldAsFarAsItIsKnown(t *testing.T) {
	at := time.Unix(0, 0)
	reserve := &api.Reserve{Start: "1970-01-01T00:00:00Z", Duration: "2h"}
	runs := api.Job{State: "running", Spec: api.JobSpec{Reserve: reserve}}
	kept := runs
	kept.State, kept.Ended = "succeeded", &at
	asked := "it was to have its full CPU from 1970-01-01 00:00:00 UTC for 2h; "
	for want, c := range map[string]struct {
		job  *api.Job
		kind string
	}{
		"it succeeded at 1970-01-01 00:00:00 UTC": {&kept, ""},
		"it has not ended":                        {&runs, ""},
		"that was over at 1970-01-01 00:00:00 UTC: a reason; it has not ended":          {&runs, "job_overran"},
		"the promise was broken at 1970-01-01 00:00:00 UTC: a reason; it has not ended": {&runs, "job_promise_broken"},
	} {
		var last *api.Event
		if c.kind != "" {
			last = &api.Event{Kind: c.kind, At: at, Text: "a reason"}
		}
		if got := became(c.job, last); got != asked+want {
			t.Errorf("%q, want %q", got, asked+want)
		}
	}
}

func TestSmallPricesAreDecimals(t *testing.T) {
	for hours, want := range map[float64]string{0: "-", 9.69e-05: "0.0000969", 0.0015: "0.0015", 1234.4: "1234"} {
		if have := price(hours); have != want {
			t.Errorf("%g is shown as %s, not %s", hours, have, want)
		}
	}
}
