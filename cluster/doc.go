// Package cluster holds Aliquot's vocabulary and its replicated state machine.
//
// State is the data that the managers agree on: jobs and their tasks, nodes, the
// adopted Target allocation, the moves in progress, history, tokens, images and the
// leader's claims. Apply is its only writer. It is a pure function of the state and the
// command: no clock, no randomness, no I/O, no floating point. A command that is not
// allowed returns a Result with a Rejection. It never fails in another way.
//
// View is the read-only form of the state for policies and planners. It is cheap to take.
//
// The package decides nothing. Package policy chooses where jobs run. Package migrate plans
// how to get there.
//
// Invariants are listed at State.Check. The allocation problem is that of Casanova,
// Stillwell and Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling"
// (INRIA RR-7659, 2011), section 2.2.
package cluster
