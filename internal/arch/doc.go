// Package arch enforces the rules of the house: the imports that each room may have, the names that a pure room must
// not mention, and the rules of style that a program can check. It consists of tests; nothing is shipped.
//
// It reads source text only. It does not check types, so it misses a forbidden function that is reached through a
// variable of another package; reviewers remain necessary.
//
// Invariant: every package of the module is in the table of rooms, so a new room is a decision and not an accident.
// The table is rooms_test.go; docs/architecture.md gives its reasons.
package arch
