// Package prepare makes a stream of jobs for simulations of a log of a real machine.
//
// A log tells of processors, memory in KB and lines that never became work; a stream tells
// of tasks, fractions of a node and jobs. What lies between are Rules, one small function
// each, so that a log of another machine can have its own. Nothing is repaired or skipped
// silently: a Tally counts it, with the first jobs that it befell.
//
// It reads no files and does not change what a log says beyond what the rules name.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch
// Scheduling" (INRIA RR-7659, 2011), section 5.3.1.
package prepare
