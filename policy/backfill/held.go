package backfill

import (
	"slices"

	"aliquot/cluster"
)

// relieve takes jobs off their nodes if they have to leave one of them and can be paused.
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
			d.Hold(h.id, nil)
			h.placement = nil
		} else {
			h.leaving = true
			d.leave(h.placement)
		}
	}
}

// leave marks the nodes of a job that has to leave one of them.
func (d *decision) leave(p *cluster.Placement) {
	for _, n := range p.Nodes {
		d.sites[n].leaving = true
	}
}

// adjust updates the shares of jobs that stay, to match the CPU that their nodes offer now. A job that shares a node
// with others under a previous policy keeps its share until it is alone. If the policy itself puts several jobs on a
// node, the job keeps its share only while a neighbour has to leave.
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
		if !d.steady(j, nodes) {
			continue
		}
		if share := d.proportion(j, nodes); p.Grant != cluster.Foreground.Grant(share) {
			h.placement = &cluster.Placement{Grant: cluster.Foreground.Grant(share), Nodes: nodes}
			d.Hold(h.id, h.placement)
		}
	}
}

// steady reports whether the shares on the job's nodes may become what the needs of the tasks there say.
func (d *decision) steady(j *cluster.Job, nodes []cluster.NodeID) bool {
	if d.packs {
		return !slices.ContainsFunc(nodes, func(n cluster.NodeID) bool { return d.sites[n].leaving })
	}
	return d.alone(j, nodes)
}

// alone reports whether no other job has a task on any of the job's nodes.
func (d *decision) alone(j *cluster.Job, nodes []cluster.NodeID) bool {
	own := map[cluster.NodeID]int{}
	for _, n := range nodes {
		own[n]++
	}
	return !slices.ContainsFunc(nodes, func(n cluster.NodeID) bool { return d.sites[n].tasks > own[n] })
}

// proportion returns the share of every task of the job if each node divides its CPU in proportion to the needs of
// all its tasks: no more than a task can use there.
func (d *decision) proportion(j *cluster.Job, nodes []cluster.NodeID) cluster.CPU {
	share := j.Spec.Need
	for _, n := range nodes {
		s := &d.sites[n]
		if share = min(share, s.node.Ceiling(j.Spec)); s.need > s.node.Capacity().CPU {
			share = min(share, j.Spec.Need*s.node.Capacity().CPU/s.need)
		}
	}
	return max(share, j.Spec.MinShare())
}
