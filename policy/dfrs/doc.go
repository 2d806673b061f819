// Package dfrs implements the dynamic fractional resource scheduling family: Greedy, GreedyP, GreedyPM and MCB8, on
// submission, on completion and periodically, in the 14 combinations of Table 1. Jobs share nodes. Memory decides
// where a task fits. The CPU of a fixed mapping is divided so that the worst-off job's yield is as high as possible,
// then the next one's, and so on (opt=min), or so that the average is (opt=avg). MCB8-stretch does the same with
// inverse stretches.
//
// A policy keeps nothing between decisions except empty buffers: everything it needs is in the view. Ticks lie on the
// grid of whole multiples of the period since time zero. Events of one instant are handled in the order completions,
// submissions by id, tick; CPU is divided once, after the last.
//
// Published names behave as published. "GreedyPM */stable" is our own: at its ticks it weighs the cost of moves, see
// docs/policies/stable.md.
//
// Invariants: jobs are placed whole. Memory is never promised twice. A job gives way only to one of higher priority,
// and only if the store has room for its image. A job that is stuck, or on a silent node, stays where it is.
//
// Reference: H. Casanova, M. Stillwell, F. Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling",
// INRIA RR-7659, 2011, section 4. docs/policies/dfrs.md lists the choices that the text leaves open.
package dfrs
