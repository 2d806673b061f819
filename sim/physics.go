package sim

import "aliquot/cluster"

// Physics decides the rate at which a job progresses among its neighbours: the part of its share that it can use.
//
// It is a function of the view and the job: the same question about the same view has the same answer. It is asked
// about every job that makes progress when an instant ends, and its answers hold until the next instant.
type Physics interface {
	// Rate returns a rate from 0 to cluster.Whole.
	Rate(v *cluster.View, j *cluster.Job) cluster.Parts
}

// Caps is the physics of the report (RR-7659, section 4.1): every job can use all of its share.
type Caps struct{}

// Rate returns cluster.Whole.
func (Caps) Rate(*cluster.View, *cluster.Job) cluster.Parts { return cluster.Whole }

// flow sets the rates of the jobs that make progress, by the physics and the speeds of their nodes, and foresees their
// ends.
func (m *simulation) flow() {
	if m.Physics == (Caps{}) && m.speeds == nil {
		return // rates never change
	}
	for _, r := range m.runs {
		if r == nil || r.job.Clock.Share <= 0 {
			continue
		}
		rate := m.Physics.Rate(m.view, r.job) * m.slowest(r.held.Nodes) / cluster.Whole
		if steal := cluster.Whole - rate; steal != r.job.Clock.Steal {
			m.model.SetSteal(r.job.ID, steal)
			m.foresee(r)
		}
	}
}

// slowest returns the least speed of the nodes. All tasks of a job progress at this speed.
func (m *simulation) slowest(nodes []cluster.NodeID) cluster.Parts {
	least := cluster.Whole
	if m.speeds != nil {
		for _, n := range nodes {
			least = min(least, m.speeds[n])
		}
	}
	return least
}
