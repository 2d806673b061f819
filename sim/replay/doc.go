// Package replay repeats the decision of a saved view of a cluster, and lists the moves that would follow, in words
// that a bug report can quote. It changes nothing and prints nothing.
//
// Invariant: a pure function of the view and the policy. It makes the decision that the leader would make on that
// view.
//
// Reference: docs/simulator.md.
package replay
