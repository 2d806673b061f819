package timeline

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/internal/wording"
	"aliquot/sim"
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
	named []int64 // the stream's name of each job, by its number in the simulation from 1
}

// Line is something that happened.
type Line struct {
	At   float64 `json:"at"` // seconds
	Job  int64   `json:"job"`
	What string  `json:"what"`
}

// NewRecorder returns a recorder for a simulation of these jobs.
func NewRecorder(w Window, jobs []workload.Job) *Recorder {
	r := &Recorder{Window: w, named: []int64{0}}
	for _, j := range jobs {
		r.named = append(r.named, j.ID)
	}
	return r
}

// What simulations write in their own terms: jobs by number, shares in millicores of a unit node, and times in seconds.
var (
	number = regexp.MustCompile(`\bj\d+\b`)
	share  = regexp.MustCompile(`\b\d+m\b`)
	until  = regexp.MustCompile(`\buntil [0-9.e+]+s\b`)
	after  = regexp.MustCompile(`\bafter [0-9.e+]+s\b`)
)

// Tell notes a line that begins with the job that it is about.
func (r *Recorder) Tell(at cluster.Time, line string) {
	first, rest, _ := strings.Cut(line, " ")
	job := r.job(first)
	if at < r.From || at > r.Until || r.Job != nil && job != *r.Job {
		return
	}
	rest = number.ReplaceAllStringFunc(rest, func(s string) string { return fmt.Sprint("job ", r.job(s)) })
	rest = share.ReplaceAllStringFunc(rest, percent)
	rest = until.ReplaceAllStringFunc(rest, seconds("until ", wording.Clock))
	rest = after.ReplaceAllStringFunc(rest, seconds("after ", wording.Span))
	r.Lines = append(r.Lines, Line{at.Seconds(), job, rest})
}

// percent is a share as part of a node.
func percent(s string) string {
	millicores, err := strconv.ParseFloat(strings.TrimSuffix(s, "m"), 64)
	if err != nil {
		return s
	}
	return fmt.Sprintf("%.3g%%", 100*millicores/float64(workload.UnitCPU))
}

// seconds writes what follows a word as people read it.
func seconds(word string, write func(float64) string) func(string) string {
	return func(s string) string {
		x, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimPrefix(s, word), "s"), 64)
		if err != nil {
			return s
		}
		return word + write(x)
	}
}

// job is how the stream names a job of the simulation.
func (r *Recorder) job(s string) int64 {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "j"))
	if err != nil || n >= len(r.named) {
		return 0
	}
	return r.named[n]
}

// Record notes what a job held.
func (r *Recorder) Record(s sim.Span) {
	if s.To > r.From && s.From < r.Until {
		r.spans = append(r.spans, s)
	}
}
