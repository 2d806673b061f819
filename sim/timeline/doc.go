// Package timeline tells what happened in a simulation, to one job or to all of them: as lines of text with the
// reasons that the policy gave, and as a chart of nodes over time in which a bar is as thick as the share.
//
// It listens to a simulation and changes nothing in it. Jobs are named as the stream names them, which is not always
// the order in which they came.
//
// Invariants: bars on a node never overlap; their thickness adds up to at most the node; what a job holds while it
// pays a penalty is hatched.
//
// Reference: H. L. Gantt's charts, as W. Clark describes them in "The Gantt Chart" (1922).
package timeline
