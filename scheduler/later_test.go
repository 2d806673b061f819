package scheduler

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/catalog"
)

// estimated returns a job with an estimate of its run time, or without if that is 0.
func estimated(estimate cluster.Time, after ...cluster.JobID) cluster.Submit {
	s := cluster.Spec{Image: image, Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB},
		Estimate: estimate}
	for _, id := range after {
		s.After = append(s.After, cluster.Dependency{Job: id, When: cluster.OnSuccess})
	}
	return cluster.Submit{Spec: &s}
}

func TestAPreviewOfAPolicyNamesTheJobsThatFailWhenTheirTurnComes(t *testing.T) {
	l := newLab(t)
	first := l.do(estimated(cluster.Minute)).Job
	next := l.do(estimated(0, first)).Job
	l.do(estimated(cluster.Minute, first))
	held := l.do(estimated(0)).Job
	l.do(cluster.Hold{Job: held})
	doomed := l.do(estimated(0)).Job
	waits := l.do(estimated(cluster.Minute, doomed)).Job

	foresee := func(name string) Preview {
		p, err := Foresee(l.s.Snapshot(l.now), Hypothesis{Policy: &cluster.PolicyChoice{Name: name, Period: cluster.Minute}},
			func(c cluster.PolicyChoice) (policy.Policy, error) { return catalog.Parse(c.Name, c.Period) })
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := foresee("EASY")
	if len(p.Adopt.Refuse) != 1 || p.Adopt.Refuse[0].Job != doomed || p.After.Job(waits) != nil {
		t.Errorf("refused at once: %v", p.Adopt.Refuse)
	}
	if len(p.Later) != 2 || p.Later[0].Job != next || p.Later[1].Job != held ||
		p.Later[0].Reason.Code != cluster.WhyNoEstimate {
		t.Errorf("refused later: %v", p.Later)
	}
	if p := foresee("FCFS"); len(p.Later) != 0 {
		t.Errorf("FCFS, which needs no estimates, refuses later: %v", p.Later)
	}
}
