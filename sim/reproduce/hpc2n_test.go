package reproduce

import (
	"testing"

	"aliquot/sim/sweep"
)

func TestTracesOfTheReportAreTheSameEveryTimeAndDifferFromEachOther(t *testing.T) {
	seen := map[string]string{}
	for range 2 {
		for _, trace := range []Trace{{Index: 0}, {Index: 1}, {Index: 0, Tenth: 1}, {Index: 0, Tenth: 9}} {
			jobs, err := HPC2N{}.Jobs(trace)
			if err != nil {
				t.Fatal(err)
			}
			digest := sweep.Digest(jobs)
			if name, known := seen[digest]; known && name != trace.Name() || len(jobs) != SyntheticJobs {
				t.Errorf("%s has %d jobs, the same as %s", trace.Name(), len(jobs), name)
			}
			seen[digest] = trace.Name()
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d different traces of 4", len(seen))
	}
}
