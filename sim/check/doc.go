// Package check verifies schedules that a simulation produced, from what each job held and when. It shares no code
// with the simulation.
//
// It verifies each job of the stream:
//   - The job ended or was skipped, exactly once, and was skipped only if it could never run.
//   - It held a node for each task at one share, from 1 to its need.
//   - Nothing of it ran before its submission or its start, and its spans follow each other.
//   - Its progress equals its processing time, to the microsecond. It began its work anew when a node failed under it.
//   - It paid a penalty in full after it was resumed or moved, and at no other time. Its preemptions and migrations
//     were counted.
//   - It held nothing on a node that was down, came to no node that drained, and did not run while it was held.
//
// It verifies each node: the node never gave more CPU or memory than it has and, under a batch policy, held no more
// tasks, cores or jobs than the policy's rule permits.
//
// It verifies every number of the summary by integrating anew: stretches and turn-arounds with their percentiles,
// demand, utilization, underutilization, preemptions, migrations and their bandwidth.
//
// It does not judge the quality of a schedule or the promises of policies; package policy/policytest does.
//
// Reference: the model of Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling"
// (INRIA RR-7659, 2011), sections 2.2 and 5.1.
package check
