package wording

import (
	"cmp"
	"fmt"

	"aliquot/cluster"
)

// Reason returns the sentence for why a job is in its state.
func Reason(r cluster.Reason, n Names) string {
	if sentence := reasons[r.Code]; sentence != nil {
		return sentence(said{n.complete(), r.Values})
	}
	return unknown(string(r.Code))
}

// unknown returns the text for a code of a newer program.
func unknown(code string) string { return fmt.Sprintf("%q, which a newer version explains", code) }

// reasons maps codes to the sentences for why a job is in its state. The meaning of a code's numbers is in its
// comment in package cluster.
var reasons = map[cluster.ReasonCode]func(said) string{
	"":                    func(said) string { return "not yet decided" },
	cluster.WhyNotDecided: func(said) string { return "not yet decided" },
	cluster.WhyPlaced:     func(s said) string { return "placed at yield " + s.yield(0) },
	cluster.WhyToStart:    toStart,
	cluster.WhyNoMemory:   noOpenMemory,
	cluster.WhyNoCPU:      noCPU,
	cluster.WhyNoNode:     noNode,
	cluster.WhyPausedFor: func(s said) string {
		return fmt.Sprintf("paused to free %s for %s, which has a higher priority", s.freed(), s.job(0))
	},
	cluster.WhyPausedShare: func(s said) string {
		return fmt.Sprintf("paused to free %s for %s: its owner's share is used, that of the other's owner is not",
			s.freed(), s.job(0))
	},
	cluster.WhyShareUsed:     shareUsed,
	cluster.WhyMovedFor:      func(s said) string { return fmt.Sprintf("moved to free %s for %s", s.freed(), s.job(0)) },
	cluster.WhyDropped:       dropped,
	cluster.WhyBehind:        func(s said) string { return "waits behind " + s.job(0) },
	cluster.WhyNoFreeNode:    noFreeNode,
	cluster.WhyTooFewNodes:   tooFewNodes,
	cluster.WhyPromised:      promised,
	cluster.WhyOverdue:       func(s said) string { return freeNodes(s) + s.overdue() },
	cluster.WhyNoFreeCores:   func(s said) string { return "waits for cores and memory: " + roomFor(s) + " now" },
	cluster.WhyTooFewCores:   func(s said) string { return roomFor(s) + " in the whole cluster, in cores and memory" },
	cluster.WhyPromisedCores: promisedCores,
	cluster.WhyOverdueCores:  func(s said) string { return freeCores(s) + s.overdue() },
	cluster.WhyWiderThanCore: func(s said) string {
		return fmt.Sprintf("waits: its tasks need %s each, and under this policy none gets more than a core of a node", s.share(0))
	},
	cluster.WhyWouldDelay: func(s said) string {
		return fmt.Sprintf("waits: it would delay %s, which was promised a start", s.job(0))
	},
	cluster.WhyNoEstimate: noEstimate,
	cluster.WhyForeground: func(said) string { return "runs in the foreground, where it was in the background" },
	cluster.WhyBackground: func(said) string { return "runs in the background, on the CPU that foreground jobs leave" },
	cluster.WhyStartsAnew: func(said) string { return "starts anew in the foreground: its work in the background is given up" },
	cluster.WhyMovedUp:    func(said) string { return "moved to the foreground of other nodes" },
	cluster.WhyGaveWay:    func(said) string { return "paused: jobs that have run less have its nodes" },
	cluster.WhyLeftNode:   leftNode,
	cluster.WhyWaitsTick:  func(s said) string { return "waits for the next periodic decision in " + s.span(0) },
	cluster.WhyNoStore:    noStore,
	cluster.WhyHeld:       func(said) string { return "held by its user" },
	cluster.WhyLost:       func(s said) string { return fmt.Sprintf("its VM on %s was lost; starts again", s.node(0)) },
	cluster.WhyContested:  contested,
	cluster.WhySilent:     silent,
	cluster.WhyHypervisor: hypervisorSilent,
	cluster.WhyNoAnswer: func(s said) string {
		return fmt.Sprintf("starts elsewhere: the hypervisor of %s does not answer", s.node(0))
	},
	cluster.WhyUnreachable: unreachable,
	cluster.WhyNoLink: func(s said) string {
		return fmt.Sprintf("starts elsewhere: the manager has no connection to %s", s.node(0))
	},
	cluster.WhyRivalSilent: rivalSilent,
	cluster.WhyClings:      clings,
	cluster.WhyQuarantined: quarantined,
	cluster.WhyRetry: func(s said) string {
		return fmt.Sprintf("%s failed; tries again in %s", s.plural(0, "attempt"), s.span(1))
	},
	cluster.WhyReserved:    func(s said) string { return "starts as promised, " + s.span(0) + " after its submission" },
	cluster.WhyNotReserved: notReserved,
	cluster.WhyTooDear:     tooDear,
	cluster.WhyCut:         func(s said) string { return "was cut: its promised interval of " + s.span(0) + " is over" },
	cluster.WhyPromiseLost: func(s said) string {
		return fmt.Sprintf("lost its promised start: %s does not take it then", s.node(0))
	},
	cluster.WhyNoPromises: func(said) string {
		return "cannot be reserved nodes: the policy runs in simulations only, which keep promises of whole nodes"
	},
	cluster.WhyInterval: func(s said) string {
		return fmt.Sprintf("is promised its nodes from %s to %s", s.moment(0), s.moment(1))
	},
	cluster.WhyDeadline:   deadline,
	cluster.WhyLate:       deadlineLost,
	cluster.WhyKept:       func(s said) string { return "has what it was promised, until " + s.moment(0) },
	cluster.WhyBroken:     promiseBroken,
	cluster.WhyKeptFor:    func(s said) string { return "made way for " + s.job(0) + ", to which its place was promised" },
	cluster.WhyAfter:      waitsFor,
	cluster.WhyMadeWay:    madeWay,
	cluster.WhyRebalanced: func(s said) string { return "rebalanced, which made the least yield " + s.yield(0) },
}

