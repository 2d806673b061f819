// Package reconcile derives a node's actions and observations from the leader's orders and the state of
// the node.
//
// [Step] is a function of the [World] alone and may be repeated at any time: actions in progress are
// part of the world, and completed ones are not requested again. It does nothing itself and knows no
// hypervisor.
//
// Invariants, for every world:
//   - there is at most one action per run, besides aborting the one in progress;
//   - a run that has begun is never started again, and a used memory image is never restored again;
//   - a VM that a migration left in doubt resumes here only after the peer answered that it has none, and
//     is destroyed only after the peer answered that it has the VM;
//   - only the guest's own exit is a success;
//   - while the store is unreadable nothing is reported about a run, above all not that it ended; exception:
//     a start that certainly never reached the hypervisor may be reported as failed;
//   - without a valid lease there are observations but no actions;
//   - no cap of a running VM rises before the other caps have fallen;
//   - a VM that is known to have no cap gets it before it runs;
//   - a VM that boots may use more than its share, but all caps together stay within what the node offers.
//
// Reference: the doubtful switch-over is the two generals' problem, J. Gray, "Notes on
// Data Base Operating Systems" (1978), section 5.8.3.3: one side must not decide alone.
package reconcile
