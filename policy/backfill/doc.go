// Package backfill holds batch scheduling: jobs get whole nodes, one for each task, in the
// order of submission. So far there is FCFS, where the head of the queue blocks all behind it.
//
// It moves and pauses nothing: a job keeps its nodes until it ends, also when they shrink,
// or until a node drains or is lost; then it queues again at its old place. A job whose
// start failed is out of the queue until it may be tried again.
//
// Invariants: no task is placed on a node that another task holds; nobody overtakes.
//
// Reference: D. Feitelson, L. Rudolph, U. Schwiegelshohn, "Parallel job scheduling: a
// status report", JSSPP 2004.
package backfill
