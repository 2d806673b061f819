package timeline

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/wording"
	"aliquot/workload"
)

// Window selects the interval, and one job or all.
type Window struct {
	From, Until cluster.Time
	Job         *int64 // name in the stream; nil: all
}

// Recorder listens to a simulation. sim.Setup calls Tell and Record.
type Recorder struct {
	Window
	Lines []Line
	spans []sim.Span
	jobs  []workload.Job
	words sim.Words
}

// Line is one event.
type Line struct {
	At   float64       `json:"at"`  // seconds
	Job  int64         `json:"job"` // name in the stream; 0 also if it concerns all jobs
	Kind sim.EventKind `json:"kind"`
	What string        `json:"what"` // description
}

// All reports whether it concerns all jobs.
func (l Line) All() bool { return l.Kind.AboutAll() }

// NewRecorder returns a recorder for a simulation of these jobs. It formats jobs by the stream's names, shares as
// fractions of a unit node, and times for people.
func NewRecorder(w Window, jobs []workload.Job) *Recorder {
	r := &Recorder{Window: w, Lines: []Line{}, jobs: jobs}
	r.words = sim.Words{
		Names: wording.Names{
			Job:   func(id cluster.JobID) string { return fmt.Sprint("job ", r.named(id)) },
			Share: func(c cluster.CPU) string { return fmt.Sprintf("%.3g%%", 100*float64(c)/float64(workload.UnitCPU)) },
		},
		Moment: func(t cluster.Time) string { return wording.Clock(t.Seconds()) },
		Span:   func(t cluster.Time) string { return wording.Span(t.Seconds()) },
	}
	return r
}

// named returns the stream's name of a job of the simulation.
func (r *Recorder) named(id cluster.JobID) int64 { return r.jobs[id-1].ID }

// Tell records an event of one job or of all.
func (r *Recorder) Tell(e sim.Event) {
	job := int64(0)
	if e.Job != 0 {
		job = r.named(e.Job)
	}
	if e.At < r.From || e.At > r.Until || r.Job != nil && (e.Job == 0 || job != *r.Job) {
		return
	}
	r.Lines = append(r.Lines, Line{e.At.Seconds(), job, e.Kind, r.sentence(e)})
}

// sentence describes the event, a move with its reason.
func (r *Recorder) sentence(e sim.Event) string {
	what := e.Sentence(r.words)
	if e.Kind == sim.Moves && e.Why.Code != "" {
		what += "; " + wording.Reason(e.Why, r.words.Names)
	}
	return what
}

// Record records a span of a job.
func (r *Recorder) Record(s sim.Span) {
	if s.To > r.From && s.From < r.Until {
		r.spans = append(r.spans, s)
	}
}
