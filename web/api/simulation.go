package api

import "time"

// NewSimulation is a request to simulate a trace or the live jobs.
type NewSimulation struct {
	Name       string    `json:"name,omitempty" maxLength:"128" doc:"For people"`
	Trace      *Trace    `json:"trace,omitempty" doc:"A stream of jobs; either this or live"`
	Live       *LiveJobs `json:"live,omitempty" doc:"The jobs and nodes as they are now; either this or trace"`
	Policies   []string  `json:"policies" minItems:"1" maxItems:"8" doc:"Published names; each simulates the same jobs" example:"[\"FCFS\",\"GreedyPM */per/opt=min/minvt=600\"]"`
	Period     string    `json:"period,omitempty" maxLength:"32" doc:"Between periodic decisions; left out: 10m"`
	Penalty    string    `json:"penalty,omitempty" maxLength:"32" doc:"Time for which a rescheduled job stands still at constant cost, 0s for none; left out: 5m"`
	Cost       string    `json:"cost,omitempty" maxLength:"32" doc:"Cost of rescheduling: constant, memory[=GB/s], live[=PAUSE], moves[=GB/s]; left out: constant"`
	Estimates  string    `json:"estimates,omitempty" enum:"perfect,trace" doc:"Run times known to policies: the true ones, or the users' estimates; left out: perfect"`
	Impossible string    `json:"impossible,omitempty" enum:"refuse,skip" doc:"Treatment of jobs that can never run; left out: skip"`
}

// Trace is a stream of jobs.
type Trace struct {
	Format          string `json:"format" enum:"native,swf" doc:"native: CSV with the header id,submit,tasks,cpu,mem,runtime; swf: Standard Workload Format"`
	Text            string `json:"text" minLength:"1" maxLength:"33554432" doc:"The whole trace"`
	Nodes           int    `json:"nodes" minimum:"1" maximum:"10000" doc:"Number of nodes, all alike"`
	Cores           int    `json:"cores,omitempty" minimum:"1" maximum:"10000" doc:"Cores of a node, for SWF; left out: 1"`
	NodeMemoryBytes int64  `json:"nodeMemoryBytes,omitempty" minimum:"0" doc:"Memory of a node, for SWF; left out: jobs get their memory by the rules"`
}

// LiveJobs holds assumptions about the live jobs. They go on from their present positions, on the nodes as they are
// now.
type LiveJobs struct {
	Runtime string `json:"runtime,omitempty" maxLength:"32" doc:"Run time at full speed of jobs without an estimate; left out: 1h"`
}

// Simulation is a simulation that waits, runs, or has ended.
type Simulation struct {
	ID          string              `json:"id" example:"s1a2b3c4d"`
	Name        string              `json:"name"`
	By          string              `json:"by" doc:"Name of the requester"`
	State       string              `json:"state" enum:"waiting,running,done,failed,cancelled"`
	Source      string              `json:"source" enum:"native,swf,live"`
	Policies    []string            `json:"policies"`
	Created     time.Time           `json:"created"`
	Started     *time.Time          `json:"started,omitempty"`
	Ended       *time.Time          `json:"ended,omitempty"`
	Progress    *SimulationProgress `json:"progress,omitempty" doc:"While it runs"`
	Error       string              `json:"error,omitempty" doc:"Why it failed"`
	ReportBytes int64               `json:"reportBytes" doc:"Size of its report"`
}

// SimulationProgress is the progress of a simulation.
type SimulationProgress struct {
	Policy        string  `json:"policy" doc:"Policy being simulated"`
	Number        int     `json:"number" doc:"Number of that policy, from 1"`
	Jobs          int     `json:"jobs" doc:"Number of all jobs"`
	Ended         int     `json:"ended" doc:"Number of jobs that have ended under that policy"`
	StreamSeconds float64 `json:"streamSeconds" doc:"Time in the stream"`
}

// SimulationList lists the simulations kept by this manager, newest first.
type SimulationList struct {
	Simulations []Simulation `json:"simulations"`
}

// SimulationReport is the result of a simulation.
type SimulationReport struct {
	Nodes []string        `json:"nodes" doc:"Names, by number from 0"`
	Runs  []SimulationRun `json:"runs" doc:"One for each policy, in the requested order"`
}

// SimulationRun is the result under one policy.
type SimulationRun struct {
	Policy    string           `json:"policy"`
	Jobs      int              `json:"jobs" doc:"Number of ended jobs"`
	Skipped   []SkippedJob     `json:"skipped" doc:"Jobs that could never run, at most the first hundred"`
	Measures  []Measure        `json:"measures"`
	Stretches []float64        `json:"stretches" doc:"Bounded stretches: the least, each percentile, and the greatest; empty without jobs"`
	Course    SimulationCourse `json:"course"`
	Spans     []SimulatedSpan  `json:"spans" doc:"In the order in which they ended"`
	Complete  bool             `json:"complete" doc:"Whether no span is missing"`
}

// SkippedJob is a job that could never run.
type SkippedJob struct {
	Job int64  `json:"job"`
	Why string `json:"why"`
}

// Measure is one number of a simulation.
type Measure struct {
	Name  string  `json:"name" example:"max_bounded_stretch"`
	Title string  `json:"title"`
	Value float64 `json:"value"`
}

// SimulationCourse is a simulation over time, one entry per step from the first second of the stream on.
type SimulationCourse struct {
	StepSeconds float64    `json:"stepSeconds"`
	YieldLeast  []*float64 `json:"yieldLeast" doc:"null: no job was placed"`
	YieldMean   []*float64 `json:"yieldMean"`
	Utilization []float64  `json:"utilization" doc:"Share of all CPU that was granted"`
	JobsHolding []float64  `json:"jobsHolding"`
	JobsWaiting []float64  `json:"jobsWaiting"`
}

// SimulatedSpan is a job's placement from one time to another.
type SimulatedSpan struct {
	Job         int64   `json:"job" doc:"Name in the trace"`
	FromSeconds float64 `json:"fromSeconds"`
	ToSeconds   float64 `json:"toSeconds"`
	Nodes       []int   `json:"nodes" doc:"Number of the node of each task, from 0"`
	Share       float64 `json:"share" doc:"Of each task, as a fraction of its first node"`
	Yield       float64 `json:"yield"`
	Paying      bool    `json:"paying,omitempty" doc:"It stood still after being rescheduled"`
}
