package sim

import (
	"fmt"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/wording"
)

// Event is an event of one job, or of the whole simulation.
type Event struct {
	At   cluster.Time
	Job  cluster.JobID // the job's number in the stream, from 1; 0: the event concerns all jobs
	Kind EventKind

	// Left: nodes before a move. Nodes: nodes after a start, resumption or move, one per task. Both are read-only.
	Left, Nodes []cluster.NodeID
	Share       cluster.CPU      // new share of each task, if it changed
	Until       cluster.Time     // end of the penalty of a rescheduled job; zero: no penalty
	Why         cluster.Reason   // reason of a job that waits, pauses or moves
	Never       string           // reason why a skipped job could never run
	Took        cluster.Time     // time from submission to end, of a job that ends
	Stretch     float64          // stretch of a job that ends
	Weighed     *cluster.Weighed // the plan that was weighed
	Node        cluster.NodeID   // node of the event; for Killed the node that failed
	Speed       cluster.Parts    // new speed of a node
	Outcome     cluster.Outcome  // outcome of a job that stops
	Tier        cluster.Tier     // of a job after a start, resumption, move or change of its tier
}

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	Waits   EventKind = "waits" // the job was submitted and did not start at once
	Starts  EventKind = "starts"
	Resumes EventKind = "resumes" // after a gap, on any nodes
	Moves   EventKind = "moves"   // without a gap
	Gets    EventKind = "gets"    // another share
	Swaps   EventKind = "swaps"   // another tier, on the same nodes
	Pauses  EventKind = "pauses"
	GoesOn  EventKind = "goes_on" // the job has paid its penalty
	Ends    EventKind = "ends"
	Skips   EventKind = "skips"  // the job is left out
	Weighs  EventKind = "weighs" // the policy found a plan for the running jobs, and adopts it if it is beneficial

	Drains   EventKind = "drains"   // a node drains: its jobs have to leave
	Fails    EventKind = "fails"    // a node fails
	Returns  EventKind = "returns"  // a node returns
	Speeds   EventKind = "speeds"   // a node has a new speed
	Restarts EventKind = "restarts" // the policy gave the job's work up: it begins anew
	Killed   EventKind = "killed"   // a node of the job failed: the job's work begins anew
	Holds    EventKind = "holds"    // the job is put on hold
	Releases EventKind = "releases" // the job is released
	Stops    EventKind = "stops"    // the job ends before its work is done
	Misses   EventKind = "misses"   // the job loses its reservation, which ends it
)

// AboutAll reports whether events of the kind concern more than a single job.
func (k EventKind) AboutAll() bool {
	return slices.Contains([]EventKind{Weighs, Drains, Fails, Returns, Speeds}, k)
}

// Words format jobs, shares, times and durations.
type Words struct {
	wording.Names
	Moment, Span func(cluster.Time) string
}

var plainWords = Words{wording.Names{Job: cluster.JobID.String, Share: cluster.CPU.String}, span, span}

// String returns the event as a sentence in the simulation's own terms: jobs by number, millicores, seconds.
func (e Event) String() string {
	if e.Kind.AboutAll() {
		return "all: " + e.Sentence(plainWords)
	}
	return e.Job.String() + " " + e.Sentence(plainWords)
}

// Sentence returns the event as a sentence without the job's name, in the given words. Nodes are named as Units names
// them.
func (e Event) Sentence(w Words) string {
	switch e.Kind {
	case Waits:
		return wording.Reason(e.Why, w.Names)
	case Starts, Resumes:
		return fmt.Sprintf("%s%s on %s, %s%s", e.Kind, e.below(), places(e.Nodes), w.Share(e.Share), e.pays(w))
	case Moves:
		return fmt.Sprintf("moves from %s to %s, %s%s", places(e.Left), places(e.Nodes), w.Share(e.Share), e.pays(w))
	case Gets:
		return "gets " + w.Share(e.Share)
	case Swaps:
		return fmt.Sprintf("goes to the %v on %s", e.Tier, places(e.Nodes))
	case Restarts:
		return fmt.Sprintf("starts anew on %s, %s", places(e.Nodes), w.Share(e.Share))
	case Pauses:
		return "pauses: " + wording.Reason(e.Why, w.Names)
	case GoesOn:
		return "has paid and goes on"
	case Ends:
		return fmt.Sprintf("ends after %s, stretch %.2f", w.Span(e.Took), e.Stretch)
	case Weighs:
		return wording.Weighed(e.Weighed)
	case Drains, Fails, Returns:
		return fmt.Sprintf("n%d %s", e.Node, e.Kind)
	case Speeds:
		return fmt.Sprintf("n%d has %g of its speed", e.Node, float64(e.Speed)/float64(cluster.Whole))
	case Killed:
		return fmt.Sprintf("loses its work: n%d fails", e.Node)
	case Holds:
		return "is held"
	case Releases:
		return "is released"
	case Stops:
		return "stops: " + e.Outcome.String()
	case Misses:
		return "loses its reservation: it " + wording.Reason(e.Why, w.Names)
	}
	return "is skipped: " + e.Never
}

// below says where the job is if that is the background.
func (e Event) below() string {
	if e.Tier == cluster.Background {
		return " in the background"
	}
	return ""
}

func (e Event) pays(w Words) string {
	if e.Until == 0 {
		return ""
	}
	return "; pays until " + w.Moment(e.Until)
}

// places formats a multiset of nodes for people: n1×2 n3.
func places(nodes []cluster.NodeID) string {
	nodes = slices.Sorted(slices.Values(nodes))
	var words []string
	for i := 0; i < len(nodes); {
		count := 1
		for i+count < len(nodes) && nodes[i+count] == nodes[i] {
			count++
		}
		words = append(words, strings.TrimSuffix(fmt.Sprintf("n%d×%d", nodes[i], count), "×1"))
		i += count
	}
	return strings.Join(words, " ")
}

func span(t cluster.Time) string { return fmt.Sprintf("%.6gs", t.Seconds()) }

// tell reports an event of a job, or of all jobs if id is 0, to the listener.
func (m *simulation) tell(job cluster.JobID, e Event) {
	if m.Tell != nil {
		e.At, e.Job = m.now, job
		m.Tell(e)
	}
}

// tellHeld reports an event with the run's present nodes and share, and the end of its penalty.
func (m *simulation) tellHeld(r *run, e Event) {
	e.Nodes, e.Share, e.Tier = r.held.Nodes, r.held.Cap, r.held.Tier
	if r.paid != never {
		e.Until = r.paid
	}
	m.tell(r.job.ID, e)
}
