package cluster

// Oracle answers questions that a State cannot. The live oracle estimates. That of a simulation knows: its answers come
// true.
//
// An Oracle is a function of the state and the time: the same question about the same view has the same answer.
type Oracle interface {
	// Cost returns the past and expected cost of rescheduling the job.
	Cost(*Job) Cost
	// Forecast returns the expected processing time of the job.
	Forecast(*Job) Forecast
	// Window returns the time that the job asks to be reserved for it.
	Window(*Job) Window
	// Condition returns whether the node takes VMs, keeps those that it has, or has to be left.
	Condition(*Node) Condition
	// Use returns the CPU that a task of the job uses at full speed, in millicores, by its index.
	Use(j *Job, index int) CPU
	// MeasuredUse returns the CPU that a task of the job uses in the foreground of a node, by its index: what was
	// measured there, if that is known, else its Use.
	MeasuredUse(j *Job, index int, at NodeID) CPU
}

// Forecast is the expected processing time of a job.
type Forecast struct {
	Processing Time // run time at full speed, from the beginning, in microseconds; zero: nothing is known
}

// Condition says which VMs may be placed on a node.
type Condition uint8

// The conditions of a node.
const (
	NodeOpen    Condition = iota // it takes VMs
	NodeClosed                   // it keeps the VMs that it has, and takes no others
	NodeLeaving                  // its VMs have to leave: it drains, or is down
)

// Cost returns the past and expected cost of rescheduling the job. The published policies do not use it.
func (v *View) Cost(j *Job) Cost { return v.oracle.Cost(j) }

// Forecast returns the expected processing time of the job.
func (v *View) Forecast(j *Job) Forecast { return v.oracle.Forecast(j) }

// Condition returns which VMs may be placed on the node.
func (v *View) Condition(n *Node) Condition { return v.oracle.Condition(n) }

// Use returns the CPU that a task of the job uses at full speed, in millicores, by its index.
func (v *View) Use(j *Job, index int) CPU { return v.oracle.Use(j, index) }

// MeasuredUse returns the CPU that a task of the job uses in the foreground of a node, in millicores, by its index:
// what was measured there, if that is known, else its Use.
func (v *View) MeasuredUse(j *Job, index int, at NodeID) CPU {
	return v.oracle.MeasuredUse(j, index, at)
}

// estimates is the Oracle of a live cluster: it derives its answers from the state.
type estimates struct{ *State }

// Forecast derives the expected processing time from jobs like this one and from the submitter's estimate.
func (e estimates) Forecast(j *Job) Forecast { return Forecast{Processing: j.Forecast(e.Now)} }

// Condition derives the condition from the node's health, the operators' wishes, and whether it reaches the store.
func (e estimates) Condition(n *Node) Condition {
	switch {
	case e.Open(n):
		return NodeOpen
	case n.Draining || n.Health == Down:
		return NodeLeaving
	}
	return NodeClosed
}

// Use returns the declared use: the need.
func (e estimates) Use(j *Job, _ int) CPU { return j.Spec.Need }

// MeasuredUse returns the measured use, at most the need, or the need.
func (e estimates) MeasuredUse(j *Job, index int, at NodeID) CPU {
	t := &j.Tasks[index]
	if used, known := t.Measured(); known && t.Node == at {
		return min(e.Node(at).Description.Speed.Reference(used), j.Spec.Need)
	}
	return j.Spec.Need
}
