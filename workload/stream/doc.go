// Package stream reads streams of jobs from files, and writes them to files. A stream is in the native format or a log in
// the Standard Workload Format, which rules make a stream of. It simulates nothing and prints nothing.
//
// Invariant: the first character of a file tells its format; a file is written whole or not at all.
//
// Reference: docs/formats/README.md.
package stream
