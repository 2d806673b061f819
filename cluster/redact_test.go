package cluster

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARedactedJobKeepsOnlyTheTextsThatAreShownToAll(t *testing.T) {
	spec := filled[Spec](counting())
	keys := func(pairs []Pair) (all []string) {
		for _, p := range pairs {
			all = append(all, p.Key)
		}
		return all
	}
	want := slices.Concat([]string{spec.Name, spec.Owner, spec.Project, spec.Image, spec.Workflow, "type-1"},
		keys(spec.Env), keys(spec.Labels), spec.Placement.Nodes, keys(spec.Placement.Match), keys(spec.Files), spec.Outputs)
	for _, p := range spec.Placement.Match {
		want = append(want, p.Value)
	}
	var got []string
	texts(reflect.ValueOf((&Job{Spec: &spec}).redacted(pseudonyms{}).Spec), func(text string) {
		if text != "" {
			got = append(got, text)
		}
	})
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if spec.CloudInit == "" || spec.Files[0].Value == "" {
		t.Error("redacting has changed the job")
	}
}

func TestARedactedStateKnowsTheSameJobsAsAlike(t *testing.T) {
	b := built(t, 1, 10)
	for range fewTimes {
		b.ran(typed(""), Minute, 0)
		b.ran(typed("render"), Hour, 0)
	}
	for _, spec := range []*Spec{typed(""), typed("render"), typed("other")} {
		j := b.waiting(spec)
		bare := b.s.Redacted()
		if got, want := bare.Similar(bare.Job(j.ID).Spec), b.s.Similar(j.Spec); (got == nil) != (want == nil) ||
			got != nil && !slices.Equal(got.Latest, want.Latest) {
			t.Errorf("%q: %v, unredacted %v", spec.Type, got, want)
		}
	}
	for r := range b.s.Redacted().Experience() {
		if r.Type != "type-1" && r.Type != "type-2" {
			t.Errorf("shown: %q", r.Type)
		}
	}
}
