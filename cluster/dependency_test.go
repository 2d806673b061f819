package cluster

import (
	"runtime/debug"
	"testing"
)

func TestTheEndOfALongChainTakesNoStack(t *testing.T) {
	b := built(t, 1, 0)
	spec := *specimen()
	spec.Need = 10
	const jobs = 20_000
	first := b.s.NextJob
	for i := range JobID(jobs) {
		next := spec
		if i > 0 {
			next.After = []Dependency{{Job: first + i - 1}}
		}
		b.apply(Submit{Spec: &next})
	}
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	b.apply(Cancel{Job: first})
	if n := b.s.Job(first + jobs - 1); n != nil {
		t.Errorf("the last of the chain is %+v", n)
	}
}

// A decision may refuse several jobs at once, and another may wait for them all.
func TestAJobHearsOfAllThatOneCommandEnds(t *testing.T) {
	for _, when := range []Outcomes{OnFailure, OnEnd, OnSuccess} {
		b := built(t, 1, 0)
		spec := *specimen()
		spec.Need = 10
		a, c := b.apply(Submit{Spec: &spec}).Job, b.apply(Submit{Spec: &spec}).Job
		waits := spec
		waits.After = []Dependency{{a, when}, {c, when}}
		j := b.apply(Submit{Spec: &waits}).Job
		b.apply(Adopt{Basis: b.s.Revision, Seen: b.s.View(b.s.Now).Pending(),
			Refuse: []Refusal{{a, Reason{Code: WhyNoEstimate}}, {c, Reason{Code: WhyNoEstimate}}}})
		if waiting := b.s.Job(j); (waiting != nil) != (when != OnSuccess) || waiting != nil && waiting.Waits != 0 {
			t.Errorf("%v: the job that waited for both is %+v", when, waiting)
		}
		if err := b.s.Check(); err != nil {
			t.Errorf("%v: %v", when, err)
		}
	}
}
