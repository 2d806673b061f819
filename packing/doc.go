// Package packing maps identical tasks to nodes by vector packing and finds the
// highest yield at which they fit. It works on plain vectors: it knows no jobs,
// VMs, priorities or time, only items (one per job), nodes and numbers.
//
// A task's CPU need is fluid: at yield y it takes y·need. So may be network or disk
// bandwidth, of which it takes a [Demand] that follows its yield. Everything else it
// requires (memory first) is rigid: all or nothing. Fixing the yield turns needs
// into requirements, and mapping becomes vector packing, which [Pack] solves with
// MCB8. [Search] bisects the yield; or any level that yields are lines of ([Line]),
// as MCB8-stretch does with the inverse stretch. [MaxMin] and [Average] then divide
// the CPU of a fixed mapping; the shares that tasks get come from them, not from
// the yield of the search, which is only a lower bound to what the mapping gives.
//
// Invariants: every function is deterministic and leaves its arguments alone;
// a mapping that Pack or Search returns passes [Problem.Feasible]. Functions
// expect a problem that passes [Problem.Validate] and do not check again.
// MCB8 is a heuristic with anomalies: that it fails at some yield does not mean
// that it fails at every higher one. No shortcut changes what it answers: nodes that
// are alike are filled together, identical tasks are one entry of a list, and a level is given up
// without packing only where sums, or tasks larger than half a node, show that it is in vain,
// and taken to work before all is placed only where what is left is sure to find room.
//
// Nodes may differ. Requirements are compared with each other as fractions of
// the mean node; the imbalance of a node is measured against its own capacity.
// On equal nodes with CPU and memory this is exactly the published algorithm; with more
// dimensions it is the permutation pack that MCB8 is a case of.
//
// Quantities add up without rounding as long as they are whole numbers below
// 2⁵³ (millicores, bytes): then rigid capacities are kept to the last unit.
//
// Reference: H. Casanova, M. Stillwell, F. Vivien, "Dynamic Fractional Resource
// Scheduling vs. Batch Scheduling", INRIA RR-7659, 2011, sections 4.3, 4.6 and 4.7.
package packing
