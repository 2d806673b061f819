package sim

import (
	"fmt"
	"time"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/workload"
)

// Setup is what a stream of jobs runs on, and who looks on. Only Nodes and Policy are needed.
type Setup struct {
	Nodes      []Node
	Policy     policy.Policy
	Penalty    cluster.Time // for rescheduling a job, unless Cost says otherwise
	Cost       Cost         // nil: Constant(Penalty)
	Physics    Physics      // at what rates jobs progress; nil: Caps
	Estimates  Estimates    // what policies are told about run times
	Impossible Impossible   // what becomes of jobs that can never run

	Events   []workload.Event  // what happens to nodes and jobs, by time; CheckEvents says whether it can
	Initials map[int64]Initial // how jobs stand that are submitted at time 0, as the stream names them; the others are new

	Tell    func(Event)                // what happens; nil: nobody listens
	Record  func(Span)                 // what a job held, when it holds it no longer; nil: nobody listens
	Start   func(Moved)                // a move that starts, where moves take time; nil: nobody listens
	Watch   func(Progress) error       // called now and then; its error ends the run; nil: nobody looks
	Inspect func(*cluster.Model) error // called when an instant ends; its error ends the run; nil: no
	Clock   func() time.Duration       // by which decisions are timed; nil: they are not
}

// Node is a modelled node.
type Node struct {
	Name      string
	CPU       cluster.CPU
	Memory    cluster.Bytes
	Labels    []cluster.Pair
	Condition cluster.Condition // at the beginning; an event may change it
}

// Initial is how a job stands when the stream begins that was there before. Its submission is at time 0 all the same,
// and its run time what is left to be done.
type Initial struct {
	cluster.Beginning
	Rules cluster.Constraint // on which nodes its tasks may be
}

// Units returns that many nodes on which a stream's fraction 1 just fits, named n1, n2, ...
func Units(count int) []Node {
	nodes := make([]Node, count)
	for i := range nodes {
		nodes[i] = Node{Name: fmt.Sprint("n", i+1), CPU: workload.UnitCPU, Memory: workload.UnitMemory}
	}
	return nodes
}

// Estimates is what policies are told about run times.
type Estimates uint8

// The estimates: of Traced ones, a job may have none.
const (
	Perfect Estimates = iota // the run time at full speed itself
	Traced                   // what the stream says that the user said
)

func (e Estimates) of(j *workload.Job) cluster.Time {
	if e == Traced {
		return j.Estimate
	}
	return j.Runtime
}

// Progress is how far a run has come.
type Progress struct {
	Now       cluster.Time
	Jobs      int // in all
	Submitted int
	Ended     int // or left out
}
