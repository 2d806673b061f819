// Package dfrs holds the dynamic fractional resource scheduling family: Greedy, GreedyP,
// GreedyPM and MCB8, on submission, on completion and periodically, in the 14 combinations
// of Table 1. Jobs share nodes; memory decides where a task fits, and the CPU of a fixed
// mapping is divided so that the worst-off job's yield is as high as possible, then the
// next one's, and so on (opt=min), or so that the average is (opt=avg). MCB8-stretch does the
// same with inverse stretches.
//
// A policy keeps nothing between decisions but empty buffers: ticks lie on the grid of whole
// multiples of the period since time zero, and everything else is in the view. What happens
// at one instant is decided in the order completions, submissions by id, tick; CPU is divided
// once after the last.
//
// Published names behave as published. "GreedyPM */stable" is ours: at its ticks it weighs what
// moves cost, see docs/policies/stable.md.
//
// Invariants: jobs are placed whole; memory is never promised twice; a job gives way only
// to one of higher priority, and only if the store has room for its image; a job that is
// stuck, or on a node that is silent, stays where it is.
//
// Reference: H. Casanova, M. Stillwell, F. Vivien, "Dynamic Fractional Resource Scheduling
// vs. Batch Scheduling", INRIA RR-7659, 2011, section 4. Where the text leaves a choice,
// docs/policies/dfrs.md says which was taken.
package dfrs
