// Package timeline records the events of a simulation for one job or for all: as lines of text with the reasons of
// the policy, and as a chart of nodes over time in which the thickness of a bar is the share.
//
// It listens to a simulation and changes nothing in it. Jobs have the names of the stream, which are not always in
// the order of submission.
//
// Invariants: bars on a node never overlap. Their thickness adds up to at most the node. A job's bar is hatched while
// the job pays a penalty.
//
// Reference: H. L. Gantt's charts, as W. Clark describes them in "The Gantt Chart" (1922).
package timeline
