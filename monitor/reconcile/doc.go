// Package reconcile finds what a node has to do, and what it can tell, from the leader's
// orders and what is seen on the node.
//
// [Step] is a function of the [World] alone and may be repeated at any time: what is under
// way is part of the world, and what is done already is not asked for again. It does
// nothing itself and knows no hypervisor.
//
// Invariants, for every world:
//   - at most one action per run, besides giving up the one under way;
//   - a run that has begun is never started again, a memory image that was used never restored again;
//   - a VM that a migration left in doubt goes on here only after the peer was asked and has none, and is
//     destroyed only after the peer was asked and runs it;
//   - success is the guest's own exit and nothing else;
//   - of a run of which the store does not tell nothing is said, least of all that it is over, but for one: that it does
//     not begin or come back here, when it is certain that no VM was asked for;
//   - without a valid lease there are observations, but no actions;
//   - caps fall before others rise.
//
// Reference: the doubtful switch-over is the two generals' problem, J. Gray, "Notes on
// Data Base Operating Systems" (1978), section 5.8.3.3: one side must not decide alone.
package reconcile
