package web_test

import (
	"strings"
	"testing"

	"aliquot/web/api"
	"aliquot/web/webtest"
)

// A promise that nobody can have is refused with its field and with what to do, and changes nothing.
func TestWhatCannotBePromisedIsRefusedAndChangesNothing(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096<<20)
	s.submit(job(`"tasks": 3, "reserve": {"start": "` + inMinutes(s, 60) + `", "duration": "2h"}`))
	past, soon, later := inMinutes(s, -5), inMinutes(s, 60), inMinutes(s, 120)
	weeklyFor := func(lasts string) string {
		return `{"days": ["mon", "tue"], "start": "09:00", "duration": "` + lasts + `", "job": ` + job(`"tasks": 1`) + `}`
	}
	for name, bad := range map[string]struct {
		path, body, field, says string
		code                    int
	}{
		"a start in the past": {"/v1/jobs", job(`"reserve": {"start": "` + past + `", "duration": "1h"}`),
			"reserve.start", "is past", 422},
		"a deadline before the ready time": {"/v1/jobs",
			job(`"deadline": {"by": "` + soon + `", "ready": "` + later + `", "duration": "10m"}`), "deadline.ready",
			"not before the deadline", 422},
		"an interval without length": {"/v1/jobs", job(`"reserve": {"start": "` + soon + `", "duration": "0s"}`),
			"reserve.duration", "", 422},
		"a pausable interval": {"/v1/jobs", job(`"reserve": {"start": "` + soon + `", "duration": "1h", "pausable": true}`),
			"reserve.pausable", "", 422},
		"a pausable deadline without a time": {"/v1/jobs", job(`"deadline": {"pausable": true, "duration": "1h"}`),
			"deadline.by", "", 422},
		"a deadline without work":        {"/v1/jobs", job(`"deadline": {"by": "` + soon + `"}`), "deadline", "either", 422},
		"a budget for what has no price": {"/v1/jobs", job(`"budget": 3`), "budget", "nothing else has a price", 422},
		"occurrences that overlap":       {"/v1/standing", weeklyFor("25h"), "duration", "before the last has ended", 422},
		"maintenance over a promise": {"/v1/nodes/n1/maintenance",
			`{"start": "` + soon + `", "duration": "1h"}`, "start", "the promises to j1", 409},
	} {
		before, p := s.fingerprint(), api.Problem{}
		s.want(bad.code, "POST", bad.path, webtest.Operator, bad.body).into(t, &p)
		if p.Field != bad.field || !strings.Contains(p.Detail, bad.says) || p.Detail == "" || p.Help == "" {
			t.Errorf("%s: %+v", name, p)
		}
		if string(before) != string(s.fingerprint()) {
			t.Errorf("%s changed something", name)
		}
	}
}
