package sim

import "aliquot/cluster"

// oracle knows the values that a live cluster can only estimate.
type oracle struct{ sim *simulation }

// Cost returns the cost of rescheduling the job.
func (o oracle) Cost(j *cluster.Job) cluster.Cost {
	r := o.sim.runs[j.ID-1]
	memory := cluster.Bytes(r.Tasks) * r.Memory
	c := cluster.Cost{
		ResumeTime: o.sim.Cost.Resume(&r.Job), MoveTime: o.sim.Cost.Move(&r.Job, r.Tasks),
		PauseBytes: memory, ResumeBytes: memory, MoveBytes: memory,
		LastMoved: r.moved, Moves: r.Preemptions + r.Migrations, Weight: r.Priority,
	}
	if r.paid != never {
		c.Unpaid = max(0, r.paid-o.sim.now)
	}
	return c
}

// Forecast returns the run time that the policies of the setup are told. Lost work is to be done again.
func (o oracle) Forecast(j *cluster.Job) cluster.Forecast {
	r := o.sim.runs[j.ID-1]
	processing := o.sim.Estimates.of(&r.Job)
	if processing > 0 {
		processing += r.base
	}
	return cluster.Forecast{Processing: processing}
}

// Window returns what the stream asks for, whatever the policies are told about run times. Lost work is to be done
// again.
func (o oracle) Window(j *cluster.Job) cluster.Window {
	r := o.sim.runs[j.ID-1]
	return cluster.Window{Ready: r.Ready, Deadline: r.Deadline, Lasts: r.Reserved() + r.base}
}

// Condition returns the condition that the stream gives the node. Nothing else changes it.
func (o oracle) Condition(n *cluster.Node) cluster.Condition { return o.sim.model.Condition(n) }

// Use returns what the stream says.
func (o oracle) Use(j *cluster.Job, index int) cluster.CPU {
	return o.sim.Uses.Of(&o.sim.runs[j.ID-1].Job, index)
}

// MeasuredUse returns what the stream says.
func (o oracle) MeasuredUse(j *cluster.Job, index int, _ cluster.NodeID) cluster.CPU {
	return o.Use(j, index)
}
