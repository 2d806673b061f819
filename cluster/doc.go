// Package cluster holds Aliquot's vocabulary and its replicated state machine.
//
// State is everything that the managers agree on: jobs and their tasks, nodes, the
// adopted Target allocation, the moves in progress, history, tokens, images and the
// leader's claims. Apply is its only writer. It is a pure function of the state and the
// command: no clock, no randomness, no I/O, no floating point. A command that may not
// happen returns a Result that says why; it never fails in another way.
//
// View is what policies and planners see: read-only and cheap to take.
//
// The package decides nothing. Who runs where is chosen by package policy, how to get
// there by package migrate.
//
// Invariants are listed at State.Check. The allocation problem is that of Casanova,
// Stillwell and Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling"
// (INRIA RR-7659, 2011), section 2.2.
package cluster
