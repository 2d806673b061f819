package trials

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/internal/terminal"
	"aliquot/sim"
	"aliquot/sim/sweep"
	"aliquot/workload"
)

// trialsOf returns trials of traces of one kind with 10, 20, … jobs, which are never loaded.
func trialsOf(t *testing.T, kind string, policies []string, traces int) (all []Entry) {
	t.Helper()
	for i := range traces {
		from := &Source{Name: fmt.Sprint(kind, i), Kind: kind, count: 10 * (i + 1)}
		for _, policy := range policies {
			x, err := sweep.New(from.Name, from.Name, 4, policy, 600*cluster.Second, 300*cluster.Second, sim.Terms{})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, Entry{Trial: x, Source: from})
		}
	}
	return all
}

func TestATypicalTrialOfEachUnknownKindRunsFirst(t *testing.T) {
	results, err := Open(filepath.Join(t.TempDir(), "r.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer results.Close()
	all := append(trialsOf(t, "week", []string{"FCFS", "/per"}, 9), trialsOf(t, Unforetold, []string{"FCFS"}, 1)...)
	all = append(all, trialsOf(t, "unscaled", []string{"FCFS"}, 3)...)
	kept := sweep.Result{Trial: all[0].Trial, Seconds: 5} // a week of 10 jobs under FCFS
	if err := results.Keep(kept); err != nil {
		t.Fatal(err)
	}
	p := &Pool{Results: results, Workers: 2, Display: terminal.NewProgress(&strings.Builder{}, 0)}
	p.remember(all)
	var picked []string
	for _, j := range p.typical(p.missing(all)) {
		picked = append(picked, j.Name+" "+j.Policy)
	}
	if got := strings.Join(picked, ", "); got != "week4 /per/opt=min, unscaled1 FCFS" {
		t.Error(got)
	}
	p.begin(len(all), p.missing(all))
	// 440 jobs of weeks under FCFS, half a second each, on two workers. 450 and 60 others count as equally fast; the
	// log's do not.
	if got := p.tally.text(); got != "1 of 22 trials, 3m58s, and 1 run of the unsplit log, not foretold, left" {
		t.Error(got)
	}
	log := all[slices.IndexFunc(all, func(j Entry) bool { return j.Kind == Unforetold })]
	p.tally.inside(log, sim.Progress{Jobs: 200, Ended: 10}, time.Second)
	p.tally.inside(log, sim.Progress{Jobs: 200, Ended: 30}, time.Minute)
	if got := p.tally.text(); !strings.HasSuffix(got, "not foretold, left; 15% of "+log.Name+" under FCFS") {
		t.Error(got)
	}
	for _, j := range p.missing(all) {
		p.tally.step(j, time.Second)
	}
	if got := p.tally.text(); got != "22 of 22 trials" {
		t.Error(got)
	}
}

// planned returns the trials of four traces under two policies. It calls before when the third trace is loaded to be
// run.
func planned(t *testing.T, before func()) (all []Entry) {
	t.Helper()
	for i, name := range []string{"a", "b", "c", "d"} {
		jobs := []workload.Job{
			{ID: 1, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory / 2,
				Runtime: cluster.Time(500+100*i) * cluster.Second},
			{ID: 2, Submit: 10 * cluster.Second, Tasks: 2, Need: workload.UnitCPU, Memory: workload.UnitMemory / 2,
				Runtime: 120 * cluster.Second},
		}
		from := &Source{Name: name, Load: func() ([]workload.Job, error) { return jobs, nil }}
		digest, err := from.Identify()
		if err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			from.Load = func() ([]workload.Job, error) { before(); return jobs, nil }
		}
		for _, policy := range []string{"FCFS", "Greedy *"} {
			trial, err := sweep.New(name, digest, 2, policy, 600*cluster.Second, 300*cluster.Second, sim.Terms{})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, Entry{Trial: trial, Source: from})
		}
	}
	return all
}

func TestAnInterruptionLosesNoResultAndNoneIsComputedTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run := func(ctx context.Context, all []Entry) (ran int, err error) {
		results, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer results.Close()
		p := &Pool{Results: results, Workers: 1, Bound: true, Display: terminal.NewProgress(&strings.Builder{}, 0)}
		err = p.Run(ctx, all)
		return p.tally.done, err
	}
	kept := func() int {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "\n")
	}
	ran, err := run(ctx, planned(t, cancel))
	if !errors.Is(err, context.Canceled) || kept() != ran || ran < 4 || ran > 5 {
		t.Fatalf("%d results were kept of %d: %v", kept(), ran, err)
	}
	again, err := run(t.Context(), planned(t, func() {}))
	if err != nil || ran+again != 8 || kept() != 8 {
		t.Errorf("%d and %d trials of 8, %d results: %v", ran, again, kept(), err)
	}
}
