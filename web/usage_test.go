package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// booked is a site where alice and bob had something in the last hours.
func booked(t *testing.T) (s *site, hour cluster.Time) {
	s = newSite(t)
	now := s.Latest().At
	hour = now - now%cluster.Hour - cluster.Hour
	s.Book(hour-30*cluster.Hour, past.Holder{Project: "render", Owner: "alice"}, past.Amounts{Granted: 7200, Waited: 3600})
	s.Book(hour, past.Holder{Project: "render", Owner: "alice"}, past.Amounts{Granted: 3600, Used: 1800})
	s.Book(hour, past.Holder{Project: "render", Owner: "carol"}, past.Amounts{Granted: 36})
	s.Book(hour, past.Holder{Project: "science", Owner: "bob"}, past.Amounts{Granted: 36000})
	return s, hour
}

// told formats a report's rows: name, hours granted, used and waited.
func (s *site) told(token, query string) string {
	s.Helper()
	var report api.UsageReport
	s.want(200, "GET", "/v1/usage"+query, token, "").into(s.TB, &report)
	var rows []string
	for _, r := range report.Rows {
		rows = append(rows, fmt.Sprintf("%s %v %v %v", r.Owner+r.Project, r.GrantedCoreHours, r.UsedCoreHours,
			r.WaitedJobHours))
	}
	return strings.Join(rows, ", ")
}

func TestUsageIsSummedByOwnerOrProjectAndStep(t *testing.T) {
	s, hour := booked(t)
	for query, want := range map[string]string{
		"":                       "bob 10 0 0, alice 3 0.5 1, carol 0.01 0 0",
		"?by=project":            "science 10 0 0, render 3.01 0.5 1",
		"?by=project&step=day":   "render 2 0 1, science 10 0 0, render 1.01 0.5 0",
		"?step=hour":             "alice 2 0 1, bob 10 0 0, alice 1 0.5 0, carol 0.01 0 0",
		"?from=" + webTime(hour): "bob 10 0 0, alice 1 0.5 0, carol 0.01 0 0",
		"?to=" + webTime(hour):   "alice 2 0 1",
	} {
		if got := s.told(webtest.Admin, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"?by=node", "?step=week", "?from=2020-01-01T00:00:00Z",
		"?step=hour&from=" + webTime(hour-40*24*cluster.Hour)} {
		s.want(422, "GET", "/v1/usage"+query, webtest.Admin, "")
	}
}

func TestAReportOfTooManyRowsIsRefusedWithWhatHelps(t *testing.T) {
	s, hour := booked(t)
	for h := range cluster.Time(11) {
		for i := range 1000 {
			who := past.Holder{Project: "render", Owner: fmt.Sprint("owner", i)}
			s.Book(hour-h*cluster.Hour, who, past.Amounts{Granted: 1})
		}
	}
	r := s.want(422, "GET", "/v1/usage?step=hour", webtest.Admin, "")
	if !strings.Contains(fmt.Sprint(r.text), "larger step") {
		t.Errorf("the refusal is %s", r.text)
	}
	s.want(200, "GET", "/v1/usage?step=all", webtest.Admin, "")
	s.want(200, "GET", "/v1/usage?step=hour&by=project", webtest.Admin, "")
}

func webTime(at cluster.Time) string { return time.UnixMicro(int64(at)).UTC().Format(time.RFC3339) }

func TestUsersSeeTheirOwnUsageAndThatOfTheirProject(t *testing.T) {
	s, _ := booked(t)
	if got, want := s.told(webtest.Alice, ""), "alice 3 0.5 1, carol 0.01 0 0"; got != want {
		t.Errorf("alice sees %s, want %s", got, want)
	}
	if got := s.told(webtest.Operator, "?by=project"); !strings.Contains(got, "science 10 ") {
		t.Errorf("an operator sees %s", got)
	}
}

func TestUsageIsCountedByOwner(t *testing.T) {
	s, _ := booked(t)
	s.wantMetrics(`aliquot_usage_core_seconds_total{owner="alice",what="granted"} 10800`,
		`aliquot_usage_core_seconds_total{owner="alice",what="used"} 1800`,
		`aliquot_usage_waited_job_seconds_total{owner="alice"} 3600`)
}

func TestAJobHasItsGrantedShareOrWaitsUnlessItIsHeld(t *testing.T) {
	s := busySite(t)
	s.want(200, "POST", "/v1/jobs/"+s.submit(small).String()+"/hold", webtest.Alice, "")
	rates := web.Rates(s.Latest(), s.Usage)
	got := rates[past.Holder{Project: "render", Owner: "alice"}]
	if got != (past.Amounts{Granted: 0.4, Used: 0.3, Waited: 1}) {
		t.Errorf("%+v", got)
	}
}

func TestATaskUsesNoMoreThanItsVirtualCPUs(t *testing.T) {
	s := busySite(t)
	lie := func(cluster.RunID) (web.Usage, bool) { return web.Usage{CPU: 1000 * cluster.Core}, true }
	if got := web.Rates(s.Latest(), lie)[past.Holder{Project: "render", Owner: "alice"}]; got.Used != 1 {
		t.Errorf("a task with one virtual CPU uses %v", got.Used)
	}
}
