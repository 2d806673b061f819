// Package swf reads and writes logs of parallel jobs in the Standard Workload Format.
//
// It says what a log says, record by record, and interprets nothing: which records make
// jobs for a simulation is the business of package prepare. What is no number where one
// must be is refused with line and field; a value that the log does not know is Unknown.
//
// Invariants: reading allocates nothing per record; a record that was written reads as the
// same record; the lines of the header are kept as they are.
//
// Reference: the format's definition, version 2.2, in the Parallel Workloads Archive;
// Chapin et al., "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers"
// (JSSPP 1999).
package swf
