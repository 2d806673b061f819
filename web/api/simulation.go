package api

import "time"

// NewSimulation asks for a simulation, of a trace or of the live jobs.
type NewSimulation struct {
	Name       string    `json:"name,omitempty" maxLength:"63" doc:"For people"`
	Trace      *Trace    `json:"trace,omitempty" doc:"A stream of jobs; either this or live"`
	Live       *LiveJobs `json:"live,omitempty" doc:"The jobs and nodes as they are now; either this or trace"`
	Policies   []string  `json:"policies" minItems:"1" maxItems:"8" doc:"Published names; each simulates the same jobs" example:"[\"FCFS\",\"GreedyPM */per/opt=min/minvt=600\"]"`
	Period     string    `json:"period,omitempty" maxLength:"32" doc:"Between periodic decisions; left out: 10m"`
	Penalty    string    `json:"penalty,omitempty" maxLength:"32" doc:"Time that a rescheduled job stands still at constant cost, 0s for none; left out: 5m"`
	Cost       string    `json:"cost,omitempty" maxLength:"32" doc:"What rescheduling costs: constant, memory[=GB/s], live[=PAUSE], moves[=GB/s]; left out: constant"`
	Estimates  string    `json:"estimates,omitempty" enum:"perfect,trace" doc:"What policies know of run times: all, or what users said; left out: perfect"`
	Impossible string    `json:"impossible,omitempty" enum:"refuse,skip" doc:"What becomes of jobs that can never run; left out: skip"`
}

// Trace is a stream of jobs.
type Trace struct {
	Format          string `json:"format" enum:"native,swf" doc:"native: CSV with the header id,submit,tasks,cpu,mem,runtime; swf: Standard Workload Format"`
	Text            string `json:"text" minLength:"1" maxLength:"33554432" doc:"All of it"`
	Nodes           int    `json:"nodes" minimum:"1" maximum:"10000" doc:"On which it runs, all alike"`
	Cores           int    `json:"cores,omitempty" minimum:"1" maximum:"10000" doc:"Of a node, for SWF; left out: 1"`
	NodeMemoryBytes int64  `json:"nodeMemoryBytes,omitempty" minimum:"0" doc:"Of a node, for SWF; left out: jobs take what the rules say"`
}

// LiveJobs says what is assumed of the live jobs. They go on from where they are, on the nodes as they are now.
type LiveJobs struct {
	Runtime string `json:"runtime,omitempty" maxLength:"32" doc:"At full speed, of jobs without an estimate; left out: 1h"`
}

// Simulation is a simulation that waits, runs, or has ended.
type Simulation struct {
	ID          string              `json:"id" example:"s1a2b3c4d"`
	Name        string              `json:"name"`
	By          string              `json:"by" doc:"Who asked for it"`
	State       string              `json:"state" enum:"waiting,running,done,failed,cancelled"`
	Source      string              `json:"source" enum:"native,swf,live"`
	Policies    []string            `json:"policies"`
	Created     time.Time           `json:"created"`
	Started     *time.Time          `json:"started,omitempty"`
	Ended       *time.Time          `json:"ended,omitempty"`
	Progress    *SimulationProgress `json:"progress,omitempty" doc:"While it runs"`
	Error       string              `json:"error,omitempty" doc:"Why it failed"`
	ReportBytes int64               `json:"reportBytes" doc:"Size of what is kept of it"`
}

// SimulationProgress is how far a simulation has come.
type SimulationProgress struct {
	Policy        string  `json:"policy" doc:"That is being simulated"`
	Number        int     `json:"number" doc:"Of that policy, from 1"`
	Jobs          int     `json:"jobs" doc:"In all"`
	Ended         int     `json:"ended" doc:"Under that policy"`
	StreamSeconds float64 `json:"streamSeconds" doc:"Time of the stream"`
}

// SimulationList is the simulations that this manager keeps, newest first.
type SimulationList struct {
	Simulations []Simulation `json:"simulations"`
}

// SimulationReport is what a simulation came to.
type SimulationReport struct {
	Nodes []string        `json:"nodes" doc:"Names, by number from 0"`
	Runs  []SimulationRun `json:"runs" doc:"One for each policy, in the order asked for"`
}

// SimulationRun is what came of the jobs under one policy.
type SimulationRun struct {
	Policy    string           `json:"policy"`
	Jobs      int              `json:"jobs" doc:"That have ended"`
	Skipped   []SkippedJob     `json:"skipped" doc:"Jobs that could never run, the first hundred"`
	Measures  []Measure        `json:"measures"`
	Stretches []float64        `json:"stretches" doc:"Bounded stretches: the least, then that of each percent of the jobs, at last the greatest; empty without jobs"`
	Course    SimulationCourse `json:"course"`
	Spans     []SimulatedSpan  `json:"spans" doc:"In the order in which they ended"`
	Complete  bool             `json:"complete" doc:"Whether the spans are all that there were"`
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
	YieldLeast  []*float64 `json:"yieldLeast" doc:"null: no job held anything"`
	YieldMean   []*float64 `json:"yieldMean"`
	Utilization []float64  `json:"utilization" doc:"Share of all CPU that was granted"`
	JobsHolding []float64  `json:"jobsHolding"`
	JobsWaiting []float64  `json:"jobsWaiting"`
}

// SimulatedSpan is what a job held from one time to another.
type SimulatedSpan struct {
	Job         int64   `json:"job" doc:"As the trace names it"`
	FromSeconds float64 `json:"fromSeconds"`
	ToSeconds   float64 `json:"toSeconds"`
	Nodes       []int   `json:"nodes" doc:"Number of the node of each task, from 0"`
	Share       float64 `json:"share" doc:"Of each task, as a fraction of its first node"`
	Yield       float64 `json:"yield"`
	Paying      bool    `json:"paying,omitempty" doc:"It stood still after it was rescheduled"`
}
