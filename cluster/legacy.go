package cluster

import "fmt"

// The sentences of this file are frozen forever. A state below Format 3 keeps sentences where a later one keeps codes
// and numbers, and replicas of different programs must keep the same ones: while an old log is applied, and while some
// managers still run the program before. Nobody reads them but states of those Formats; sentences for people are made
// in the room wording, where they may change.

// legacyCause returns the sentence that a state below Format 3 keeps for an ending or an exit.
func legacyCause(c Cause, name func(NodeID) string) (text string) {
	for _, r := range c.Why {
		if r.Code == WhyNodeDown {
			text += "node " + name(NodeID(r.value(0))) + " is down: "
		} else {
			text += legacyBegin(r)
		}
	}
	return text + c.Text
}

// legacyBegin returns the beginning of the sentence, before the reason that this one came from.
func legacyBegin(r Reason) string {
	switch r.Code {
	case WhyTask:
		return fmt.Sprintf("task %d: ", r.value(0))
	case WhyLostOften:
		return fmt.Sprintf("task %d was lost %d times, at last: ", r.value(0), r.value(1))
	case WhyExitCode:
		return fmt.Sprintf("exit code %d", r.value(0))
	case WhySignal:
		return "killed by "
	case WhyNoExit:
		return "ended without an exit"
	case WhyGone:
		return "the VM is gone"
	case WhyConfirmed:
		return "confirmed down by "
	case WhyFenced:
		return "its lease and the margin have passed; its fence has frozen what ran there"
	case WhyOverran:
		return fmt.Sprintf("it ran longer than its limit of %d s", r.value(0))
	case WhyNoProgress:
		return fmt.Sprintf("no progress within %d s", r.value(0))
	case WhyTooSlow:
		return fmt.Sprintf("not done within %d s", r.value(0))
	}
	return legacyReason(r)
}

// legacyReason returns the sentence for a job that is refused for the reason.
func legacyReason(r Reason) string {
	v := r.value
	other := func() string { return JobID(v(0)).String() }
	least := func() string { return CPU(v(0)).String() }
	memory := func(i int) string { return Bytes(v(i)).Words() }
	span := func(i int) string { return (Time(v(i)) * Second).Words() }
	switch r.Code {
	case WhyPlaced:
		return fmt.Sprintf("placed at yield %.2f", float64(v(0))/1000)
	case WhyNoMemory:
		if v(2) == 1 {
			return fmt.Sprintf("waits for memory: no node has %s left for its task's VM", memory(0))
		}
		return fmt.Sprintf("waits for memory: %d of %d VMs of %s each would fit", v(1), v(2), memory(0))
	case WhyNoCPU:
		if v(2) == 1 {
			return fmt.Sprintf("waits for CPU: no node has %s left, the least share of its task", least())
		}
		return fmt.Sprintf("waits for CPU: %d of %d tasks would get their least share of %s", v(1), v(2), least())
	case WhyNoNode:
		if v(1) == 0 {
			return "waits for a node: none has joined yet"
		}
		text := fmt.Sprintf(
			"waits for a node that may take its %s: of %s %d cordoned, %d draining, %d silent or down, %d excluded by its placement or platform",
			own(v(0)), plural(v(1), "node"), v(2), v(3), v(4), v(5))
		if v(6) > 0 {
			text += fmt.Sprintf(", %d without the store", v(6))
		}
		return text
	case WhyPausedFor:
		return fmt.Sprintf("paused to free memory for %s, which has a higher priority", other())
	case WhyMovedFor:
		return fmt.Sprintf("moved to free memory for %s", other())
	case WhyDropped:
		return fmt.Sprintf("waits: memory suffices only for the %s of higher priority; it is number %d",
			plural(v(1), "job"), v(0))
	case WhyBehind:
		return fmt.Sprintf("waits behind %s", other())
	case WhyNoFreeNode:
		if v(1) == 1 {
			return "waits for a free node: none could take its task now"
		}
		return fmt.Sprintf("waits for free nodes: its %d tasks need one each, %d could take one now", v(1), v(0))
	case WhyTooFewNodes:
		if v(1) == 1 {
			return "its task needs a node, but none of the cluster could take it"
		}
		return fmt.Sprintf("its %d tasks need a node each, but only %s of the cluster could take one", v(1),
			plural(v(0), "node"))
	case WhyPromised:
		what := fmt.Sprintf("waits for free nodes: its %d tasks need one each, %d could take one now", v(1), v(0))
		if v(0) >= v(1) {
			what = "waits for its turn"
		} else if v(1) == 1 {
			what = "waits for a free node"
		}
		return fmt.Sprintf("%s; by the estimates it starts at the latest %s after its submission", what, span(2))
	case WhyWouldDelay:
		return fmt.Sprintf("waits: it would delay %s, which was promised a start", other())
	case WhyNoEstimate:
		return "has no estimate of its run time, without which backfilling cannot place it: submit it again with one"
	case WhyLeftNode:
		return fmt.Sprintf("moved off %s, which drains or is down, at yield %.2f", plainNode(NodeID(v(0))),
			float64(v(1))/1000)
	case WhyWaitsTick:
		return fmt.Sprintf("waits for the next periodic decision in %s", span(0))
	case WhyNoStore:
		return fmt.Sprintf("keeps its place: pausing it takes %s of the store, which has %s left", memory(0), memory(1))
	case WhyHeld:
		return "held by its user"
	case WhyLost:
		return fmt.Sprintf("lost with %s; starts again", plainNode(NodeID(v(0))))
	case WhyContested:
		return fmt.Sprintf("lost with %s; waits until %s has destroyed its copy of the VM or is known to be down",
			plainNode(NodeID(v(0))), plainNode(NodeID(v(1))))
	case WhySilent:
		return fmt.Sprintf("stays where it is: task %d is on %s, which is silent, until that is back or known to be down",
			v(0), plainNode(NodeID(v(1))))
	case WhyRivalSilent:
		return fmt.Sprintf(
			"stays where it is: %s, which is silent, may have a copy of the VM of task %d; bring it back, or confirm that it is down",
			plainNode(NodeID(v(1))), v(0))
	case WhyClings:
		return fmt.Sprintf(
			"stays where it is: %s has a copy of the VM of task %d and fails to destroy it; see its monitor's log and end that QEMU there, "+
				"or switch %[1]s off and confirm that it is down", plainNode(NodeID(v(1))), v(0))
	case WhyQuarantined:
		return fmt.Sprintf(
			"stays where it is: %s of task %d failed in a row, as its events tell; it is left alone for another %s",
			plural(v(1), "move"), v(0), span(2))
	case WhyRetry:
		return fmt.Sprintf("%s failed; tries again in %s", plural(v(0), "attempt"), span(1))
	case WhyRebalanced:
		return fmt.Sprintf("rebalanced; the least yield is now %.2f", float64(v(0))/1000)
	}
	return "not yet decided"
}

// plural writes "1 node" and "3 nodes".
func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// own returns the words that follow "its": task, or 3 tasks.
func own(tasks int64) string {
	if tasks == 1 {
		return "task"
	}
	return plural(tasks, "task")
}

func plainNode(id NodeID) string { return fmt.Sprintf("node %d", id) }