func waitsFor(s said) string {
	if s.value(1) > 0 {
		return fmt.Sprintf("waits for the end of %s and of %s", s.job(0), s.plural(1, "other job"))
	}
	return "waits for the end of " + s.job(0)
}

func promiseBroken(s said) string {
	switch {
	case len(s.values) == 0:
		return "lost its promise, with many others: the nodes have too little left"
	case s.value(0) == 0:
		return "lost its promise: the nodes have too little left, and there is no later time for it, either"
	}
	return "lost its promise: the nodes have too little left; it could be promised from " + s.moment(0) + " on"
}

func deadline(s said) string {
	when := s.moment(0)
	if s.value(3) > 1 {
		when += fmt.Sprintf(", in %d parts", s.value(3))
	}
	text := fmt.Sprintf("is promised to end by %s: it has all of its CPU from %s on at the latest", when, s.moment(1))
	if s.value(2) > 0 {
		text += "; it may run from " + s.moment(2) + " on"
	}
	if s.value(4) > 0 {
		text += fmt.Sprintf("; that is %s too little, which it has to make up for before", cluster.Time(s.value(4)).Words())
	}
	return text
}

func deadlineLost(s said) string {
	switch {
	case len(s.values) == 0:
		return "lost its promise, with many others: it cannot be sure to end by its deadline"
	case s.value(0) == 0:
		return "lost its promise: it cannot be sure to end by its deadline, nor by a later one"
	}
	return "lost its promise: it cannot be sure to end by its deadline; it could be promised to end by " + s.moment(0)
}

func notReserved(s said) string {
	return fmt.Sprintf("was not promised %s: they are not free together for %s, from %s to %s after its submission",
		s.plural(0, "node"), s.span(1), s.span(2), s.span(3))
}

func tooDear(s said) string {
	return fmt.Sprintf("was not promised %s for %s: with it, %d %% of its window would be planned, which makes it cost %.3g times the most that is accepted",
		s.plural(0, "node"), s.span(1), (s.value(2)+5)/10, float64(s.value(3))/1000)
}

func toStart(s said) string {
	if len(s.values) == 0 {
		return "is to start in the background, after other moves"
	}
	return "is to start at yield " + s.yield(0) + ", after other moves"
}

func shareUsed(s said) string { return noMemory(s, 5) + s.used() + s.shut(4) }

// used says that the share of the job's owner, the fourth value in thousandths, is used.
func (s said) used() string {
	return fmt.Sprintf("; its owner's share (%d %% of the cluster) is used", (s.value(3)+5)/10)
}

