package cluster

// Oracle answers what a State does not know of itself. The live one estimates. A simulation knows: its answers come
// true.
//
// An Oracle is a function of the state and the time: the same question about the same view has the same answer.
type Oracle interface {
	// Cost returns what rescheduling the job takes and has taken.
	Cost(*Job) Cost
	// Forecast returns what is expected of the job's processing time.
	Forecast(*Job) Forecast
	// Condition returns whether the node takes VMs, keeps those that it has, or has to be left.
	Condition(*Node) Condition
}

// Forecast is what is expected of a job's processing time.
type Forecast struct {
	Processing Time // run time at full speed, from the beginning, in microseconds; zero: nothing is known
}

// Condition is what may be placed on a node.
type Condition uint8

// The conditions of a node.
const (
	NodeOpen    Condition = iota // it takes VMs
	NodeClosed                   // it keeps the VMs that it has, and takes no others
	NodeLeaving                  // its VMs have to leave: it drains, or is down
)

// Cost is what rescheduling a job takes and has taken, for policies that weigh what a move gains against it. The
// published policies do not ask.
func (v *View) Cost(j *Job) Cost { return v.oracle.Cost(j) }

// Forecast is what is expected of the job's processing time.
func (v *View) Forecast(j *Job) Forecast { return v.oracle.Forecast(j) }

// Condition is what may be placed on the node.
func (v *View) Condition(n *Node) Condition { return v.oracle.Condition(n) }

// estimates is the Oracle of a live cluster: it derives its answers from the state.
type estimates struct{ *State }

// Forecast is the submitter's estimate.
func (e estimates) Forecast(j *Job) Forecast { return Forecast{Processing: j.Spec.Estimate} }

// Condition is that by the node's health, by what operators want of it, and by whether it reaches the store.
func (e estimates) Condition(n *Node) Condition {
	switch {
	case n.Draining || n.Health == Down:
		return NodeLeaving
	case e.Open(n):
		return NodeOpen
	}
	return NodeClosed
}
