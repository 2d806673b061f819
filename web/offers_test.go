package web_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// offeredTo submits a reservation for which an earlier one leaves room for one task of two, and returns the answer.
func (s *site) offeredTo(query string) (p api.Problem) {
	s.Join(s, "n1", 4000, 4096*cluster.MiB)
	interval := `"reserve": {"start": "` + inMinutes(s, 10) + `", "duration": "2h"}`
	s.submit(job(`"tasks": 3, ` + interval))
	s.want(409, "POST", "/v1/jobs"+query, webtest.Alice, job(`"tasks": 2, `+interval)).into(s, &p)
	return p
}

func TestARefusedReservationIsOfferedAndAccepted(t *testing.T) {
	s := newSite(t)
	p := s.offeredTo("")
	if p.Code != "cannot_be_promised" || len(p.Alternatives) != 2 || p.Alternatives[1].Offer != "o2" ||
		p.Alternatives[1].Expires == nil {
		t.Fatalf("without room: %+v", p)
	}
	s.wantMetrics(`aliquot_offers 2`)
	var list api.OfferList
	s.want(200, "GET", "/v1/offers", webtest.Viewer, "").into(t, &list)
	if o := list.Offers; len(o) != 2 || o[1].Offer != "o2" || o[1].Answer != "o1" || o[1].Owner != "alice" ||
		o[1].Tasks != 1 || len(o[0].Nodes) != 2 || o[1].PriceCoreHours <= 0 ||
		o[1].PriceCoreHours != p.Alternatives[1].PriceCoreHours {
		t.Errorf("the offers: %+v", o)
	}
	s.want(403, "POST", "/v1/offers/o2/accept", webtest.Viewer, "")
	s.want(404, "POST", "/v1/offers/o3/accept", webtest.Alice, "")
	s.want(404, "POST", "/v1/offers/x/accept", webtest.Alice, "")
	var done api.Accepted
	s.want(201, "POST", "/v1/offers/o2/accept", webtest.Alice, "").into(t, &done)
	var j api.Job
	s.want(200, "GET", "/v1/jobs/"+done.Job, webtest.Viewer, "").into(t, &j)
	if j.Promise == nil || j.Promise.PriceCoreHours != list.Offers[1].PriceCoreHours || j.Spec.Tasks != 1 ||
		j.Promise.State != "promised" {
		t.Errorf("the job: %+v", j)
	}
	s.want(409, "POST", "/v1/offers/o1/accept", webtest.Alice, "")
	s.want(409, "DELETE", "/v1/offers/o1", webtest.Alice, "")
}

func TestOffersAreDeclinedAndExpire(t *testing.T) {
	s := newSite(t)
	p := s.offeredTo("?hold=2m")
	if hold := p.Alternatives[0].Expires.Format(time.RFC3339); hold != inMinutes(s, 2) {
		t.Errorf("held until %v, not %v", hold, inMinutes(s, 2))
	}
	s.want(200, "DELETE", "/v1/offers/o1", webtest.Alice, "")
	s.want(409, "POST", "/v1/offers/o1/accept", webtest.Alice, "")
	s.Advance(2 * cluster.Minute)
	var list api.OfferList
	s.want(200, "GET", "/v1/offers", webtest.Viewer, "").into(t, &list)
	if len(list.Offers) != 0 {
		t.Errorf("held for longer than asked: %+v", list.Offers)
	}
	s.want(409, "POST", "/v1/offers/o2/accept", webtest.Alice, "")
	for _, hold := range []string{"11m", "x", "-1s"} {
		s.want(422, "POST", "/v1/jobs?hold="+hold, webtest.Alice, job(`"tasks": 1`))
	}
}

func TestTheHelpOfARefusedPromiseNamesOnlyWhatThereIs(t *testing.T) {
	s := newSite(t)
	if p := s.offeredTo("?hold=0"); !strings.HasPrefix(p.Help, "Submit one of the alternatives, or ") ||
		strings.Contains(p.Help, "offer") {
		t.Errorf("with alternatives: %s", p.Help)
	}
	s = newSite(t)
	if p := s.offeredTo(""); !strings.HasPrefix(p.Help, "Accept an offer while it is held, or ") ||
		strings.Contains(p.Help, "alternatives") {
		t.Errorf("with offers: %s", p.Help)
	}
}

func TestTheHelpOfADeadlineThatIsTooSoonNamesTheOffersThatAreHeld(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	for query, want := range map[string]string{
		"": "Accept an offer while it is held, or ask for less.", "?hold=0": "Correct it and try again.",
	} {
		var p api.Problem
		s.want(422, "POST", "/v1/jobs"+query, webtest.Alice, job(`"deadline": {"by": "`+inMinutes(s, 10)+
			`", "duration": "2h"}`)).into(t, &p)
		if p.Field != "deadline.by" || len(p.Alternatives) == 0 || p.Help != want {
			t.Errorf("hold %q: %+v, want %q", query, p, want)
		}
	}
}

func TestTheHelpNamesTheQuotaWhereTheHalfIsTheLimit(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 1000, 4096*cluster.MiB)
	for token, want := range map[string]string{
		webtest.Alice: "Ask an admin for a quota (`aliquot quota set --owner alice --cpu … --memory …`), or ask for less.",
		webtest.Admin: "Set a quota: `aliquot quota set --owner admin --cpu … --memory …`, or ask for less.",
	} {
		var p api.Problem
		s.want(409, "POST", "/v1/jobs", token, job(`"cpu": "900m", "reserve": {"start": "`+inMinutes(s, 10)+
			`", "duration": "2h"}`)).into(t, &p)
		if p.Help != want {
			t.Errorf("%q, want %q; %s", p.Help, want, p.Detail)
		}
	}
}

