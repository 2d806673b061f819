package sim

import (
	"fmt"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/wording"
)

// Event is something that happened to a job, or concerns all.
type Event struct {
	At   cluster.Time
	Job  cluster.JobID // its number in the stream, from 1; 0: it concerns all
	Kind EventKind

	// of a job that moves; of one that starts, resumes or moves: one for each task; not to be changed
	Left, Nodes []cluster.NodeID
	Share       cluster.CPU      // of each task, where it is news
	Until       cluster.Time     // a rescheduled job pays until then; zero: the job does not pay
	Why         cluster.Reason   // of one that waits or pauses
	Never       string           // why one that is skipped could never run
	Took        cluster.Time     // from submission to end, of one that ends
	Stretch     float64          // of one that ends
	Weighed     *cluster.Weighed // the plan that was weighed
	Node        cluster.NodeID   // that the event is about, or whose failure killed the job
	Speed       cluster.Parts    // of a node, from now on
	Outcome     cluster.Outcome  // of a job that stops
}

// EventKind is what happened.
type EventKind string

// The kinds of events.
const (
	Waits   EventKind = "waits" // it was submitted and did not start at once
	Starts  EventKind = "starts"
	Resumes EventKind = "resumes" // after a gap, on whatever nodes
	Moves   EventKind = "moves"   // without a gap
	Gets    EventKind = "gets"    // another share
	Pauses  EventKind = "pauses"
	GoesOn  EventKind = "goes_on" // it has paid
	Ends    EventKind = "ends"
	Skips   EventKind = "skips"  // it is left out
	Weighs  EventKind = "weighs" // the policy found a plan for those that run, and adopts it if it is beneficial

	Drains   EventKind = "drains"   // a node: its jobs have to leave
	Fails    EventKind = "fails"    // a node
	Returns  EventKind = "returns"  // a node
	Speeds   EventKind = "speeds"   // a node: it has another speed
	Killed   EventKind = "killed"   // a node under it failed: its work begins anew
	Holds    EventKind = "holds"    // the job is held
	Releases EventKind = "releases" // the job is held no longer
	Stops    EventKind = "stops"    // it ends without its work being done
)

// AboutAll reports whether events of the kind concern no single job.
func (k EventKind) AboutAll() bool {
	return slices.Contains([]EventKind{Weighs, Drains, Fails, Returns, Speeds}, k)
}

// Words are how jobs and shares, moments and lengths of time are written.
type Words struct {
	wording.Names
	Moment, Span func(cluster.Time) string
}

var plainWords = Words{wording.Names{Job: cluster.JobID.String, Share: cluster.CPU.String}, span, span}

// String is the event as a sentence in the simulation's own terms: jobs by number, millicores, seconds.
func (e Event) String() string {
	if e.Kind.AboutAll() {
		return "all: " + e.Sentence(plainWords)
	}
	return e.Job.String() + " " + e.Sentence(plainWords)
}

// Sentence is what happened, in such words, without the job's name. Nodes are named as Units names them.
func (e Event) Sentence(w Words) string {
	switch e.Kind {
	case Waits:
		return wording.Reason(e.Why, w.Names)
	case Starts, Resumes:
		return fmt.Sprintf("%s on %s, %s%s", e.Kind, places(e.Nodes), w.Share(e.Share), e.pays(w))
	case Moves:
		return fmt.Sprintf("moves from %s to %s, %s%s", places(e.Left), places(e.Nodes), w.Share(e.Share), e.pays(w))
	case Gets:
		return "gets " + w.Share(e.Share)
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
	}
	return "is skipped: " + e.Never
}

func (e Event) pays(w Words) string {
	if e.Until == 0 {
		return ""
	}
	return "; pays until " + w.Moment(e.Until)
}

// places is how people read a multiset of nodes: n1×2 n3.
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

// tell lets whoever listens know what happened now, to a job or, if that is 0, to all.
func (m *simulation) tell(job cluster.JobID, e Event) {
	if m.Tell != nil {
		e.At, e.Job = m.now, job
		m.Tell(e)
	}
}

// tellHeld is tell of a run with what it holds now, and how long it pays.
func (m *simulation) tellHeld(r *run, e Event) {
	e.Nodes, e.Share = r.held.Nodes, r.held.Cap
	if r.paid != never {
		e.Until = r.paid
	}
	m.tell(r.job.ID, e)
}
