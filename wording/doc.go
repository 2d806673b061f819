// Package wording makes sentences from codes and numbers, and formats amounts and times for people. State, events and
// reports carry codes and numbers only, so a sentence can change at any time without a difference between replicas.
//
// There is one table per family: reasons, and causes of endings, exits and events. A code that a table lacks was made
// by a newer program; it is shown as it is. The package does not format for programs: JSON and CSV are made elsewhere.
//
// Invariant: a Span is a length of time and a Clock is a point in time. Neither is formatted as the other.
package wording
