package timeline

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/wording"
	"aliquot/workload"
)

// Window is what is told: a stretch of time, of one job or of all.
type Window struct {
	From, Until cluster.Time
	Job         *int64 // as the stream names it; nil: all
}

// Recorder listens to a simulation. Its methods Tell and Record are made for sim.Setup.
type Recorder struct {
	Window
	Lines []Line
	spans []sim.Span
	jobs  []workload.Job
	words sim.Words
}

// Line is something that happened.
type Line struct {
	At   float64       `json:"at"`  // seconds
	Job  int64         `json:"job"` // as the stream names it; 0 also where it concerns all
	Kind sim.EventKind `json:"kind"`
	What string        `json:"what"` // in words
}

// All tells whether it concerns all jobs.
func (l Line) All() bool { return l.Kind.AboutAll() }

// NewRecorder returns a recorder for a simulation of these jobs. It names them as the stream does, writes shares as parts
// of a unit node, and times as people read them.
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

// named is how the stream names a job of the simulation.
func (r *Recorder) named(id cluster.JobID) int64 { return r.jobs[id-1].ID }

// Tell notes what happened to a job, or what concerns all.
func (r *Recorder) Tell(e sim.Event) {
	job := int64(0)
	if e.Job != 0 {
		job = r.named(e.Job)
	}
	if e.At < r.From || e.At > r.Until || r.Job != nil && (e.Job == 0 || job != *r.Job) {
		return
	}
	r.Lines = append(r.Lines, Line{e.At.Seconds(), job, e.Kind, e.Sentence(r.words)})
}

// Record notes what a job held.
func (r *Recorder) Record(s sim.Span) {
	if s.To > r.From && s.From < r.Until {
		r.spans = append(r.spans, s)
	}
}
