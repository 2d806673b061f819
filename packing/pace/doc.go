// Package pace lets long work on vectors ask regularly whether to stop. It has no clock: the function
// that it calls decides.
//
// Invariants: once that function has returned true, it is not called again; between two calls no more
// than [Between] items are examined, plus those that were announced at once.
package pace
