// Package swf reads and writes logs of parallel jobs in the Standard Workload Format.
//
// It returns the log record by record and interprets nothing: package prepare decides which records
// become jobs of a simulation. A malformed number is refused with its line and field. A value that the
// log does not contain is Unknown.
//
// Invariants: reading allocates nothing per record; a written record reads back unchanged; the lines
// of the header are kept unchanged.
//
// Reference: the format's definition, version 2.2, in the Parallel Workloads Archive; Chapin et al.,
// "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers" (JSSPP 1999).
package swf
