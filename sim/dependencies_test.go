package sim

import (
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/workload"
)

func TestAJobRunsWhenTheLastThatItWaitsForHasEnded(t *testing.T) {
	jobs, err := workload.Read(strings.NewReader(`id,submit,tasks,cpu,mem,runtime
1,0,1,1,0.1,100
2,0,1,1,0.1,50
3,0,1,1,0.1,20
4,0,1,2,0.1,10
5,0,1,1,0.1,10
6,130,1,1,0.1,10
`))
	if err != nil {
		t.Fatal(err)
	}
	s := setup(t, 2, "FCFS")
	s.Impossible, s.After = Skip, After{3: {1, 2}, 5: {4}, 6: {1}}
	result, err := Run(s, jobs)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int64]cluster.Time{}
	for _, o := range result.Jobs {
		ends[o.ID] = o.Ended / cluster.Second
		if o.ID == 3 && (o.Eligible != 100*cluster.Second || o.Turnaround() != 20*cluster.Second) {
			t.Errorf("%+v", o)
		}
	}
	if len(ends) != 4 || ends[3] != 120 || ends[6] != 140 {
		t.Errorf("ends %v", ends)
	}
	if n := len(result.Skipped); n != 2 || result.Skipped[1].Why != "waits for job 4, which did not succeed" {
		t.Errorf("skipped: %+v", result.Skipped)
	}
}

func TestJobsThatCouldWaitForEverAreRefused(t *testing.T) {
	jobs := []workload.Job{{ID: 1}, {ID: 2}, {ID: 3}}
	for want, after := range map[string]After{
		"job 2 waits for job 9, and the stream does not have both": {2: {9}},
		"2 jobs wait for each other in a circle":                   {2: {3}, 3: {2, 1}},
	} {
		if err := after.Check(jobs); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %q", after, err, want)
		}
	}
}
