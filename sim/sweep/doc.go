// Package sweep describes experiments, many traces under many policies, and their results.
//
// A trial is one trace under one policy with its parameters. Its result is a flat record of numbers and the story of
// the trace's worst job. The package lists trials, runs one, reads and writes results as JSON lines and CSV, and sums
// them up as distributions. It starts no workers, opens no files and measures no time: commands do.
//
// Invariants: a trial's key contains everything that its result depends on, so a stored result with that key need not
// be computed again. The order of results does not depend on which trial finished first. A line that an interruption
// cut short is recognized and dropped.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling" (INRIA
// RR-7659, 2011), section 6, for the measures.
package sweep
