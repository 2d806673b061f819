package main

import (
	"strings"
	"testing"

	"aliquot/web/api"
)

func TestATaskThatHasEndedTellsItsOutcome(t *testing.T) {
	code := func(c int) *api.Exit { return &api.Exit{Code: &c} }
	for name, c := range map[string]struct {
		task api.Task
		job  string
		want string
	}{
		"it succeeded":              {api.Task{State: "ended", Exit: code(0)}, "failed", "ended"},
		"it failed":                 {api.Task{State: "ended", Exit: code(7), Failures: 1}, "failed", "failed"},
		"it was lost too often":     {api.Task{State: "ended", Exit: &api.Exit{}, Losses: 4}, "failed", "failed"},
		"another one failed":        {api.Task{State: "ended", Exit: &api.Exit{Signal: "SIGTERM"}}, "failed", "stopped"},
		"it was lost, cancelled":    {api.Task{State: "ended", Exit: &api.Exit{}, Losses: 1}, "cancelled", "stopped"},
		"it failed once, cancelled": {api.Task{State: "ended", Exit: code(1), Failures: 1}, "cancelled", "stopped"},
		"it had ended, cancelled":   {api.Task{State: "ended", Exit: code(0)}, "cancelled", "ended"},
		"it was lost, stopping":     {api.Task{State: "ended", Exit: &api.Exit{}, Losses: 4}, "stopping", "failed"},
		"it had not begun":          {api.Task{State: "ended"}, "cancelled", "stopped"},
		"it runs":                   {api.Task{State: "running"}, "running", "running"},
		"it is to start on a node":  {api.Task{State: "waiting", Target: "n1"}, "waiting", "to start"},
		"its last move failed":      {api.Task{State: "running", Attempts: 1}, "running", "running (1 move failed)"},
		"two moves failed in a row": {api.Task{State: "paused", Attempts: 2}, "running", "paused (2 moves failed)"},
		"its last run failed, once": {api.Task{State: "running", Exit: code(1), Failures: 1}, "running", "running"},
	} {
		if got := taskOutcome(&c.task, c.job); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

func TestATaskThatRunsAgainShowsNoExitOfAnEarlierRun(t *testing.T) {
	code := 7
	for state, want := range map[string]string{
		"ended": "7", "waiting": "7", "starting": "-", "running": "-", "paused": "-",
	} {
		if got := taskExit(&api.Task{State: state, Exit: &api.Exit{Code: &code}}); got != want {
			t.Errorf("%s: %s, want %s", state, got, want)
		}
	}
}

func TestATaskWhoseMovesFailTellsWhyTheLastOneDid(t *testing.T) {
	for trouble, want := range map[string]bool{"": false, "start: no such image": true} {
		var out strings.Builder
		taskTable(&out, "waiting", []api.Task{{State: "waiting", Attempts: 2, Trouble: trouble}, {State: "running"}})
		if told := strings.Contains(out.String(), "LAST FAILED MOVE"); told != want ||
			!strings.Contains(out.String(), trouble+"\n") {
			t.Errorf("%q:\n%s", trouble, &out)
		}
	}
}
