// Package reproduce compares the DFRS report's tables and figures with the results of this program.
//
// It lists the necessary experiments, all of them or a fixed sample. One file holds the report's numbers, every one
// with its source. From the results the package makes one page, and tables as CSV, in which each cell shows our
// number, the report's and the ratio. An experiment that did not run is shown as not run. The package runs nothing
// itself.
//
// Invariants: the experiments of a sample are a subset of all. No number stands in code that the report or a result
// should give. The same results give the same bytes.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling" (INRIA
// RR-7659, 2011), section 6 and both appendices.
package reproduce
