// Package sim runs a stream of jobs on modelled nodes in virtual time.
//
// It replaces only the shells. A real policy decides on a real cluster.View, and package scheduler turns the decision
// into an adoption, so the simulator runs the code that decides in production. A cluster.Model, a State that is changed
// in place, puts each adopted decision into force. A test drives a State by commands, moves and reports instead, and
// must see the same. Time jumps from one event to the next: a submission, an end, a penalty that has been paid, a move
// that is complete, a tick. All events of one instant lead to one decision. They happen in this order: ends,
// submissions by id, events of the stream.
//
// With PlannedMoves as the cost, moves take time, as package migrate plans them. The default cost model is the
// report's: moves take no time, so actual and target allocation agree when an instant ends. A job pays the rescheduling
// penalty when it resumes after a real gap, or when its multiset of nodes changes. A pause and resume within one
// instant is a migration if the multiset changed, and nothing otherwise. First starts, pauses and changes of shares are
// free. A job that moves while it pays has to pay the whole penalty again. While a job pays, it holds its memory and
// CPU, makes no progress and gains no virtual time. By default a job's progress is the integral of its yield; another
// Physics may change that. The state's own clock determines when it ends.
//
// Invariants: runs are deterministic; a job ends in the microsecond in which its virtual time reaches its processing
// time.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch
// Scheduling" (INRIA RR-7659, 2011), section 5.1.
package sim
