package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"aliquot/web/api"
)

func TestJobTimelineShowsWhereTasksWereAndWithWhichShare(t *testing.T) {
	golden(t, "job_timeline.txt", busy(t).ok("job timeline j2"))
	if o := newDesk(t).run("job timeline j9"); o.code != exitFailed || !strings.Contains(o.err, "no job j9") {
		t.Errorf("%+v", o)
	}
}

func TestWhatIsInTheBackgroundHasATierAndNoYield(t *testing.T) {
	at, task, need := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), 0, int64(1000)
	span := api.Span{Task: &task, Node: "n1", State: "running", ShareMillicores: 500, NeedMillicores: need, From: at,
		Began: "task_started"}
	below := span
	below.Tier = "background"
	waits := api.Span{State: "waiting", NeedMillicores: need, From: at, Began: "job_submitted"}
	var out bytes.Buffer
	spanTable(&out, []api.Span{waits, below, span})
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		want := []string{"NODE TIER SHARE YIELD BEGAN", "- - - - job_submitted", "n1 background 500m - task_started",
			"n1 foreground 500m 0.50 task_started"}[i]
		if !strings.HasSuffix(strings.Join(strings.Fields(line), " "), want) {
			t.Errorf("%q; want %q", line, want)
		}
	}
	e := api.Event{Kind: "task_started", Job: "j1", Task: &task, Node: "n1", ShareMillicores: 500, Tier: "background"}
	if line := eventLine(&e); !strings.HasSuffix(line, "on n1, 500m in the background") {
		t.Errorf("%q", line)
	}
}