func TestASubmissionHoldsNothingIfItSaysSo(t *testing.T) {
	s := newSite(t)
	if p := s.offeredTo("?hold=0"); len(p.Alternatives) != 2 || p.Alternatives[0].Offer != "" {
		t.Errorf("without room: %+v", p)
	}
}

func TestARepeatedSubmissionGetsItsOffersAgain(t *testing.T) {
	s := newSite(t)
	s.offeredTo("?hold=0")
	start := inMinutes(s, 10)
	ask := func(status int, tasks string) (p api.Problem) {
		s.want(status, "POST", "/v1/jobs", webtest.Alice, job(`"tasks": `+tasks+`, "reserve": {"start": "`+start+
			`", "duration": "2h"}`), "Idempotency-Key: again").into(t, &p)
		return p
	}
	first, again := ask(409, "2"), ask(409, "2")
	if len(again.Alternatives) != 2 || !reflect.DeepEqual(again.Alternatives, first.Alternatives) {
		t.Errorf("first %+v, then %+v", first, again)
	}
	s.want(200, "DELETE", "/v1/offers/o1", webtest.Alice, "")
	s.want(201, "POST", "/v1/offers/o2/accept", webtest.Alice, "")
	if p := ask(409, "2"); p.Code != "conflict" || !strings.Contains(p.Detail, "new key") {
		t.Errorf("after they were answered: %+v", p)
	}
}

func TestARepeatedSubmissionWithADeadlineGetsTheSameOffersAgain(t *testing.T) {
	s := newSite(t)
	s.offeredTo("?hold=0")
	spec := job(`"tasks": 2, "deadline": {"by": "` + inMinutes(s, 100) + `", "duration": "1h"}`)
	var first, again api.Problem
	s.want(409, "POST", "/v1/jobs", webtest.Alice, spec, "Idempotency-Key: again").into(t, &first)
	s.want(409, "POST", "/v1/jobs", webtest.Alice, spec, "Idempotency-Key: again").into(t, &again)
	if len(first.Alternatives) == 0 || !reflect.DeepEqual(again.Alternatives, first.Alternatives) {
		t.Errorf("first %+v, then %+v", first.Alternatives, again.Alternatives)
	}
}

func TestWorkThatFindsNoRoomAtAStretchIsOfferedInParts(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	s.Join(t, "n2", 4000, 4096*cluster.MiB)
	s.submit(job(`"tasks": 6, "reserve": {"start": "` + inMinutes(s, 60) + `", "duration": "1h"}`))
	spec := job(`"tasks": 3, "deadline": {"by": "` + inMinutes(s, 200) + `", "duration": "2h"}`)
	var refused, again api.Problem
	s.want(409, "POST", "/v1/jobs", webtest.Alice, spec, "Idempotency-Key: k").into(t, &refused)
	s.want(409, "POST", "/v1/jobs", webtest.Alice, spec, "Idempotency-Key: k").into(t, &again)
	last := refused.Alternatives[len(refused.Alternatives)-1]
	if len(last.Parts) != 2 || last.Duration != "2h2m24s" || !reflect.DeepEqual(again.Alternatives, refused.Alternatives) {
		t.Fatalf("refused with %+v, then with %+v", refused.Alternatives, again.Alternatives)
	}
	var list api.OfferList
	s.want(200, "GET", "/v1/offers", webtest.Viewer, "").into(t, &list)
	if parts := list.Offers[len(list.Offers)-1].Parts; len(parts) != 2 || len(parts[1].Nodes) != 3 {
		t.Errorf("offered are %+v", list.Offers)
	}
	var j api.Job
	s.want(201, "POST", "/v1/offers/"+last.Offer+"/accept", webtest.Alice, "")
	s.want(200, "GET", "/v1/jobs/j2", webtest.Viewer, "").into(t, &j)
	p := j.Promise
	if len(p.Parts) != 2 || !p.Parts[0].Until.Equal(p.Until) || !j.Spec.Deadline.Pausable || p.State != "promised" {
		t.Errorf("accepted, it is promised %+v: %+v", p, j.Spec.Deadline)
	}
	if !p.Parts[1].Until.Equal(*p.Deadline) || p.Parts[1].From.Sub(p.Until) < time.Hour {
		t.Errorf("its parts are %+v", p.Parts)
	}
}

func TestAKeyAnsweredWithOffersIsForOneJob(t *testing.T) {
	s := newSite(t)
	s.offeredTo("?hold=0")
	interval := `"reserve": {"start": "` + inMinutes(s, 10) + `", "duration": "2h"}`
	s.want(409, "POST", "/v1/jobs", webtest.Alice, job(`"tasks": 2, `+interval), "Idempotency-Key: k")
	for _, other := range []string{`"tasks": 1`, `"tasks": 1, ` + interval,
		`"tasks": 4, "deadline": {"by": "` + inMinutes(s, 500) + `", "duration": "2h"}`} {
		var p api.Problem
		s.want(422, "POST", "/v1/jobs", webtest.Alice, job(other), "Idempotency-Key: k").into(t, &p)
		if p.Code != "idempotency_key_reused" {
			t.Errorf("%s: %+v", other, p)
		}
	}
}
