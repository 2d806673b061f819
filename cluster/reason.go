package cluster

import (
	"fmt"
	"strings"
)

// Reason is the reason for a job's state: a code with numbers. Package wording makes a sentence of it.
type Reason struct {
	Job    JobID
	Code   ReasonCode
	Values []int64 // as the code's comment says
}

// String returns the code and the numbers, for logs and tests.
func (r Reason) String() string { return strings.TrimSuffix(fmt.Sprint(r.Code, " ", r.Values), " []") }

// ReasonCode is the kind of a reason.
type ReasonCode string

// The reasons. Memory is in bytes, CPU in millicores, yields in thousandths.
const (
	WhyPlaced   ReasonCode = "placed"    // yield
	WhyNoMemory ReasonCode = "no_memory" // memory per task, tasks that fit, tasks
	WhyNoCPU    ReasonCode = "no_cpu"    // smallest share, tasks that fit, tasks
	// tasks, nodes; of these cordoned, draining, not reachable, excluded by the job's placement or platform, without the
	// store: none is left
	WhyNoNode      ReasonCode = "no_node"
	WhyPausedFor   ReasonCode = "paused_for"    // job that needed the memory
	WhyMovedFor    ReasonCode = "moved_for"     // job that needed the memory
	WhyDropped     ReasonCode = "dropped"       // rank by priority, jobs that were kept
	WhyBehind      ReasonCode = "behind"        // job ahead in the queue
	WhyNoFreeNode  ReasonCode = "no_free_node"  // free nodes that could take a task, tasks
	WhyTooFewNodes ReasonCode = "too_few_nodes" // nodes that could ever take a task, tasks
	// free nodes that could take a task, tasks, seconds from submission to the promised start
	WhyPromised    ReasonCode = "promised"
	WhyNoFreeCores ReasonCode = "no_free_cores" // tasks that there are cores and memory for now, tasks
	WhyTooFewCores ReasonCode = "too_few_cores" // tasks that there could ever be cores and memory for, tasks
	// tasks that there are cores and memory for now, tasks, seconds from submission to the promised start
	WhyPromisedCores ReasonCode = "promised_cores"
	WhyWouldDelay    ReasonCode = "would_delay"  // job that was promised a start
	WhyNoEstimate    ReasonCode = "no_estimate"  //
	WhyLeftNode      ReasonCode = "left_node"    // node that drains or is down, yield
	WhyWaitsTick     ReasonCode = "waits_tick"   // seconds until the next periodic decision
	WhyNoStore       ReasonCode = "no_store"     // store space that pausing it takes, store space left
	WhyHeld          ReasonCode = "held"         //
	WhyLost          ReasonCode = "lost"         // node that was lost
	WhyContested     ReasonCode = "contested"    // node that was lost, node that may have a copy of the VM
	WhySilent        ReasonCode = "silent"       // task, node that it is on
	WhyHypervisor    ReasonCode = "hypervisor"   // task, node that it is on
	WhyNoAnswer      ReasonCode = "no_answer"    // node whose hypervisor does not answer
	WhyRivalSilent   ReasonCode = "rival_silent" // task, node that may have a copy of its VM
	WhyClings        ReasonCode = "clings"       // task, node that has a copy of its VM
	WhyQuarantined   ReasonCode = "quarantined"  // task, failed attempts, seconds left
	WhyRetry         ReasonCode = "retry"        // failed attempts, seconds until the next
	WhyRebalanced    ReasonCode = "rebalanced"   // least yield of the new mapping
	WhyNotDecided    ReasonCode = "not_decided"  //
)

// value returns the number at index i, or 0 if there is none.
func (r Reason) value(i int) int64 {
	if i < len(r.Values) {
		return r.Values[i]
	}
	return 0
}
