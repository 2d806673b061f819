// Package trials runs the trials of a sweep on several workers, writes each result to a file as soon as it is known,
// and shows the progress and the remaining time.
//
// It does not choose the trials (package sweep and the commands do), and it does not show results.
//
// Invariants: a result in the file is not computed again. Neither a failed trial nor an interruption loses another
// result. The final file does not depend on the number of workers or on which of them ended first.
//
// Reference: package sweep, for trials and their keys.
package trials
