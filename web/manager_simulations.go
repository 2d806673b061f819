package web

import (
	"errors"

	"aliquot/cluster"
	"aliquot/web/api"
)

// Simulations runs and keeps simulations. Refusals come as a *cluster.Rejection.
type Simulations interface {
	// Start queues a simulation; the error says what is wrong with the order, or that too many wait.
	Start(o SimulationOrder) (api.Simulation, error)
	// List returns all, newest first.
	List() []api.Simulation
	// Cancel ends one that waits or runs; Remove forgets one that has ended. ErrNoSimulation if there is none of that id.
	Cancel(id string) error
	Remove(id string) error
	// Report returns what one came to; ErrNoSimulation if there is none of that id, ErrNoReport if it has none.
	Report(id string) (api.SimulationReport, error)
}

// Errors of Simulations.
var (
	ErrNoSimulation = errors.New("there is no such simulation")
	ErrNoReport     = errors.New("the simulation has no report")
)

// SimulationOrder is what is to be simulated.
type SimulationOrder struct {
	Request    string `json:"-"` // names the order: given twice it is one simulation; "": it has no name
	Name, By   string
	Source     string // native, swf or live
	Policies   []string
	Period     cluster.Time
	Penalty    cluster.Time
	Cost       string
	Estimates  string
	Impossible string
	Trace      string        `json:"-"` // kept in a file of its own
	Cores      int           // of a node, for swf
	NodeMemory cluster.Bytes // of a node, for swf
	Nodes      int           // alike, of a trace
	LiveNodes  []SimulatedNode
	LiveJobs   []SimulatedJob
}

// SimulatedNode is a live node as a simulation takes it.
type SimulatedNode struct {
	Name      string
	CPU       cluster.CPU
	Memory    cluster.Bytes
	Labels    []cluster.Pair
	Condition cluster.Condition
}

// SimulatedJob is a live job as a simulation takes it: it goes on from where it is.
type SimulatedJob struct {
	ID       int64
	Tasks    int // that have not ended
	Need     cluster.CPU
	Memory   cluster.Bytes
	Runtime  cluster.Time       // at full speed, from now on
	Estimate cluster.Time       // of that; 0: none
	Rules    cluster.Constraint // on which nodes its tasks may be
	Now      cluster.Beginning  // how it stands. Nodes are numbered by their place in LiveNodes, from 1
}
