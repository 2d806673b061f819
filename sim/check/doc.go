// Package check verifies schedules that a simulation produced, from what each job held and
// when, without the code that produced them.
//
// It verifies that every job of the stream ended or was skipped, once, and that only those
// were skipped that could never run; that it held a node
// for each task at one share, from 1 to its need; that nothing of it ran before its
// submission, or before its start; that its spans follow each other; that its progress is
// its processing time, to the microsecond; that it paid in full, and only then, when it was
// resumed or moved, and that its preemptions and migrations were counted; that it began its
// work anew when a node failed under it; that nothing ran on a node that was down, came to one
// that drained, or was held; that no node
// ever gave more CPU or memory than it has, and none a batch policy more tasks, cores or
// jobs than its rule says; and that every number of the summary is what it
// says, stretches and turn-arounds with their percentiles, demand, utilization,
// underutilization, preemptions, migrations and their bandwidth, integrated anew.
//
// It does not judge whether a schedule is a good one, nor what policies promise: package
// policy/policytest does.
//
// Reference: the model of Casanova, Stillwell, Vivien, "Dynamic Fractional Resource
// Scheduling vs. Batch Scheduling" (INRIA RR-7659, 2011), sections 2.2 and 5.1.
package check
