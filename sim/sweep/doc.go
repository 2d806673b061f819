// Package sweep describes experiments, many traces under many policies, and keeps what they came to.
//
// A trial is one trace under one policy with its parameters; its result is a flat record of numbers and the story
// of the trace's worst job. The package says which trials there are, runs one, reads and writes results as JSON
// lines and CSV, and sums them up as distributions. It starts no workers, opens no files and measures no time: a
// command does.
//
// Invariants: a trial's key holds all that its result depends on, so that a result found under its key need not be
// computed again; results are put in an order that does not depend on who finished first; a line that an
// interruption cut short is recognised and dropped.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling" (INRIA
// RR-7659, 2011), section 6, for the measures.
package sweep
