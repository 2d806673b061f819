package harvest

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// job is a job of another class during a decision.
type job struct {
	*cluster.Job
	view   *cluster.View          // that is decided on
	count  int                    // tasks that have not ended
	charge cluster.Bytes          // memory that a task takes from its node
	held   *cluster.Placement     // by the adopted decision; nil: none
	stays  map[cluster.NodeID]int // see policy.Staying; nil: nobody has asked
	pinned bool                   // it cannot give way
	nodes  []cluster.NodeID       // of the tasks that have not ended, in ascending order; nil: it has no placement
	tier   cluster.Tier
	cap    cluster.CPU // of each task, in millicores
}

// at returns the nodes of the tasks by the adopted decision, in ascending order.
func (j *job) at() (nodes []cluster.NodeID) {
	if j.held == nil {
		return nil
	}
	for _, n := range j.held.Nodes {
		if n != 0 {
			nodes = append(nodes, n)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// staying returns the number of tasks that may be on a node that takes no new VMs.
func (j *job) staying(n cluster.NodeID) int {
	if j.stays == nil {
		j.stays = policy.Staying(j.view, j.Job, j.held)
	}
	return j.stays[n]
}

// placement returns the adopted placement if it is still the same.
func (j *job) placement() *cluster.Placement {
	grant := j.tier.Grant(j.cap)
	stays := slices.Equal(j.nodes, j.at())
	switch {
	case stays && j.held.Grant == grant:
		return j.held
	case stays && len(j.held.Nodes) == j.count:
		return &cluster.Placement{Grant: grant, Nodes: j.held.Nodes}
	}
	return &cluster.Placement{Grant: grant, Nodes: j.nodes}
}

// reason returns why the job is placed as it is, or waits.
func (f *field) reason(j *job) cluster.Reason {
	switch {
	case j.nodes != nil && j.tier == cluster.Foreground:
		return cluster.Reason{Code: cluster.WhyPlaced, Values: []int64{1000}}
	case j.nodes != nil:
		return cluster.Reason{Code: cluster.WhyBackground}
	case j.held != nil && f.view.Mapped(j.ID) != nil:
		return cluster.Reason{Code: cluster.WhyMadeWay}
	}
	allows, allowed, fit := f.view.Allowing(j.Job), false, 0
	for i := range f.sites {
		if s := &f.sites[i]; s.Node != nil && allows(s.Node) {
			allowed, fit = true, fit+s.slots(j)
		}
	}
	if !allowed {
		return policy.NoNode(f.view, j.Job, j.count)
	}
	return policy.NoMemory(f.view, j.Job, j.count, fit)
}
