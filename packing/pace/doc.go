// Package pace is how long work on vectors asks whether there is to be an end to it. It has no clock: who wants an end, and
// when, is up to the function that is asked.
//
// Invariants: once that has said yes, it is not asked again; between two questions no more than [Between] items are
// looked at, and those that were announced at once.
package pace
