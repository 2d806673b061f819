package main

import (
	"strings"
	"testing"
)

func TestJobTimelineShowsWhereTasksWereAndWithWhichShare(t *testing.T) {
	golden(t, "job_timeline.txt", busy(t).ok("job timeline j2"))
	if o := newDesk(t).run("job timeline j9"); o.code != exitFailed || !strings.Contains(o.err, "no job j9") {
		t.Errorf("%+v", o)
	}
}
