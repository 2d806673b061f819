// Package bound computes a lower bound on the maximum bounded stretch of a stream of jobs on equal nodes. No schedule
// can beat it, not even one with full knowledge of the future.
//
// It is the bound of the report's Theorem 1: memory does not matter, and tasks migrate and share CPUs freely, but no
// task runs faster than alone and no more CPU is used than there is. For a given stretch S, job j must do its work
// n·c·p between its release r and its deadline r + S·max(p, 10 s). This is a flow from jobs to the intervals between
// these dates. The package neither schedules nor simulates, and it ignores estimates.
//
// A cut of that flow is a set of jobs. At any stretch, the set needs its work done and gets at most ∫ min(P, rates of
// its jobs between their dates). The largest stretch at which that is too little bounds the stretch of every
// schedule. So each set is a proof by itself, however it was found. Newton's method goes from set to set; a flow that
// exists slightly above the last bound ends the search.
//
// Invariants: the bound is that of its own critical jobs, and never above the optimum of Theorem 1. That optimum is
// less than (1 + 0.0001) times the bound. The order of the jobs does not change the bound. Effort is counted, not
// timed.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling" (INRIA
// RR-7659, 2011), section 3.1; Dinic, "Algorithm for solution of a problem of maximum flow in a network with power
// estimation" (1970).
package bound
