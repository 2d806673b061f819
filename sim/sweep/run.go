package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/sim/check"
	"aliquot/sim/timeline"
	"aliquot/workload"
)

// Bench is the equipment of a trial.
type Bench struct {
	Clock func() time.Duration     // for measured times; nil: no time is measured
	Watch func(sim.Progress) error // called from time to time; its error ends the trial; nil: not called
	Check bool                     // verify the schedule independently

	Events []workload.Event // that happen meanwhile; the trial has their digest
}

// untimed is the recorded period of a policy without ticks, for which all periods are the same.
const untimed = 600 * cluster.Second

// New returns a trial of a trace with that digest, on the given terms. It fails for an unknown policy and for invalid
// terms. A policy without ticks has the same trial for every period.
func New(trace, digest string, nodes int, name string, period, penalty cluster.Time, terms sim.Terms) (Trial, error) {
	p, err := catalog.Parse(name, period)
	if err != nil {
		return Trial{}, err
	}
	if _, err := terms.Setup(penalty); err != nil {
		return Trial{}, err
	}
	if !catalog.Ticks(name) {
		period = untimed
	}
	return Trial{
		Trace: trace, Digest: digest, Nodes: nodes, Policy: fmt.Sprint(p),
		Period: period.Seconds(), Penalty: penalty.Seconds(), Terms: terms.Canonical(),
	}, nil
}

// Run simulates the trial on its jobs.
func (t Trial) Run(b Bench, jobs []workload.Job) (Result, error) {
	p, err := catalog.Parse(t.Policy, seconds(t.Period))
	if err != nil {
		return Result{}, err
	}
	setup, err := t.Setup(seconds(t.Penalty))
	if err != nil {
		return Result{}, err
	}
	held := timeline.Holdings{}
	var seen sim.Recording
	setup.Nodes, setup.Policy, setup.Clock, setup.Watch = sim.Units(t.Nodes), p, b.Clock, b.Watch
	setup.Events = b.Events
	setup.Record = held.Add
	if b.Check {
		seen.Observe(&setup)
		record := setup.Record
		setup.Record = func(s sim.Span) { held.Add(s); record(s) }
	}
	begin := b.now()
	done, err := sim.Run(setup, jobs)
	if err != nil {
		return Result{}, err
	}
	r := Result{Trial: t, Seconds: (b.now() - begin).Seconds(), Checked: b.Check}
	if b.Check {
		if err := check.Schedule(setup, jobs, done, seen); err != nil {
			return Result{}, fmt.Errorf("the schedule does not hold:\n%w", err)
		}
	}
	for _, j := range done.Skipped {
		r.Skipped = append(r.Skipped, j.ID)
	}
	for _, j := range done.Stopped {
		r.Unfinished = append(r.Unfinished, j.ID)
	}
	r.Summary = done.Summary()
	r.Worst = worst(done.Jobs, held, t.Nodes)
	if b.Clock != nil {
		r.Thinking = thinking(done)
	}
	return r, nil
}

func (b Bench) now() time.Duration {
	if b.Clock == nil {
		return 0
	}
	return b.Clock()
}

// seconds converts a trial's number of seconds to a time, rounded to the nearest microsecond: the number may be
// slightly too small.
func seconds(s float64) cluster.Time { return cluster.Time(math.Round(s * float64(cluster.Second))) }

// worst returns the story of the job with the greatest bounded stretch, the first to end among equals.
func worst(jobs []sim.Outcome, held timeline.Holdings, nodes int) Worst {
	if len(jobs) == 0 {
		return Worst{}
	}
	o := slices.MaxFunc(jobs, func(a, b sim.Outcome) int { return cmp.Compare(a.BoundedStretch(), b.BoundedStretch()) })
	w := Worst{Fate: held.Fate(o)}
	for _, other := range jobs {
		if other.Submit <= o.Submit && other.Ended > o.Submit {
			w.Load += float64(other.Tasks) * float64(other.Need) / float64(workload.UnitCPU) / float64(nodes)
			if other.Started > o.Submit && other.ID != o.ID {
				w.Waiting++
			}
		}
	}
	return w
}

// thinking returns the measured decision times.
func thinking(done sim.Result) Thinking {
	few, many := done.Timing.Few, done.Timing.Many
	return Thinking{
		Few: few.Count, FewLongest: few.Max.Seconds(), Many: many.Count, ManyTotal: many.Total.Seconds(),
		Longest: max(few.Max, many.Max).Seconds(), MostJobs: crowd(done.Jobs),
	}
}

// crowd returns the greatest number of jobs in the system at once.
func crowd(jobs []sim.Outcome) (most int) {
	type change struct {
		at cluster.Time
		by int
	}
	var changes []change
	for _, o := range jobs {
		changes = append(changes, change{o.Submit, 1}, change{o.Ended, -1})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	here := 0
	for _, c := range changes {
		here += c.by
		most = max(most, here)
	}
	return most
}