// shut names the nodes that would do if they took new VMs, whose number is the value: what is short is not all that is.
func (s said) shut(value int) string {
	switch shut := s.value(value); shut {
	case 0:
		return ""
	case 1:
		return "; 1 node that is large enough is cordoned, draining, down or not reachable"
	default:
		return fmt.Sprintf("; %d nodes that are large enough are cordoned, draining, down or not reachable", shut)
	}
}

// apart says that no two tasks may be on a node, if that value is 1.
func (s said) apart(value int) string {
	if s.value(value) == 1 {
		return ", no two on one node"
	}
	return ""
}

func noOpenMemory(s said) string { return noMemory(s, 4) + s.shut(3) }

// noMemory returns the words for too little memory. The value apart is 1 if no two tasks may be on one node.
func noMemory(s said, apart int) string {
	if s.value(2) == 1 {
		return fmt.Sprintf("waits for memory: no node that may take its task has %s left for its VM", s.memory(0))
	}
	short, alone := "memory", s.apart(apart)
	if alone != "" {
		short = "nodes with room"
	}
	return fmt.Sprintf("waits for %s: %d of %d VMs of %s each would fit%s", short, s.value(1), s.value(2), s.memory(0),
		alone)
}

func noCPU(s said) string {
	text := fmt.Sprintf("waits for CPU: %d of %d tasks would get their least share of %s%s", s.value(1), s.value(2),
		s.share(0), s.apart(5))
	if s.value(2) == 1 {
		text = fmt.Sprintf("waits for CPU: no node that may take its task has %s left, its least share", s.share(0))
	}
	if s.value(3) > 0 {
		text += s.used()
	}
	return text + s.shut(4)
}

func madeWay(s said) string {
	if len(s.values) == 0 {
		return "paused: standard jobs need its memory"
	}
	return fmt.Sprintf("paused to free memory for %s, which runs in the foreground", s.job(0))
}

// freed names the resource that a job was paused or moved to free: CPU if the second value says so, otherwise memory.
func (s said) freed() string {
	if s.value(1) != 0 {
		return "CPU"
	}
	return "memory"
}

func noNode(s said) string {
	if s.value(1) == 0 {
		return "waits for a node: none has joined yet"
	}
	own := "task"
	if s.value(0) != 1 {
		own = s.plural(0, "task")
	}
	kept := cmp.Or(s.kept(), "too few may")
	return fmt.Sprintf("waits for a node that may take its %s: of %s, %s", own, s.plural(1, "node"), kept)
}

// kept counts the nodes by what keeps them from a job: "1 is cordoned, 2 draining". It leaves out what keeps none.
func (s said) kept() string {
	const awayInAll, awayFirst = 4, 7 // a reason of an older release has only the sum
	var list cluster.Tally
	for _, part := range []struct {
		index int
		words string
	}{{2, "cordoned"}, {3, "draining"}, {awayFirst, "unreachable"}, {8, "with a hypervisor that does not answer"},
		{9, "silent"}, {10, "down"}, {11, "returning"}, {awayInAll, "silent or down"},
		{5, "excluded by its placement or platform"}, {6, "without the store"}} {
		if part.index != awayInAll || len(s.values) <= awayFirst {
			list.Add(int(s.value(part.index)), part.words)
		}
	}
	if served, until := s.value(12), s.moment(13); served == 1 {
		list.Add(1, "in maintenance until "+until)
	} else {
		list.Add(int(served), "in maintenance, the first until "+until)
	}
	list.Add(int(s.value(14)), "unable to limit network cards")
	list.Add(int(s.value(15)), "too small for a task")
	switch full, until := s.value(16), s.moment(18); full {
	case 0:
	case 1:
		list.Add(1, fmt.Sprintf("too full beside what is promised to %s until %s", s.job(17), until))
	default:
		list.Add(int(full), fmt.Sprintf("too full beside promises, the first until %s to %s", until, s.job(17)))
	}
	list.Add(int(s.value(19)), "unable to boot disk images")
	return list.String()
}

func dropped(s said) string {
	return fmt.Sprintf("waits: there is room only for the %s of higher priority; it is number %d",
		s.plural(1, "job"), s.value(0))
}

