package cluster

import (
	"fmt"
	"strings"
)

// Reason is the reason for a job's state: a code with numbers. Package wording makes a sentence of it.
type Reason struct {
	Job    JobID
	Code   ReasonCode
	Values []int64 // the numbers in the comment of the code, in that order
}

// String returns the code and the numbers, for logs and tests.
func (r Reason) String() string { return strings.TrimSuffix(fmt.Sprint(r.Code, " ", r.Values), " []") }

// ReasonCode is the kind of a reason.
type ReasonCode string

// The reasons with their numbers. Memory is in bytes, CPU in millicores, yields in thousandths.
const (
	WhyPlaced  ReasonCode = "placed"   // yield
	WhyToStart ReasonCode = "to_start" // yield, or none in the background; none of its tasks has a VM yet. Never stored
	// memory of a task's VM, tasks that fit, tasks, nodes that are large enough for one but cordoned, draining or not
	// reachable, and 1 if no two tasks may be on a node (left out at the end: 0)
	WhyNoMemory ReasonCode = "no_memory"
	// least share of a task, tasks that fit, tasks, the share of its owner of the cluster in thousandths if that is used,
	// and as no_memory from the nodes on (left out at the end: 0)
	WhyNoCPU ReasonCode = "no_cpu"
	// tasks, nodes, and how many of the nodes are cordoned, draining, not reachable, excluded by the job's placement or
	// platform, and without the store: together all that follow no more below; of those not reachable how many are
	// unreachable, stalled, silent, down and returning (left out by older releases); of the nodes how many are in
	// maintenance, and when the first of these is over; how many cannot limit network cards; how many have too little for
	// a task; how many have too little only because of promises in force, and of the first of these to be over its job
	// and its end, in µs since 1970; how many boot no disks, as its image is one (left out at the end: 0)
	WhyNoNode      ReasonCode = "no_node"
	WhyPausedFor   ReasonCode = "paused_for"   // job that needed the memory; 1: it needed the CPU (may be left out)
	WhyPausedShare ReasonCode = "paused_share" // as paused_for, of a job within the share of its owner
	// memory of a task's VM, tasks that fit, tasks, the share of its owner of the cluster in thousandths, and as no_memory
	// from the nodes on
	WhyShareUsed   ReasonCode = "share_used"
	WhyMovedFor    ReasonCode = "moved_for"     // as paused_for
	WhyDropped     ReasonCode = "dropped"       // rank by priority, jobs that keep their memory
	WhyBehind      ReasonCode = "behind"        // job ahead in the queue
	WhyNoFreeNode  ReasonCode = "no_free_node"  // free nodes that could take a task, tasks
	WhyTooFewNodes ReasonCode = "too_few_nodes" // nodes that could ever take a task, tasks
	// free nodes that could take a task, tasks, seconds from submission to the promised start, a job that is expected to
	// end then (0: none), how many others are
	WhyPromised ReasonCode = "promised"
	// free nodes that could take a task, tasks, a job that it waits for and that is past its estimate or has none (0: not
	// known), how many others there are. A decision gives it if the start is only a next instant, as it is again later
	WhyOverdue     ReasonCode = "overdue"
	WhyNoFreeCores ReasonCode = "no_free_cores" // tasks that find cores and memory now, tasks
	WhyTooFewCores ReasonCode = "too_few_cores" // tasks that could ever find cores and memory, tasks
	// tasks that find cores and memory now, tasks, and the rest as promised
	WhyPromisedCores ReasonCode = "promised_cores"
	WhyOverdueCores  ReasonCode = "overdue_cores"   // tasks that find cores and memory now, tasks, and the rest as overdue
	WhyWiderThanCore ReasonCode = "wider_than_core" // need of a task, in millicores: more than any processor for it has
	WhyWouldDelay    ReasonCode = "would_delay"     // job whose promised start it would delay
	WhyNoEstimate    ReasonCode = "no_estimate"     // none: the policy needs an estimate of the run time
	WhyForeground    ReasonCode = "foreground"      // none: it goes to the foreground where it is
	WhyBackground    ReasonCode = "background"      // none: it runs on what foreground jobs leave
	WhyStartsAnew    ReasonCode = "starts_anew"     // none: its work was given up for a place in the foreground
	WhyMovedUp       ReasonCode = "moved_up"        // none: it was moved to a place in the foreground
	WhyGaveWay       ReasonCode = "gave_way"        // none: jobs that have had less have its places in the foreground
	WhyLeftNode      ReasonCode = "left_node"       // node that drains or is down, yield
	WhyWaitsTick     ReasonCode = "waits_tick"      // seconds until the next periodic decision
	WhyNoStore       ReasonCode = "no_store"        // space of the store that pausing it takes, space left
	WhyHeld          ReasonCode = "held"            // none: a user holds the job
	WhyLost          ReasonCode = "lost"            // node that was lost
	WhyContested     ReasonCode = "contested"       // node that was lost, node that may have a copy of the VM
	WhySilent        ReasonCode = "silent"          // task, its silent node
	WhyHypervisor    ReasonCode = "hypervisor"      // task, its node, whose hypervisor is silent
	WhyNoAnswer      ReasonCode = "no_answer"       // node whose hypervisor is silent
	WhyUnreachable   ReasonCode = "unreachable"     // task, its node, which has no link
	WhyNoLink        ReasonCode = "no_link"         // node that has no link
	WhyRivalSilent   ReasonCode = "rival_silent"    // task, silent node that may have a copy of its VM
	WhyClings        ReasonCode = "clings"          // task, node that fails to destroy a copy of its VM
	WhyQuarantined   ReasonCode = "quarantined"     // task, moves that failed in a row, seconds until the next attempt
	WhyRetry         ReasonCode = "retry"           // failed attempts, seconds until the next
	WhyRebalanced    ReasonCode = "rebalanced"      // least yield of the new mapping
	WhyNotDecided    ReasonCode = "not_decided"     // none: no decision about the job yet
	WhyReserved      ReasonCode = "reserved"        // seconds from submission to the start of its promised interval
	// tasks, seconds that it reserves, seconds from submission to its ready time, and to its deadline
	WhyNotReserved ReasonCode = "not_reserved"
	// tasks, seconds that it reserves, use of its window and its price, in parts per thousand of all and of the most
	WhyTooDear     ReasonCode = "too_dear"
	WhyCut         ReasonCode = "cut"          // seconds of its promised interval, which is over
	WhyPromiseLost ReasonCode = "promise_lost" // node that does not take it at the promised start
	WhyNoPromises  ReasonCode = "no_promises"  // none: the cluster keeps no promises, which the policy needs
	WhyInterval    ReasonCode = "interval"     // begin and end of its promised interval, in microseconds since 1970
	WhyKept        ReasonCode = "kept"         // end of its promised interval, in microseconds since 1970
	// earliest start that can be promised, in µs since 1970; 0: none; left out if it was not looked for
	WhyBroken ReasonCode = "promise_broken"
	// deadline, latest time from which it has its full need, and ready time, all in µs since 1970; no ready time: 0. Of a
	// promise in several parts also their number
	WhyDeadline ReasonCode = "deadline"
	// earliest deadline that can be promised instead, in µs since 1970; 0: none; left out if it was not looked for
	WhyLate    ReasonCode = "deadline_lost"
	WhyKeptFor ReasonCode = "kept_for" // job that its room was promised to
	WhyMadeWay ReasonCode = "made_way" // job of the foreground that needs its memory, or none: standard jobs do
	WhyAfter   ReasonCode = "after"    // a job that it waits for, how many others it waits for
)

// value returns the number at index i, or 0 if there is none.
func (r Reason) value(i int) int64 {
	if i < len(r.Values) {
		return r.Values[i]
	}
	return 0
}

// Promises reports whether promises in force are among what keeps nodes from the job, by a WhyNoNode.
func (r Reason) Promises() bool { return r.Code == WhyNoNode && r.value(16) > 0 }
