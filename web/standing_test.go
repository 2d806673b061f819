package web_test

import (
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// weekly is a request for a standing reservation with further fields.
func weekly(more string) string {
	return `{"days": ["mon", "tue", "wed", "thu", "fri"], "start": "09:00", "duration": "8h", "zone": "Europe/Paris", ` +
		`"until": "2027-06-30", ` + more + `"job": ` + job(`"tasks": 3`) + `}`
}

// standingSite is a site in the winter of 2026, of one node, of which alice may have half.
func standingSite(t *testing.T) *site {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	s.Must(t, cluster.SetTime{To: cluster.Time(time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC).UnixMicro())})
	return s
}

func TestAStandingReservationIsMadeListedAndCancelled(t *testing.T) {
	s := standingSite(t)
	var done, again api.Accepted
	s.want(201, "POST", "/v1/standing", webtest.Alice, weekly(""), "Idempotency-Key: k").into(t, &done)
	s.want(201, "POST", "/v1/standing", webtest.Alice, weekly(""), "Idempotency-Key: k").into(t, &again)
	if done.Standing != "s1" || again.Standing != "s1" || !again.Repeated {
		t.Errorf("made %+v and again %+v", done, again)
	}
	other := strings.Replace(weekly(""), "8h", "7h", 1)
	s.want(422, "POST", "/v1/standing", webtest.Alice, other, "Idempotency-Key: k")
	var list api.StandingList
	s.want(200, "GET", "/v1/standing", webtest.Viewer, "").into(t, &list)
	o := list.Standing[0]
	if o.Owner != "alice" || o.Tasks != 3 || strings.Join(o.Days, " ") != "mon tue wed thu fri" || o.Start != "09:00" ||
		o.Zone != "Europe/Paris" || o.Duration != "8h" || len(o.Jobs) != 10 || len(o.Missing) != 0 ||
		o.Until.Format(time.RFC3339) != "2027-06-30T21:59:59Z" || o.Next.Format(time.RFC3339) != "2026-12-14T08:00:00Z" ||
		o.NextStart.Format(time.RFC3339) != "2026-11-30T08:00:00Z" {
		t.Errorf("the list: %+v", o)
	}
	var promised api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &promised)
	if p := promised.Reservations; len(p) != 10 || p[0].Standing != "s1" ||
		p[0].From.Format(time.RFC3339) != "2026-11-30T08:00:00Z" {
		t.Errorf("what is promised: %+v", p)
	}
	s.wantMetrics(`aliquot_standing_reservations 1`, `aliquot_standing_occurrences_missing 0`)
	s.want(403, "DELETE", "/v1/standing/s1", webtest.Viewer, "")
	s.want(404, "DELETE", "/v1/standing/s2", webtest.Alice, "")
	s.want(404, "DELETE", "/v1/standing/x", webtest.Alice, "")
	s.want(200, "DELETE", "/v1/standing/s1", webtest.Alice, "")
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &promised)
	if len(promised.Reservations) != 0 {
		t.Errorf("promised after it was cancelled: %+v", promised.Reservations)
	}
}

func TestAPolicyThatNeedsAnEstimateTakesAStandingReservationByItsLength(t *testing.T) {
	s := standingSite(t)
	s.Must(t, cluster.SetPolicy{Name: "EASY", Period: cluster.Minute})
	s.want(201, "POST", "/v1/standing", webtest.Alice, weekly(""))
}

func TestBadStandingReservationsAreRefusedByREST(t *testing.T) {
	s := standingSite(t)
	for from, to := range map[string]string{
		`"mon", "tue", "wed", "thu", "fri"`: ``, `"mon", `: `"someday", `, `09:00`: `24:00`, `09:00"`: `soon"`, `8h`: `0s`,
		`"8h`: `"25h`, `Europe/Paris`: `Local`, `Europe`: `../Europe`, `2027-06-30`: `2029-01-01`, `2027-06`: `2026-06`,
		`-30"`: `-31"`, `"zone"`: `"zones"`, `"tasks"`: `"reserve": {"start": "2026-12-01T10:00:00Z", "duration": "1h"}, "tasks"`,
	} {
		before := s.fingerprint()
		s.want(422, "POST", "/v1/standing", webtest.Alice, strings.Replace(weekly(""), from, to, 1))
		if string(before) != string(s.fingerprint()) {
			t.Errorf("%s for %s changed something", to, from)
		}
	}
}

func TestAStandingReservationIsRefusedWithTheOccurrenceThatFindsNoRoom(t *testing.T) {
	s := standingSite(t)
	s.submit(job(`"tasks": 2, "reserve": {"start": "2026-12-03T10:00:00Z", "duration": "1h"}`))
	var p api.Problem
	s.want(409, "POST", "/v1/standing", webtest.Alice, weekly("")).into(t, &p)
	if p.Code != "cannot_be_promised" || !strings.Contains(p.Detail, "the occurrence of 2026-12-03 08:00:00 UTC: ") ||
		!strings.Contains(p.Detail, "has 1000m and 160 MiB of it already, which leaves room for 2 of 3 tasks") {
		t.Errorf("%+v", p)
	}
}

func TestAStandingReservationFollowsSummerTime(t *testing.T) {
	s := standingSite(t)
	s.Must(t, cluster.SetTime{To: cluster.Time(time.Date(2027, 3, 20, 12, 0, 0, 0, time.UTC).UnixMicro())})
	s.want(201, "POST", "/v1/standing", webtest.Alice, weekly(""))
	var promised api.ReservationList
	s.want(200, "GET", "/v1/reservations", webtest.Viewer, "").into(t, &promised)
	p := promised.Reservations
	if p[4].From.Format(time.RFC3339) != "2027-03-26T08:00:00Z" ||
		p[5].From.Format(time.RFC3339) != "2027-03-29T07:00:00Z" {
		t.Errorf("around the change: %v and %v", p[4].From, p[5].From)
	}
}