func noFreeNode(s said) string {
	if s.value(1) == 1 {
		return "waits for a free node: none could take its task now"
	}
	return fmt.Sprintf("waits for free nodes: its %d tasks need one each, %d could take one now", s.value(1), s.value(0))
}

func tooFewNodes(s said) string {
	if s.value(1) == 1 {
		return "its task needs a node, but none of the cluster could take it"
	}
	return fmt.Sprintf("its %d tasks need a node each, but only %s of the cluster could take one", s.value(1),
		s.plural(0, "node"))
}

func promised(s said) string { return freeNodes(s) + s.latest() }

// freeNodes returns the words for why a job waits that is promised a start on whole nodes.
func freeNodes(s said) string {
	wait := fmt.Sprintf("waits for free nodes: its %d tasks need one each, %d could take one now", s.value(1), s.value(0))
	if s.value(0) >= s.value(1) {
		wait = "waits for its turn"
	} else if s.value(1) == 1 {
		wait = "waits for a free node"
	}
	return wait
}

// latest says when a job starts by the estimates.
func (s said) latest() string {
	return fmt.Sprintf("; by the estimates it starts at the latest %s after its submission", s.span(2))
}

// overdue says what a job waits for whose start by the estimates has passed.
func (s said) overdue() string {
	switch others := s.value(3); {
	case s.value(2) == 0:
		return "; by the estimates it would run by now, but others run for longer"
	case others == 0:
		return fmt.Sprintf("; it starts as soon as %s ends, which is past its estimate or has none", s.job(2))
	default:
		return fmt.Sprintf("; it starts as soon as enough of %s and %s end, which are past their estimates or have none",
			s.job(2), s.plural(3, "other job"))
	}
}

// roomFor returns the words for the number of tasks that there is room for.
func roomFor(s said) string {
	if s.value(1) == 1 {
		return "there is no room for its task"
	}
	return fmt.Sprintf("there is room for %d of its %d tasks", s.value(0), s.value(1))
}

func promisedCores(s said) string { return freeCores(s) + s.latest() }

// freeCores returns the words for why a job waits that is promised a start on cores.
func freeCores(s said) string {
	wait := "waits for cores and memory: " + roomFor(s) + " now"
	if s.value(0) >= s.value(1) {
		wait = "waits for its turn"
	}
	return wait
}

func noEstimate(said) string {
	return "has no estimate of its run time, without which backfilling cannot place it: submit it again with one"
}

func leftNode(s said) string {
	return fmt.Sprintf("moved off %s, which drained or was down, at yield %s", s.node(0), s.yield(1))
}

func noStore(s said) string {
	return fmt.Sprintf("keeps its place: pausing it takes %s of the store, which has %s left", s.memory(0), s.memory(1))
}

func contested(s said) string {
	return fmt.Sprintf("its VM on %s was lost; waits until %s has destroyed its copy of the VM or is known to be down",
		s.node(0), s.node(1))
}

func silent(s said) string {
	return fmt.Sprintf("stays where it is: task %d is on %s, which is silent; waits until %[2]s is back or known to be down",
		s.value(0), s.node(1))
}

func hypervisorSilent(s said) string {
	return fmt.Sprintf("stays where it is: task %d runs on %s, whose hypervisor does not answer; waits until it answers",
		s.value(0), s.node(1))
}

func unreachable(s said) string {
	return fmt.Sprintf("stays where it is: task %d runs on %s, to which the manager has no connection; waits for it to return",
		s.value(0), s.node(1))
}

func rivalSilent(s said) string {
	return fmt.Sprintf("stays where it is: %s, which is silent, may have a copy of the VM of task %d; "+
		"bring it back, or confirm that it is down", s.node(1), s.value(0))
}

func clings(s said) string {
	return fmt.Sprintf(
		"stays where it is: %s has a copy of the VM of task %d and fails to destroy it; see its monitor's log "+
			"and end that QEMU there, or switch %[1]s off and confirm that it is down", s.node(1), s.value(0))
}

func quarantined(s said) string {
	return fmt.Sprintf(
		"stays where it is: %s of task %d failed in a row, as its events tell; it is left alone for another %s",
		s.plural(1, "move"), s.value(0), s.span(2))
}
