// Package packing maps identical tasks to nodes by vector packing and finds the highest yield at which
// they fit. It works on plain vectors: items (one per job), nodes and numbers. It knows no jobs, VMs,
// priorities or time.
//
// A task's CPU need is fluid: at yield y it takes y·need. Network or disk bandwidth may be fluid too;
// their use follows the yield by a [Demand]. Every other requirement (memory first) is rigid: all or
// nothing. Fixing the yield turns needs into requirements, and mapping becomes vector packing, which
// MCB8 solves. [Search] bisects the yield, or any level of which yields are lines ([Line]), such as
// the inverse stretch of MCB8-stretch. [MaxMin] and [Average] then divide the CPU of a fixed mapping.
// The tasks' shares come from them, not from the yield of the search, which is only a lower bound.
//
// Invariants: every function is deterministic and leaves its arguments alone; a mapping that Pack or
// Search returns passes [Problem.Feasible]. Functions expect a problem that passes [Problem.Validate]
// and do not check again. MCB8 is a heuristic with anomalies: failure at some yield does not imply
// failure at every higher one. No shortcut changes an answer. Nodes that are alike are filled
// together, and identical tasks are one entry of a list. A level is refused without packing only where
// sums, or tasks larger than half a node, prove that it fails, and accepted early only when the
// remaining tasks are guaranteed to fit.
//
// Nodes may differ. Requirements are compared with each other as fractions of the mean node; the
// imbalance of a node is measured against its own capacity. On equal nodes with CPU and memory this is
// exactly the published algorithm. With more dimensions it is permutation pack, which includes MCB8 as a
// case.
//
// In production the policies of package dfrs call this package, packing/assign and packing/stable. Two
// features are reached from the JSON of `aliquot pack` alone, and by no policy: fluid dimensions other
// than CPU (Item.Fluid), and tasks that must share a node (Item.Together). Packages that no decision
// uses are below packing/study.
//
// Sums are exact while quantities are whole numbers below 2⁵³ (millicores, bytes): then rigid
// capacities are kept to the last unit.
//
// Reference: H. Casanova, M. Stillwell, F. Vivien, "Dynamic Fractional Resource Scheduling vs. Batch
// Scheduling", INRIA RR-7659, 2011, sections 4.3, 4.6 and 4.7.
package packing
