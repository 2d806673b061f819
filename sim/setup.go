package sim

import (
	"fmt"
	"time"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/workload"
)

// Setup describes the nodes, the policy and the terms of a simulation, and its listeners. Only Nodes and Policy are
// required.
type Setup struct {
	Nodes      []Node
	Policy     policy.Policy
	Penalty    cluster.Time // rescheduling penalty, unless Cost is set
	Cost       Cost         // nil: Constant(Penalty)
	Physics    Physics      // rates at which jobs progress; nil: Tiers
	Uses       Uses         // CPU that tasks use at full speed
	Estimates  Estimates    // run times that policies are told
	Impossible Impossible   // treatment of jobs that can never run

	Events   []workload.Event  // events of nodes and jobs, by time; they must pass CheckEvents
	After    After             // jobs that wait for others; it must pass Check
	Initials map[int64]Initial // positions of jobs that existed before, by the stream's ids

	Tell    func(Event)                // receives each event; nil: nobody listens
	Record  func(Span)                 // receives each span when a job's holdings change; nil: nobody listens
	Start   func(Moved)                // receives each move that starts, if moves take time; nil: nobody listens
	Kill    func(Kill)                 // receives each decision to give up a job's work; nil: nobody listens
	Watch   func(Progress) error       // called from time to time; its error ends the run; nil: nobody looks
	Inspect func(*cluster.Model) error // called at the end of each instant; its error ends the run; nil: not called
	Clock   func() time.Duration       // measures the time of decisions; nil: not measured
}

// Node is a modelled node.
type Node struct {
	Name      string
	CPU       cluster.CPU   // in reference millicores
	Speed     cluster.Speed // of its processors
	Memory    cluster.Bytes
	Labels    []cluster.Pair
	Condition cluster.Condition // at the beginning; events may change it
	Cores     int               // that policies of two tiers bind tasks to; below 2: the node is one processor
}

// description returns what the node tells of itself.
func (n *Node) description() cluster.Description {
	return cluster.Description{CPU: n.CPU, Memory: n.Memory, Labels: n.Labels, Speed: n.Speed, Cores: n.Cores}
}

// Initial is the initial position of a job that existed before the stream begins. It counts as submitted at time 0, and
// its run time is the remaining work.
type Initial struct {
	cluster.Beginning
	Rules cluster.Constraint // restricts the nodes of its tasks
}

// Units returns the given number of unit nodes, named n1, n2, ... A fraction of 1 in a stream fills a unit node.
func Units(count int) []Node {
	nodes := make([]Node, count)
	for i := range nodes {
		nodes[i] = Node{Name: fmt.Sprint("n", i+1), CPU: workload.UnitCPU, Memory: workload.UnitMemory}
	}
	return nodes
}

// Estimates are the run times that policies are told.
type Estimates uint8

// The kinds of estimates. With Traced, a job may have none.
const (
	Perfect Estimates = iota // the true run time at full speed
	Traced                   // the user's estimate, as the stream gives it
)

func (e Estimates) of(j *workload.Job) cluster.Time {
	if e == Traced {
		return j.Estimate
	}
	return j.Runtime
}

// Progress is the state of a running simulation.
type Progress struct {
	Now       cluster.Time
	Jobs      int // number of all jobs
	Submitted int
	Ended     int // ended or left out
}
