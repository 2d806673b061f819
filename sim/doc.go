// Package sim runs a stream of jobs on modelled nodes in virtual time.
//
// It replaces the shells and nothing else: a real policy decides on a real cluster.View, and package scheduler makes
// the adoption of it, so what is simulated is the code that decides in production. A cluster.Model, a State that is
// changed in place, puts each adopted decision into force. A test drives a State by commands, moves and reports
// instead, and must see the same. Time jumps from one event to the next: a submission, an end, a penalty that has been
// paid, a move that is complete, a tick. All events of one instant are decided together, ends first, then submissions
// by id, then what the stream's events do to nodes and jobs.
//
// Where PlannedMoves are the cost, moves take time, as package migrate plans them.
// The cost model, unless another is chosen, is that of the report: a plan takes no time, so that actual and target
// allocation agree when an instant ends. A job pays the rescheduling penalty when it
// resumes after a real gap, or when its multiset of nodes changes; a pause and resume
// within one instant is a migration if that changed, and nothing otherwise. First starts,
// pausing and other shares are free. A job that is moved while it pays begins anew. While
// it pays it holds its memory and CPU, makes no progress and gains no virtual time. A
// job's progress is the integral of its yield, unless another Physics is chosen: the state's own clock tells when it
// ends.
//
// Invariants: runs are deterministic; a job ends in the very microsecond in which its
// virtual time reaches its processing time.
//
// Reference: Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch
// Scheduling" (INRIA RR-7659, 2011), section 5.1.
package sim
