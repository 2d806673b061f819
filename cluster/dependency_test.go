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
