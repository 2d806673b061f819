// Package output reads the output of runs from the cluster's store, for REST.
//
// A log may be large, its reader slow, and the store may hang. So a log is read in blocks of 64 KiB and never held as a
// whole; a reader that begins at an offset begins near it; and every operation on the store holds one of a few slots,
// so that a store that hangs keeps that many threads at most, while the requests are answered in time.
//
// Nodes write to the store. Only a regular file within it is read, and reading never waits for a writer.
package output
