// Package prepare turns the log of a real machine into a stream of jobs for simulations.
//
// A log contains processors, memory in KB and lines that are not jobs. A stream contains tasks,
// fractions of a node and jobs. Rules bridge the difference, one small function each, so that the log
// of another machine can have its own. Nothing is repaired or skipped silently: a Tally counts every
// case, with the first jobs concerned.
//
// The package reads no files and changes nothing that the rules do not name.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch
// Scheduling" (INRIA RR-7659, 2011), section 5.3.1.
package prepare
