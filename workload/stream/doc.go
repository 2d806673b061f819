// Package stream reads streams of jobs from files and writes them to files. A file is a stream in the native format,
// or a log in the Standard Workload Format, which rules turn into a stream. The package simulates nothing and prints
// nothing.
//
// Invariants: the first character of a file determines its format. A file is written whole or not at all.
//
// Reference: docs/formats/README.md.
package stream
