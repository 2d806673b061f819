package cluster

import "fmt"

// Reason says why a job is in its state: a code for programs and numbers for people.
type Reason struct {
	Job    JobID
	Code   ReasonCode
	Values []int64 // as the code's comment says
}

// ReasonCode says what kind of reason it is.
type ReasonCode string

// The reasons. Memory is in bytes, CPU in millicores, yields in thousandths.
const (
	WhyPlaced      ReasonCode = "placed"        // yield
	WhyNoMemory    ReasonCode = "no_memory"     // memory per task, tasks that fit, tasks
	WhyNoCPU       ReasonCode = "no_cpu"        // smallest share, tasks that fit, tasks
	WhyNoNode      ReasonCode = "no_node"       // tasks; no node is ready and allowed
	WhyPausedFor   ReasonCode = "paused_for"    // job that needed the memory
	WhyMovedFor    ReasonCode = "moved_for"     // job that needed the memory
	WhyDropped     ReasonCode = "dropped"       // rank by priority, jobs that were kept
	WhyBehind      ReasonCode = "behind"        // job ahead in the queue
	WhyNoFreeNode  ReasonCode = "no_free_node"  // free nodes that could take a task, tasks
	WhyTooFewNodes ReasonCode = "too_few_nodes" // nodes that could ever take a task, tasks
	WhyLeftNode    ReasonCode = "left_node"     // node that drains or is down, yield
	WhyWaitsTick   ReasonCode = "waits_tick"    // seconds until the next periodic decision
	WhyNoStore     ReasonCode = "no_store"      // store space that pausing it takes, store space left
	WhyHeld        ReasonCode = "held"          //
	WhyLost        ReasonCode = "lost"          // node that was lost
	WhyRetry       ReasonCode = "retry"         // failed attempts, seconds until the next
	WhyRebalanced  ReasonCode = "rebalanced"    // least yield of the new mapping
	WhyNotDecided  ReasonCode = "not_decided"   //
)

// String is the reason as a sentence.
func (r Reason) String() string {
	v := func(i int) int64 {
		if i < len(r.Values) {
			return r.Values[i]
		}
		return 0
	}
	switch r.Code {
	case WhyPlaced:
		return fmt.Sprintf("placed at yield %.2f", float64(v(0))/1000)
	case WhyNoMemory:
		return fmt.Sprintf("waits for memory: %d of %d tasks of %d MiB each would fit", v(1), v(2), v(0)>>20)
	case WhyNoCPU:
		return fmt.Sprintf("waits for CPU: %d of %d tasks would get their least share of %dm", v(1), v(2), v(0))
	case WhyNoNode:
		return fmt.Sprintf("waits for a node: none that is ready is allowed to take its %d tasks", v(0))
	case WhyPausedFor:
		return fmt.Sprintf("paused to free memory for j%d, which has a higher priority", v(0))
	case WhyMovedFor:
		return fmt.Sprintf("moved to free memory for j%d", v(0))
	case WhyDropped:
		return fmt.Sprintf("waits: memory suffices for the %d jobs of higher priority only; it is number %d", v(1), v(0))
	case WhyBehind:
		return fmt.Sprintf("waits behind j%d", v(0))
	case WhyNoFreeNode:
		return fmt.Sprintf("waits for free nodes: its %d tasks need one each, %d could take one now", v(1), v(0))
	case WhyTooFewNodes:
		return fmt.Sprintf("its %d tasks need a node each, but only %d nodes of the cluster could take one", v(1), v(0))
	case WhyLeftNode:
		return fmt.Sprintf("moved off node %d, which drains or is down, at yield %.2f", v(0), float64(v(1))/1000)
	case WhyWaitsTick:
		return fmt.Sprintf("waits for the next periodic decision in %d s", v(0))
	case WhyNoStore:
		return fmt.Sprintf("keeps its place: pausing it takes %d MiB of the store, which has %d MiB left", v(0)>>20, v(1)>>20)
	case WhyHeld:
		return "held by its user"
	case WhyLost:
		return fmt.Sprintf("lost with node %d; starts again", v(0))
	case WhyRetry:
		return fmt.Sprintf("%d attempts failed; tries again in %d s", v(0), v(1))
	case WhyRebalanced:
		return fmt.Sprintf("rebalanced; the least yield is now %.2f", float64(v(0))/1000)
	}
	return "not yet decided"
}
