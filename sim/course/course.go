// Package course records the course of a simulation over time, in as many steps as a chart can show.
//
// It listens to a simulation and changes nothing in it. The length of the simulation is unknown beforehand: when
// there are too many steps, their length doubles. The package draws nothing.
//
// Invariants: its memory does not depend on the stream. The CPU held in a step never exceeds the capacity of the
// nodes.
//
// Reference: T. Oetiker's RRDtool, which consolidates its data in the same way.
package course

import (
	"aliquot/cluster"
	"aliquot/sim"
)

const (
	first = cluster.Minute // initial length of a step
	most  = 600            // greatest number of steps
)

// Step sums up one step, in seconds of jobs and of millicores.
type Step struct {
	Granted float64 // millicore-seconds
	Holding float64 // job-seconds
	Yield   float64 // integral of the jobs' yields, in seconds
	Present float64 // job-seconds of jobs that were submitted and had not ended
	Least   float64 // least yield of a job that held something; 2: no job did
}

// Course sums up a simulation by steps.
type Course struct {
	length cluster.Time
	steps  []Step
}

// New returns an empty course.
func New() *Course { return &Course{length: first} }

// Hold adds a span of a job with the given need per task. It is called by sim.Setup's Record.
func (c *Course) Hold(s sim.Span, need cluster.CPU) {
	yield := float64(s.Share) / float64(need)
	c.each(s.From, s.To, func(step *Step, seconds float64) {
		step.Granted += float64(s.Share) * float64(len(s.Nodes)) * seconds
		step.Holding += seconds
		step.Yield += yield * seconds
		step.Least = min(step.Least, yield)
	})
}

// End adds the time of a job from its submission to its end.
func (c *Course) End(o sim.Outcome) {
	c.each(o.Submit, o.Ended, func(step *Step, seconds float64) { step.Present += seconds })
}

// each calls add for every step between two times, with the seconds that they share.
func (c *Course) each(from, to cluster.Time, add func(*Step, float64)) {
	if to <= from {
		return
	}
	for to > c.length*most {
		c.halve()
	}
	for i := from / c.length; i*c.length < to; i++ {
		for int(i) >= len(c.steps) {
			c.steps = append(c.steps, Step{Least: 2})
		}
		add(&c.steps[i], (min(to, (i+1)*c.length) - max(from, i*c.length)).Seconds())
	}
}

// halve joins every two steps into one.
func (c *Course) halve() {
	c.length *= 2
	for i := 0; i < len(c.steps); i += 2 {
		step := c.steps[i]
		if i+1 < len(c.steps) {
			next := c.steps[i+1]
			step.Granted, step.Holding, step.Yield, step.Present = step.Granted+next.Granted, step.Holding+next.Holding,
				step.Yield+next.Yield, step.Present+next.Present
			step.Least = min(step.Least, next.Least)
		}
		c.steps[i/2] = step
	}
	c.steps = c.steps[:(len(c.steps)+1)/2]
}

// Steps returns the steps and the length of each.
func (c *Course) Steps() ([]Step, cluster.Time) { return c.steps, c.length }
