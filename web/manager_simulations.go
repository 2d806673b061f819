package web

import (
	"errors"

	"aliquot/cluster"
	"aliquot/web/api"
)

// Simulations runs and keeps simulations. Refusals come as a *cluster.Rejection.
type Simulations interface {
	// Start queues a simulation. It returns an error if the order is invalid or too many wait.
	Start(o SimulationOrder) (api.Simulation, error)
	// List returns all simulations, newest first.
	List() []api.Simulation
	// Cancel ends a waiting or running one; Remove forgets an ended one. They return ErrNoSimulation for an unknown id.
	Cancel(id string) error
	Remove(id string) error
	// Report returns a simulation's report; ErrNoSimulation for an unknown id, ErrNoReport if there is none.
	Report(id string) (api.SimulationReport, error)
}

// Errors of Simulations.
var (
	ErrNoSimulation = errors.New("there is no such simulation")
	ErrNoReport     = errors.New("the simulation has no report")
)

// SimulationOrder describes a simulation to run.
type SimulationOrder struct {
	Request    string `json:"-"` // name of the order, for idempotence; "": none
	Name, By   string
	Owner      string // may have only a few waiting, even as an operator
	Source     string // native, swf or live
	Policies   []string
	Period     cluster.Time
	Penalty    cluster.Time
	Cost       string
	Estimates  string
	Impossible string
	Trace      string        `json:"-"` // kept in a separate file
	Cores      int           // of a node, for swf
	NodeMemory cluster.Bytes // of a node, for swf
	Nodes      int           // all alike; for a trace
	LiveNodes  []SimulatedNode
	LiveJobs   []SimulatedJob
}

// SimulatedNode is a live node in a simulation.
type SimulatedNode struct {
	Name      string
	CPU       cluster.CPU
	Speed     cluster.Speed
	Memory    cluster.Bytes
	Labels    []cluster.Pair
	Condition cluster.Condition
	Cores     int
}

// SimulatedJob is a live job in a simulation. It goes on from its present position.
type SimulatedJob struct {
	ID       int64
	Tasks    int // that have not ended
	Need     cluster.CPU
	Memory   cluster.Bytes
	Runtime  cluster.Time // at full speed, from now on
	Estimate cluster.Time // of that; 0: none
	Class    cluster.Class
	Fails    bool               // when a node fails under it
	Rules    cluster.Constraint // on which nodes its tasks may be
	Now      cluster.Beginning  // how it stands. Nodes are numbered by their place in LiveNodes, from 1
}
