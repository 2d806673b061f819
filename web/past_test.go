package web_test

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// eventful returns a site on which a job runs, loses half of its share, migrates, and uses less and less CPU.
func eventful(t *testing.T) *site {
	s := newSite(t)
	n1, n2 := s.Join(t, "n1", 2000, 1024*cluster.MiB), s.Join(t, "n2", 1000, 512*cluster.MiB)
	id := s.submit(`{"name": "mover", "cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	s.Advance(cluster.Minute)
	run := cluster.RunID{Job: id, Number: 1}
	s.Run(t, id, 1000, n1)
	for i, used := range []cluster.CPU{990, 980, 0, 480, 470} {
		if i == 3 {
			m := s.Move(t, cluster.Move{Kind: cluster.Resize, Task: run.Task(), From: n1, To: n1, CPU: 500})
			s.Report(t, n1, cluster.Observation{Run: run, Move: m.ID, Seen: cluster.SeenRunning, Cap: 500})
		}
		if used > 0 { // a minute without a sample is a gap
			s.SetUsage(run, used, 40*cluster.MiB)
			s.Sample()
		}
		s.Advance(cluster.Minute)
	}
	s.Place(t, id, 500, n2)
	m := s.Move(t, cluster.Move{Kind: cluster.Migrate, Task: run.Task(), From: n1, To: n2, CPU: 500})
	s.Advance(10 * cluster.Second)
	s.Report(t, n2, cluster.Observation{Run: run, Move: m.ID, Seen: cluster.SeenArrived, Cap: 500})
	s.Sample()
	s.Advance(cluster.Minute)
	s.submit(`{"name": "waiting", "cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	return s
}

// line formats a column for people.
func line(column []*float64) string {
	var words []string
	for _, x := range column {
		if x == nil {
			words = append(words, "-")
		} else {
			words = append(words, fmt.Sprintf("%g", *x))
		}
	}
	return strings.Join(words, " ")
}

func TestSeriesHaveARowPerStepAndShowGaps(t *testing.T) {
	s := eventful(t)
	const stretch = "?from=2026-01-01T12:00:00Z&to=2026-01-01T12:07:00Z"
	var c api.ClusterSeries
	s.want(200, "GET", "/v1/series"+stretch, webtest.Viewer, "").into(t, &c)
	if c.Rows != 7 || c.StepSeconds != 60 || c.Start.Minute() != 0 || len(c.YieldCounts) != 10 {
		t.Errorf("axis %+v", c.Axis)
	}
	for what, want := range map[string]string{
		line(c.CapacityMillicores): "- 3000 3000 - 3000 3000 -", line(c.YieldMean): "- 1 1 - 1 1 -",
		line(c.YieldCounts[9]): "- 1 1 - 1 1 -", line(c.UsedMillicores): "- - - - - - -",
	} {
		if what != want {
			t.Errorf("column %s, want %s", what, want)
		}
	}
	var n api.NodeSeries
	s.want(200, "GET", "/v1/nodes/n1/series"+stretch+"&rows=4", webtest.Viewer, "").into(t, &n)
	if n.StepSeconds != 120 || n.Rows != 4 || line(n.ShareMillicores) != "1000 1000 1000 -" {
		t.Errorf("coarser: %+v: %s", n.Axis, line(n.ShareMillicores))
	}
	var u api.JobUsage
	s.want(200, "GET", "/v1/jobs/j1/usage"+stretch, webtest.Viewer, "").into(t, &u)
	if len(u.Tasks) != 1 || line(u.Tasks[0].UsedMillicores) != "- 990 980 - 480 470 -" || u.Next != nil {
		t.Errorf("usage %+v", u)
	}
	s.want(200, "GET", "/v1/jobs/j2/usage", webtest.Viewer, "").into(t, &u)
	s.Following, s.Leader = true, "http://127.0.0.1:1"
	s.want(200, "GET", "/v1/jobs/j1/usage", webtest.Viewer, "").into(t, &u)
	if u.Leader != s.Leader {
		t.Errorf("who knows what is used: %q", u.Leader)
	}
}

func TestTheTimelineOfAJobIsToldInSpans(t *testing.T) {
	golden(t, "timeline.json", indented(t, eventful(t).want(200, "GET", "/v1/jobs/j1/timeline", webtest.Viewer, "").text))
}

func TestTheTimelineIsSelectedAndPaged(t *testing.T) {
	s := eventful(t)
	tell := func(query string) (string, string) {
		t.Helper()
		var page api.Timeline
		s.want(200, "GET", "/v1/timeline"+query, webtest.Viewer, "").into(t, &page)
		var list []string
		for _, x := range page.Spans {
			list = append(list, fmt.Sprintf("%s %s %d", x.State, x.Node, x.ShareMillicores))
		}
		return strings.Join(list, ", "), page.Next
	}
	const after, before = "2026-01-01T12:02:00Z", "2026-01-01T12:03:00Z"
	for query, want := range map[string]string{
		"":                                 "running n2 500, moving n1 500, running n1 500, running n1 1000",
		"?node=n2":                         "running n2 500",
		"?job=j2":                          "",
		"?job=j2&all=true":                 "waiting  0",
		"?from=" + after + "&to=" + before: "running n1 1000",
		"?to=" + before:                    "running n1 1000",
		"?from=2026-01-01T12:06:30Z":       "running n2 500",
	} {
		if got, _ := tell(query); got != want {
			t.Errorf("%s tells %s\nwant %s", query, got, want)
		}
	}
	first, next := tell("?limit=3")
	rest, last := tell("?limit=3&cursor=" + next)
	if first != "running n2 500, moving n1 500, running n1 500" || rest != "running n1 1000" || last != "" {
		t.Errorf("pages: %s; %s; then %q", first, rest, last)
	}
}
