// Package check verifies schedules that a simulation produced, from what each job held and when, and from the moves
// that started. It shares no code with the simulation.
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
// Where moves take time, it follows every task from move to move instead. It computes by itself how long each move
// takes, and thus where the task is, and compares that with what the job held. The memory of a task counts on both
// nodes while it migrates, on its node until it is written, and on its node from the beginning of its resumption. A job
// makes progress while all of its tasks run and none is being written. A move starts where its task is, not before the
// task's last move is complete, to a node that takes others, and only if the job is not held; a held job is paused at
// once. CPU and the rules of batch policies are not verified then: tasks that wait to leave still have their shares, as
// in a live cluster.
//
// It verifies every number of the summary by integrating anew: stretches and turn-arounds with their percentiles,
// demand, utilization, underutilization, preemptions, migrations and their bandwidth.
//
// It does not judge the quality of a schedule or the promises of policies; package policy/policytest does.
//
// Reference: the model of Casanova, Stillwell, Vivien, "Dynamic Fractional Resource Scheduling vs. Batch Scheduling"
// (INRIA RR-7659, 2011), sections 2.2 and 5.1.
package check
