// Package replay tells what would be decided in a saved view of a cluster, and which moves would follow, in words that a
// bug report can quote. It changes nothing and prints nothing.
//
// Invariant: a pure function of the view and the policy, and the same as the leader of that view would decide.
//
// Reference: docs/simulator.md.
package replay
