// Package bound computes what no schedule can beat: a lower bound on the maximum bounded
// stretch of a stream of jobs on equal nodes, for one who knows everything beforehand.
//
// It is the bound of the report's Theorem 1: memory does not matter, tasks move for free
// and share CPUs as they like, but no task runs faster than alone and no more CPU is given
// than there is. For a given stretch S, job j must do its work n·c·p between its release
// r and its deadline r + S·max(p, 10 s), which is a flow from jobs to the intervals between
// those dates. The package neither schedules nor simulates, and it ignores estimates.
//
// A cut of that flow is a set of jobs. Whatever the stretch, the set needs its work done and
// gets at most ∫ min(P, rates of its jobs that are within their dates); the largest stretch
// at which that is too little bounds the stretch of every schedule. So each set bounds by
// itself, without trust in how it was found: Newton's method goes from set to set, and a
// flow that exists a hair above the last bound ends it.
//
// Invariants: the bound is that of its own critical jobs and never above the optimum of
// Theorem 1; that optimum is less than (1 + 0.0001) times the bound; the same jobs in any
// order give the same bound; work is counted, not timed.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch
// Scheduling" (INRIA RR-7659, 2011), section 3.1; Dinic, "Algorithm for solution of a
// problem of maximum flow in a network with power estimation" (1970).
package bound
