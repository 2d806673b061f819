package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/manager/simulations"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/sim/course"
	"aliquot/sim/sweep"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/workload"
	"aliquot/workload/prepare"
	"aliquot/workload/swf"
)

// Limits of a report.
const (
	mostSpanNodes = 50_000 // of all spans of one run
	mostSkipped   = 100
	tellEvery     = 250 * time.Millisecond
)

// simulateCommand is the child process of a simulation requested over REST.
func simulateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "simulate FOLDER BYTES", Short: "Simulate the order in a folder with at most that much memory",
		Args: cobra.ExactArgs(2), Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			memory, err := strconv.ParseUint(args[1], 10, 63)
			if err != nil {
				return fmt.Errorf("read the memory limit: %w", err)
			}
			if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory}); err != nil {
				return fmt.Errorf("limit the memory: %w", err)
			}
			if err := confine(args[0]); err != nil {
				return err
			}
			return simulateFolder(c.Context(), args[0], c.OutOrStdout())
		},
	}
}

// openSimulations opens the runner of simulations. Its children are this program again.
func openSimulations(data string, log zerolog.Logger) (*simulations.Runner, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the simulating program: %w", err)
	}
	return simulations.Open(simulations.Config{
		Dir: filepath.Join(data, "simulations"), Command: []string{self, "simulate"}, Check: checkOrder,
		Limits: simulations.Usual, Clock: time.Now, Log: log,
	})
}

// checkOrder returns the refusal of an order before it is queued, or nil.
func checkOrder(o web.SimulationOrder) *cluster.Rejection {
	for _, name := range o.Policies {
		if _, err := catalog.Parse(name, o.Period); err != nil {
			return &cluster.Rejection{Code: cluster.CodeInvalid, Field: "policies", Detail: err.Error()}
		}
	}
	if _, err := termsOf(o).Setup(o.Penalty); err != nil {
		return &cluster.Rejection{Code: cluster.CodeInvalid, Detail: err.Error()}
	}
	return nil
}

func termsOf(o web.SimulationOrder) sim.Terms {
	return sim.Terms{Cost: o.Cost, Estimates: o.Estimates, Impossible: o.Impossible}
}

