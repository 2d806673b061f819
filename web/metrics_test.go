package web_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/webtest"
)

func (s *site) metrics() string {
	s.Helper()
	return s.want(200, "GET", "/v1/metrics", webtest.Viewer, "").text
}

func (s *site) wantMetrics(lines ...string) {
	s.Helper()
	text := s.metrics()
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			s.Errorf("no line %s in:\n%s", line, text)
		}
	}
}

// busySite has a job that runs, one that waits and one that has failed.
func busySite(t *testing.T) *site {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	failed := s.submit(small)
	s.Run(t, failed, 400, n1)
	s.Exit(t, cluster.RunID{Job: failed, Number: 1}, 3)
	id := s.submit(small)
	s.Run(t, id, 400, n1)
	s.SetUsage(cluster.RunID{Job: id, Number: 1}, 300, 100*cluster.MiB)
	s.SetHost(n1, web.Host{CPU: 700, CPUs: 4000, Disk: 1024, DiskUsed: 512})
	s.submit(small)
	return s
}

func TestMetricsAreThoseOfTheState(t *testing.T) {
	busySite(t).wantMetrics(
		`aliquot_jobs{state="running"} 1`, `aliquot_jobs{state="waiting"} 1`, `aliquot_tasks{state="running"} 1`,
		`aliquot_yield_least 0`, `aliquot_yield_mean 0.4`, `aliquot_node_ready{node="n1"} 1`,
		`aliquot_node_cpu_cores{node="n1",what="share"} 0.4`, `aliquot_node_cpu_cores{node="n1",what="used"} 0.3`,
		`aliquot_node_memory_bytes{node="n1",what="reserved"} 8.388608e+07`,
		`aliquot_node_memory_bytes{node="n1",what="used"} 1.048576e+08`,
		`aliquot_node_host_cpu_cores{node="n1",what="used"} 0.7`, `aliquot_node_host_disk_bytes{node="n1",what="total"} 1024`,
		`aliquot_leads 1`, `aliquot_http_requests_total{operation="submit-job",status="201"} 3`,
	)
}

func TestMetricsThatAreZeroAreThere(t *testing.T) {
	newSite(t).wantMetrics(
		`aliquot_jobs{state="paused"} 0`, `aliquot_tasks{state="frozen"} 0`, `aliquot_moves{kind="migrate"} 0`,
		`aliquot_attention{severity="problem"} 0`, `aliquot_attention{severity="notice"} 1`,
		`aliquot_jobs_ended_total{cause="exit_code",outcome="failed"} 0`, `aliquot_moves_total{kind="pause"} 0`,
		`aliquot_moves_failed_total{cause="no_progress",kind="migrate"} 0`, `aliquot_runs_lost_total{cause="fenced"} 0`,
	)
}

func TestMetricsTellWhoHasWhat(t *testing.T) {
	busySite(t).wantMetrics(
		`aliquot_owner_jobs{owner="alice",project="render",state="running"} 1`,
		`aliquot_owner_jobs{owner="alice",project="render",state="waiting"} 1`,
		`aliquot_owner_cpu_cores{owner="alice",project="render",what="need"} 1`,
		`aliquot_owner_cpu_cores{owner="alice",project="render",what="share"} 0.4`,
		`aliquot_owner_cpu_cores{owner="alice",project="render",what="used"} 0.3`,
		`aliquot_owner_memory_bytes{owner="alice",project="render",what="requested"} 1.34217728e+08`,
		`aliquot_owner_memory_bytes{owner="alice",project="render",what="reserved"} 8.388608e+07`,
	)
}

func TestMetricsCountWhatHasHappened(t *testing.T) {
	busySite(t).wantMetrics(`aliquot_jobs_ended_total{cause="exit_code",outcome="failed"} 1`,
		`aliquot_moves_total{kind="start"} 2`, `aliquot_moves_total{kind="pause"} 0`)
}

// statesOf returns the states that the description of REST lists for a job or a task.
func statesOf(t *testing.T, schema string) []string {
	t.Helper()
	text, err := web.OpenAPI("test")
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Enum []string }
			}
		}
	}
	if err := json.Unmarshal(text, &description); err != nil {
		t.Fatal(err)
	}
	list := description.Components.Schemas[schema].Properties["state"].Enum
	if list == nil {
		t.Fatalf("%s has no states", schema)
	}
	return list
}

func TestThereIsAMetricForEachStateThatRESTKnows(t *testing.T) {
	text := newSite(t).metrics()
	states := map[string][]string{}
	for schema, metric := range map[string]string{"Job": "jobs", "Task": "tasks"} {
		for _, state := range statesOf(t, schema) {
			if line := "aliquot_" + metric + `{state="` + state + `"}`; !strings.Contains(text, line) {
				states[metric] = append(states[metric], state)
			}
		}
	}
	ended := []string{"succeeded", "failed", "cancelled"}
	if !slices.Equal(states["jobs"], ended) || states["tasks"] != nil {
		t.Errorf("no metrics for %v", states)
	}
}

func TestMetricsPassPrometheusLinter(t *testing.T) {
	problems, err := promlint.New(strings.NewReader(busySite(t).metrics())).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

var (
	metricName   = regexp.MustCompile(`\baliquot_[a-z_]+`)
	exportedName = regexp.MustCompile(`(?m)^(aliquot_[a-z_]+)[{ ]`)
)

func TestTheBoardAndTheAlertsNameOnlyMetricsThatExist(t *testing.T) {
	exported := map[string]bool{}
	for _, match := range exportedName.FindAllStringSubmatch(busySite(t).metrics(), -1) {
		exported[match[1]] = true
	}
	for _, file := range []string{"grafana.json", "alerts.yml", "alerts.test.yml"} {
		text, err := os.ReadFile(filepath.Join("../packaging", file))
		if err != nil {
			t.Fatal(err)
		}
		names := metricName.FindAllString(string(text), -1)
		for _, name := range names {
			if !exported[name] {
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
		if len(names) == 0 {
			t.Errorf("%s names no metric", file)
		}
	}
}

func TestTheUsualPathOfMetricsLeadsToThem(t *testing.T) {
	s := newSite(t)
	if text := s.want(200, "GET", "/metrics", webtest.Viewer, "").text; !strings.Contains(text, "aliquot_leads 1") {
		t.Error(text)
	}
}
