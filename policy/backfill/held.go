package backfill

import (
	"slices"

	"aliquot/cluster"
)

// relieve takes the nodes away from jobs that are to leave one of them, unless they cannot be paused.
func (d *decision) relieve() {
	if !d.departs {
		return
	}
	spare := d.view.Spare()
	for i := range d.held {
		h := &d.held[i]
		if d.view.Mapped(h.id) != nil {
			continue
		}
		j := d.view.Job(h.id)
		if saves := d.view.Saving(j); saves == 0 || saves <= spare {
			spare -= saves
			d.count(j, h.placement, -1)
			d.hold(h.id, nil)
			h.placement = nil
		} else {
			h.leaving = true
		}
	}
}

// adjust gives jobs that stay on their nodes what these offer now. A job that another policy
// left with neighbours keeps its share until it is alone.
func (d *decision) adjust() {
	if !d.irregular {
		return
	}
	for i := range d.held {
		h := &d.held[i]
		if h.placement == nil || h.leaving {
			continue
		}
		j, p := d.view.Job(h.id), h.placement
		nodes := slices.DeleteFunc(slices.Clone(p.Nodes), func(n cluster.NodeID) bool { return n == 0 })
		if !d.alone(j, nodes) {
			continue
		}
		if share := d.exclusive(j, nodes); share != p.CPU || p.Tier != cluster.Foreground {
			h.placement = &cluster.Placement{CPU: share, Nodes: nodes}
			d.hold(h.id, h.placement)
		}
	}
}

// alone tells whether nobody else has a task on any of the job's nodes.
func (d *decision) alone(j *cluster.Job, nodes []cluster.NodeID) bool {
	own := map[cluster.NodeID]int{}
	for _, n := range nodes {
		own[n]++
	}
	return !slices.ContainsFunc(nodes, func(n cluster.NodeID) bool { return d.sites[n].tasks > own[n] })
}

// exclusive is what every task of the job can have on nodes that nobody else holds.
func (d *decision) exclusive(j *cluster.Job, nodes []cluster.NodeID) cluster.CPU {
	share := j.Spec.Need
	for _, n := range nodes {
		if s := &d.sites[n]; s.need > s.node.Capacity().CPU {
			share = min(share, j.Spec.Need*s.node.Capacity().CPU/s.need)
		}
	}
	return max(share, j.Spec.MinShare())
}

// hold makes the placement the job's target; nil takes the present one away.
func (d *decision) hold(id cluster.JobID, p *cluster.Placement) {
	if !d.cloned {
		d.target, d.cloned = d.target.Clone(), true
	}
	if p == nil {
		d.target.Delete(id)
	} else {
		d.target.Set(id, p)
	}
}
