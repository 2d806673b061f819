// Package reproduce sets the DFRS report's tables and figures beside what this program gets.
//
// It says which experiments that takes, all of them or a fixed sample; it holds the report's numbers, every one with
// its source, in one file; and from the results it makes one page and tables as CSV, in which each cell shows ours,
// the report's and the ratio. What did not run shows as not run. It runs nothing itself.
//
// Invariants: the experiments of a sample are among those of the whole; no number stands in code that the report or
// a result should give; the same results give the same bytes.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling" (INRIA
// RR-7659, 2011), section 6 and both appendices.
package reproduce
