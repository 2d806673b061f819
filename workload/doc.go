// Package workload reads and writes streams of jobs for simulations, and scales their load.
//
// A stream speaks of nodes that are alike: amounts of CPU and memory are fractions of one.
// It knows the processing times, which no policy may see; so it is not the job
// specification of a live cluster. It opens no files and keeps no clock.
//
// Invariants: the jobs of a stream are ordered by submission, then id; ids are unique; all
// amounts are positive.
//
// Reference: the job model of Casanova, Stillwell, Vivien, "Dynamic Fractional Resource
// Scheduling vs. Batch Scheduling" (INRIA RR-7659, 2011), section 2.2.
package workload
