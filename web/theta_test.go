package web_test

import (
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestThetaRefusesWhatIsDearWithTheReasonAndCheaperOnes(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	var got api.Theta
	s.want(200, "GET", "/v1/theta", webtest.Viewer, "").into(t, &got)
	if got.Theta != 0 || got.LimitCoreHours != nil {
		t.Errorf("at first: %+v", got)
	}
	s.want(200, "PUT", "/v1/theta", webtest.Operator, `{"theta": 0.02}`)
	s.want(200, "GET", "/v1/theta", webtest.Alice, "").into(t, &got)
	if got.Theta != 0.02 || got.LimitCoreHours == nil || *got.LimitCoreHours != 0.08 {
		t.Errorf("when it is set: %+v", got)
	}
	dear := job(`"tasks": 3, "reserve": {"start": "` + inMinutes(s, 10) + `", "duration": "2h"}`)
	for _, path := range []string{"/v1/jobs", "/v1/jobs/check"} {
		var p api.Problem
		s.want(409, "POST", path, webtest.Alice, dear).into(t, &p)
		if p.Code != "cannot_be_promised" || p.Field != "reserve" ||
			!strings.Contains(p.Detail, "is above the limit of 0.08 core-hours that all promises have: theta is 0.02") ||
			len(p.Alternatives) == 0 {
			t.Errorf("%s: %+v", path, p)
		}
		for _, a := range p.Alternatives {
			if a.PriceCoreHours > 0.08 {
				t.Errorf("%s: too dear: %+v", path, a)
			}
		}
	}
	text := s.want(200, "GET", "/metrics", webtest.Operator, "").text
	if !strings.Contains(text, "\naliquot_theta 0.02\n") {
		t.Error("the metric is missing")
	}
	text = s.want(200, "GET", "/v1/history?kind=theta_set", webtest.Alice, "").text
	if !strings.Contains(text, `"text":"0.02"`) {
		t.Errorf("the event: %s", text)
	}
	s.want(200, "PUT", "/v1/theta", webtest.Operator, `{"theta": 0}`)
	s.want(201, "POST", "/v1/jobs", webtest.Alice, dear)
}
