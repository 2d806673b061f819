package web_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

var someone = cluster.Actor{Name: "alice", Owner: "alice", Project: "render", Role: cluster.User}

// Every accepted specification keeps the bounds, and reads the same again after it was written.
func FuzzJobSpec(f *testing.F) {
	for _, seed := range []string{
		small, full, `{}`, `{"cpu": "1e3", "memory": "1Ti", "command": ["true"]}`,
		`{"cpu": "0.001", "memory": "16777216", "command": ["true"]}`,
		`{"cpu": "1", "memory": "64Mi", "command": ["true"], "estimate": "1ns"}`,
		`{"cpu": "1", "memory": "64Mi", "command": ["true"], "limits": {"runtime": "99999h"}}`,
		`{"cpu": "1", "memory": "64Mi", "command": ["true"], "env": {"": "x"}, "labels": {"a": ""}}`,
		`{"cpu":"1","memory":"64Mi", "command": ["true"],"tasks":-1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		var in api.JobSpec
		if decoder.Decode(&in) != nil {
			return
		}
		spec, err := web.SpecOf(&in, someone)
		if err != nil {
			return
		}
		if r := spec.Validate(); r != nil {
			t.Fatalf("accepted an invalid specification: %v", r)
		}
		if spec.Owner != "alice" || spec.Project != "render" {
			t.Fatalf("belongs to %s, %s", spec.Owner, spec.Project)
		}
		written := web.SpecJSON(spec, true)
		again, err := web.SpecOf(&written, someone)
		if err != nil {
			t.Fatalf("%+v is not accepted again: %v", written, err)
		}
		if diff := cmp.Diff(web.SpecJSON(again, true), written); diff != "" {
			t.Fatalf("it reads differently (-again +first):\n%s", diff)
		}
	})
}

func TestAJobStartsAgainAfterALossUnlessItsUserSaysNo(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		in, out *api.Restart
		fails   bool
	}{
		{nil, nil, false},
		{&api.Restart{OnLoss: &yes}, nil, false},
		{&api.Restart{OnLoss: &no}, &api.Restart{OnLoss: &no}, true},
		{&api.Restart{OnFailure: 2, OnLoss: &no}, &api.Restart{OnFailure: 2, OnLoss: &no}, true},
		{&api.Restart{OnFailure: 2}, &api.Restart{OnFailure: 2}, false},
	} {
		in := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, Restart: c.in}
		spec, err := web.SpecOf(&in, someone)
		if err != nil || spec.FailOnLoss != c.fails {
			t.Fatalf("%+v: fails on loss %v, error %v", c.in, spec.FailOnLoss, err)
		}
		if diff := cmp.Diff(c.out, web.SpecJSON(spec, true).Restart); diff != "" {
			t.Errorf("%+v reads differently (-want +got):\n%s", c.in, diff)
		}
	}
}

func TestAJobHasOneOfThreeClasses(t *testing.T) {
	for name, want := range map[string]cluster.Class{"": cluster.StandardClass, "standard": cluster.StandardClass,
		"background": cluster.BackgroundClass, "either": cluster.EitherClass} {
		in := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, Class: name}
		spec, err := web.SpecOf(&in, someone)
		if err != nil || spec.Class != want {
			t.Fatalf("%q: %v, error %v", name, spec, err)
		}
		if out := web.SpecJSON(spec, true).Class; out != strings.TrimPrefix(want.String(), "standard") {
			t.Errorf("%q reads as %q", name, out)
		}
	}
	_, err := web.SpecOf(&api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, Class: "foo"}, someone)
	if err == nil || !strings.Contains(err.Error(), `"foo" is no class; there are standard, background and either`) {
		t.Errorf("class foo: %v", err)
	}
}

func TestAJobMayHaveALeastYield(t *testing.T) {
	for least, want := range map[float64]cluster.Parts{0: 0, 0.5: 500_000, 1: cluster.Whole, 1.5: -1, -0.1: -1} {
		in := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, MinYield: least}
		spec, err := web.SpecOf(&in, someone)
		if refused := want < 0; (err != nil) != refused {
			t.Errorf("%g: %v", least, err)
		} else if !refused && (spec.MinYield != want || web.SpecJSON(spec, true).MinYield != least) {
			t.Errorf("%g is %v", least, spec.MinYield)
		}
	}
	in := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, MinYield: 0.5, Class: "background"}
	if _, err := web.SpecOf(&in, someone); err == nil {
		t.Error("the background guarantees nothing")
	}
}

func TestQuantitiesAreReadExactly(t *testing.T) {
	in := api.JobSpec{CPU: "1.25", Memory: "96Mi", Command: []string{"true"}, Estimate: "1h30m",
		Limits: &api.Limits{Runtime: "90s", LogBytes: "64Ki"}}
	spec, err := web.SpecOf(&in, someone)
	if err != nil {
		t.Fatal(err)
	}
	got := []any{spec.Tasks, spec.Need, spec.Requirement.Memory, spec.Estimate, spec.Limits.Runtime, spec.Limits.LogBytes}
	want := []any{1, cluster.CPU(1250), 96 * cluster.MiB, 90 * cluster.Minute, 90 * cluster.Second, cluster.Bytes(65536)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("quantities (-want +got):\n%s", diff)
	}
	out := web.SpecJSON(spec, true)
	if out.Estimate != "1h30m" || out.Limits.Runtime != "1m30s" || out.Limits.LogBytes != "65536" {
		t.Errorf("written as %+v, %+v", out, out.Limits)
	}
}

func TestAllTextOfASpecificationTogetherHasALimit(t *testing.T) {
	long := strings.Repeat("x", cluster.MaxSpec-100)
	many := make([]string, 300)
	for i := range many {
		many[i] = strings.Repeat("n", 253)
	}
	for name, in := range map[string]api.JobSpec{
		"labels":    {Labels: map[string]string{"a": long, "b": long}},
		"args":      {Args: []string{long}, Env: map[string]string{"A": "1"}, Labels: map[string]string{"a": long}},
		"placement": {Placement: &api.Placement{Labels: map[string]string{"a": long, "b": long}}},
		"nodes":     {Placement: &api.Placement{Nodes: many}},
	} {
		in.CPU, in.Memory, in.Command = "1", "64Mi", []string{"true"}
		_, err := web.SpecOf(&in, someone)
		var refused *cluster.Rejection
		if !errors.As(err, &refused) || !strings.Contains(refused.Detail, "may take 65536 bytes in all; this one takes ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	fits := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, Labels: map[string]string{"a": long}}
	if _, err := web.SpecOf(&fits, someone); err != nil {
		t.Error(err)
	}
}

func TestNULAndBytesThatAreNoTextAreRefused(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 512*cluster.MiB)
	for field, body := range map[string]string{
		"command":   `"command": ["a\u0000b"]`,
		"args":      `"command": ["true"], "args": ["\u0000"]`,
		"env":       `"command": ["true"], "env": {"A": "x\u0000"}`,
		"labels":    `"command": ["true"], "labels": {"a": "\u0000"}`,
		"placement": `"command": ["true"], "placement": {"nodes": ["n\u0000"]}`,
	} {
		r := s.want(422, "POST", "/v1/jobs", webtest.Alice, `{"cpu": "1", "memory": "64Mi", `+body+`}`)
		if !strings.Contains(r.text, `"field":"`+field) {
			t.Errorf("NUL in %s: %s", field, r.text)
		}
	}
	bad := `{"cpu": "1", "memory": "64Mi", "command": ["` + "\xff\xfe" + `"]}`
	if r := s.call("POST", "/v1/jobs", webtest.Alice, bad); r.status < 400 || r.status > 422 {
		t.Errorf("bytes that are not UTF-8: %d %s", r.status, r.text)
	}
}

func TestAJobMayHaveABudget(t *testing.T) {
	prices := map[float64]cluster.Price{3: 3 * cluster.CoreHour, 0.5: cluster.CoreHour / 2, 0: -1, -1: -1}
	for budget, want := range prices {
		in := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, Budget: &budget,
			Reserve: &api.Reserve{Start: "2026-11-26T14:00:00Z", Duration: "2h"}}
		spec, err := web.SpecOf(&in, someone)
		if refused := want < 0; (err != nil) != refused {
			t.Errorf("%g: %v", budget, err)
		} else if !refused && (spec.Budget != want || *web.SpecJSON(spec, true).Budget != budget) {
			t.Errorf("%g is %v", budget, spec.Budget)
		}
	}
	budget := 3.0
	in := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}, Budget: &budget}
	if _, err := web.SpecOf(&in, someone); err == nil {
		t.Error("nothing but a promise has a price")
	}
}
