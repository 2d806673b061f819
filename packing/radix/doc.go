// Package radix sorts numbers by their digits: a million in some hundredths of a second. Between its
// passes it can be stopped. It does not know what the numbers mean.
//
// Invariants: the sort is stable; sorted input takes one pass.
//
// Reference: D. Knuth, "The Art of Computer Programming", volume 3, section 5.2.5.
package radix
