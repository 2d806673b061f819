package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

const typed = `{"cpu": "500m", "memory": "64Mi", "command": ["true"], "type": "render"}`

// succeed runs alice's job of that type at its full need for a time, until it succeeds.
func (s *site) succeed(took cluster.Time) {
	s.Helper()
	j := s.submit(typed)
	s.Run(s.TB, j, 500, s.Latest().NodeNamed("n1").ID)
	s.Advance(took)
	s.Exit(s.TB, cluster.RunID{Job: j, Number: 1}, 0)
}

func TestRunTimesStandForAnEstimateFromTheThirdSuccessOn(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.succeed(cluster.Minute)
	s.succeed(2 * cluster.Minute)
	s.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
	refused := s.want(422, "POST", "/v1/jobs", webtest.Alice, typed).text
	if !strings.Contains(refused, "until three jobs like it") {
		t.Error(refused)
	}
	s.Must(t, cluster.SetPolicy{Name: "FCFS", Period: cluster.Minute})
	s.succeed(9 * cluster.Minute)
	s.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
	s.want(201, "POST", "/v1/jobs", webtest.Alice, typed)
	want := api.Similar{Succeeded: 3, Latest: 3, MedianSeconds: 120, MostSeconds: 540}
	var job api.Job
	s.want(200, "GET", "/v1/jobs/j4", webtest.Alice, "").into(t, &job)
	if job.Spec.Type != "render" || job.Similar == nil || *job.Similar != want || job.ForecastSeconds != 540 {
		t.Errorf("type %q, jobs like it %+v", job.Spec.Type, job.Similar)
	}
	s.want(422, "POST", "/v1/jobs", webtest.Bob, typed)
}

func TestRunTimesAreShownToTheirProjectAndToOperators(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.succeed(cluster.Minute)
	last := time.UnixMicro(int64(s.Latest().At)).UTC()
	all := []api.Experience{{Project: "render", Owner: "alice", Type: "render", Tasks: 1, NeedMillicores: 500,
		Last: last, Similar: api.Similar{Succeeded: 1, Latest: 1, MedianSeconds: 60, MostSeconds: 60}}}
	for token, want := range map[string][]api.Experience{webtest.Alice: all, webtest.Operator: all, webtest.Bob: {}} {
		var got api.ExperienceList
		s.want(200, "GET", "/v1/experience", token, "").into(t, &got)
		if diff := cmp.Diff(want, got.Experience); diff != "" {
			t.Errorf("%s (-want +got):\n%s", token, diff)
		}
	}
	s.want(401, "GET", "/v1/experience", "", "")
}
