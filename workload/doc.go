// Package workload reads and writes streams of jobs for simulations, and scales their load.
//
// In a stream all nodes are alike, and amounts of CPU and memory are fractions of one node. A stream
// contains the processing times, which no policy may see, so it is not the job specification of a live
// cluster. The package opens no files and keeps no clock.
//
// Invariants: the jobs of a stream are ordered by submission, then id; ids are unique; all amounts are
// positive.
//
// Reference: the job model of Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs.
// Batch Scheduling" (INRIA RR-7659, 2011), section 2.2.
package workload
