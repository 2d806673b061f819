// Package arch keeps the house in order: which room may import which, what a pure room must not
// mention, and the rules of style that a machine can check. All of it is tests; nothing is shipped.
//
// It reads source text only. It does not check types, so a forbidden function reached through a
// variable of another package goes unseen; reviewers remain necessary.
//
// Invariant: every package of the module is in the table of rooms, so that a new room is a decision
// and not an accident. The table is rooms_test.go; its reasons are those of docs/architecture.md.
package arch
