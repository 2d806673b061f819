// Package benchmark measures how fast and how good packing is, on instances of package instance.
//
// It prints nothing. Package churn measures moves.
//
// Invariant: everything but times depends on the family and the seeds alone.
//
// Reference: docs/performance.md and docs/packing.md.
package benchmark
