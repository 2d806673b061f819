// Package harvest gives the jobs of other classes than standard what standard jobs leave: memory, and CPU that is idle.
//
// Policy wraps the policy of any family. That one decides on the standard jobs as if there were no others. Then the
// others get the memory that is left, in the order of submission, and run in the background of their nodes. A job that
// may run in either tier enters the foreground while its nodes have the CPU for all tasks there. When standard jobs
// need memory, the latest of the others give way first: they move to other nodes, or are paused.
//
// Invariants: a job of another class takes no memory from a standard job unless it cannot be paused, and no CPU. It
// keeps its nodes as long as their memory is not needed.
//
// Reference: X. Liu et al., "Scheduling parallel jobs using migration and consolidation in the cloud", Mathematical
// Problems in Engineering 2012, article 695757, for the two tiers. The rule is ours: docs/policies/background.md.
package harvest
