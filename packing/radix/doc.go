// Package radix sorts numbers by their digits: a million in some hundredths of a second, and in so many passes over them
// that it can be asked for an end in between. It knows nothing of what it sorts.
//
// Invariants: stable; what is in order already takes one pass.
//
// Reference: D. Knuth, "The Art of Computer Programming", volume 3, section 5.2.5.
package radix
