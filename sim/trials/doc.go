// Package trials runs the trials of a sweep on several workers, keeps each result in a file as soon as it is known, and
// says how far it is and how long the rest will take.
//
// It does not decide which trials there are (package sweep and the commands do), and it does not show results.
//
// Invariants: a result in the file is not computed again; a trial that fails or an interruption loses no other result; the
// file at the end does not depend on the number of workers or on which of them ended first.
package trials