// simulateFolder simulates the order of a folder and writes the report there.
func simulateFolder(ctx context.Context, folder string, progress io.Writer) error {
	o, err := simulations.ReadOrder(folder)
	if err != nil {
		return err
	}
	jobs, setup, err := streamOf(folder, o)
	if err != nil {
		return err
	}
	report := api.SimulationReport{Nodes: []string{}, Runs: []api.SimulationRun{}}
	for _, n := range setup.Nodes {
		report.Nodes = append(report.Nodes, n.Name)
	}
	for i, name := range o.Policies {
		told := time.Time{}
		run, err := simulateOne(o, name, setup, jobs, func(p sim.Progress) error {
			if now := time.Now(); now.Sub(told) >= tellEvery {
				told = now
				_ = json.NewEncoder(progress).Encode(api.SimulationProgress{ // without the manager this process ends
					Policy: name, Number: i + 1, Jobs: p.Jobs, Ended: p.Ended, StreamSeconds: p.Now.Seconds(),
				})
			}
			return ctx.Err()
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		report.Runs = append(report.Runs, run)
	}
	return simulations.WriteReport(folder, report)
}

// streamOf returns the jobs of an order, and a setup with its nodes and the jobs' initial places.
func streamOf(folder string, o web.SimulationOrder) (jobs []workload.Job, s sim.Setup, err error) {
	if o.Source != "live" {
		jobs, err = traced(folder, o)
		return jobs, sim.Setup{Nodes: sim.Units(o.Nodes)}, err
	}
	s.Initials = map[int64]sim.Initial{}
	for _, n := range o.LiveNodes {
		s.Nodes = append(s.Nodes, sim.Node(n))
	}
	for _, j := range o.LiveJobs {
		jobs = append(jobs, workload.Job{ID: j.ID, Tasks: j.Tasks, Need: j.Need, Memory: j.Memory, Runtime: j.Runtime,
			Estimate: j.Estimate, FailOnLoss: j.Fails, Class: j.Class})
		s.Initials[j.ID] = sim.Initial{Beginning: j.Now, Rules: j.Rules}
	}
	return jobs, s, nil
}

func traced(folder string, o web.SimulationOrder) ([]workload.Job, error) {
	text, err := simulations.OpenTrace(folder)
	if err != nil {
		return nil, fmt.Errorf("read the trace: %w", err)
	}
	defer text.Close()
	if o.Source == "native" {
		return workload.Read(text)
	}
	log, err := swf.NewReader(text)
	if err != nil {
		return nil, err
	}
	jobs, _, err := prepare.Jobs(log,
		prepare.Generic(prepare.Node{Processors: int64(max(1, o.Cores)), Memory: o.NodeMemory}))
	return jobs, err
}

func simulateOne(
	o web.SimulationOrder, name string, of sim.Setup, jobs []workload.Job, watch func(sim.Progress) error,
) (api.SimulationRun, error) {
	p, err := catalog.Parse(name, o.Period)
	if err != nil {
		return api.SimulationRun{}, err
	}
	setup, err := termsOf(o).Setup(o.Penalty)
	if err != nil {
		return api.SimulationRun{}, err
	}
	seen := newListener(name, of.Nodes, jobs)
	setup.Nodes, setup.Initials = of.Nodes, of.Initials
	setup.Policy, setup.Watch, setup.Record = p, watch, seen.record
	result, err := sim.Run(setup, jobs)
	if err != nil {
		return api.SimulationRun{}, err
	}
	return seen.tell(result), nil
}

// listener collects a report from a simulation.
type listener struct {
	nodes  []sim.Node
	needs  map[int64]cluster.CPU
	course *course.Course
	held   int // number of nodes in the kept spans
	run    api.SimulationRun
}

func newListener(policy string, nodes []sim.Node, jobs []workload.Job) *listener {
	w := &listener{nodes: nodes, needs: map[int64]cluster.CPU{}, course: course.New(), run: api.SimulationRun{
		Policy: policy, Complete: true, Skipped: []api.SkippedJob{}, Measures: []api.Measure{}, Stretches: []float64{},
		Spans: []api.SimulatedSpan{},
	}}
	for i := range jobs {
		w.needs[jobs[i].ID] = jobs[i].Need
	}
	return w
}

func (w *listener) record(s sim.Span) {
	need := w.needs[s.Job]
	w.course.Hold(s, need)
	if w.held += len(s.Nodes); w.held > mostSpanNodes {
		w.run.Complete = false
		return
	}
	span := api.SimulatedSpan{
		Job: s.Job, FromSeconds: s.From.Seconds(), ToSeconds: s.To.Seconds(), Nodes: make([]int, len(s.Nodes)),
		Yield: float64(s.Share) / float64(need), Paying: s.Paying,
	}
	for i, id := range s.Nodes {
		span.Nodes[i] = int(id) - 1
	}
	if len(span.Nodes) > 0 {
		span.Share = float64(s.Share) / float64(w.nodes[span.Nodes[0]].CPU)
	}
	w.run.Spans = append(w.run.Spans, span)
}

// tell returns the report's part for one policy.
func (w *listener) tell(result sim.Result) api.SimulationRun {
	w.run.Jobs = len(result.Jobs)
	for _, j := range result.Skipped[:min(mostSkipped, len(result.Skipped))] {
		w.run.Skipped = append(w.run.Skipped, api.SkippedJob{Job: j.ID, Why: j.Why})
	}
	of := sweep.Result{Summary: result.Summary()}
	for _, m := range sweep.Measures {
		if value, known := m.Of(of); known && w.run.Jobs > 0 {
			w.run.Measures = append(w.run.Measures, api.Measure{Name: m.Name, Title: m.Title, Value: value})
		}
	}
	for i := range result.Jobs {
		w.course.End(result.Jobs[i])
	}
	w.run.Stretches = stretches(result.Jobs)
	w.run.Course = w.steps()
	return w.run
}

// steps returns the course as lists.
func (w *listener) steps() api.SimulationCourse {
	steps, length := w.course.Steps()
	var capacity cluster.CPU
	for _, n := range w.nodes {
		capacity += n.CPU
	}
	seconds := length.Seconds()
	out := api.SimulationCourse{
		StepSeconds: seconds, YieldLeast: make([]*float64, len(steps)), YieldMean: make([]*float64, len(steps)),
		Utilization: make([]float64, len(steps)), JobsHolding: make([]float64, len(steps)),
		JobsWaiting: make([]float64, len(steps)),
	}
	for i, s := range steps {
		out.Utilization[i] = s.Granted / (float64(capacity) * seconds)
		out.JobsHolding[i], out.JobsWaiting[i] = s.Holding/seconds, max(0, s.Present-s.Holding)/seconds
		if s.Holding > 0 {
			mean := s.Yield / s.Holding
			out.YieldLeast[i], out.YieldMean[i] = &steps[i].Least, &mean
		}
	}
	return out
}

// stretches returns the bounded stretch at each percentile of the jobs; none without jobs.
func stretches(jobs []sim.Outcome) []float64 {
	all := make([]float64, len(jobs))
	for i, o := range jobs {
		all[i] = o.BoundedStretch()
	}
	slices.Sort(all)
	out := []float64{}
	for percent := 0; percent <= 100 && len(all) > 0; percent++ {
		out = append(out, all[max(0, (len(all)*percent+99)/100-1)])
	}
	return out
}
