package tiered

import (
	"slices"

	"aliquot/cluster"
)

// relieve takes jobs off their nodes if they have to leave one of them and can be paused. The others leave it once they
// find other nodes.
func (d *decision) relieve() {
	if !d.departs {
		return
	}
	d.others = d.others[:0]
	for i := range d.held {
		h := &d.held[i]
		if d.view.Mapped(h.job.ID) == nil {
			if h.leaving = !d.pausable(h.job); !h.leaving {
				d.pause(h)
			}
		}
		if h.leaving || h.placement == nil || h.placement.Tier == cluster.Background {
			d.others = append(d.others, i)
		}
	}
}

// pausable reports whether the job may lose its nodes and keep its work, and takes the space of the store for that.
func (d *decision) pausable(j *cluster.Job) bool {
	saves := d.view.Saving(j)
	if saves > 0 && !d.spares {
		d.spare, d.spares = d.view.Spare(), true
	}
	if saves > 0 && saves > d.spare {
		return false
	}
	d.spare -= saves
	return true
}

// pause takes a job off its nodes.
func (d *decision) pause(h *holder) {
	d.count(h.job, h.placement, -1)
	d.Hold(h.job.ID, nil)
	h.placement = nil
}

// adjust gives jobs that an earlier policy left with less than their need all of it, where their nodes have it.
func (d *decision) adjust() {
	for i := range d.held {
		h := &d.held[i]
		if h.placement == nil || h.leaving || h.placement.Grant == d.grant(h.placement, h.placement.Tier, h.job) {
			continue
		}
		p := d.again(h.placement, h.placement.Tier, h.job)
		if more := p.Guaranteed - h.placement.Guaranteed; d.have(p, more) {
			d.count(h.job, h.placement, -1)
			d.count(h.job, p, 1)
			d.Hold(h.job.ID, p)
			h.placement, h.before = p, p
		}
	}
}

// have reports whether all nodes of the placement can guarantee so much more for each of its tasks.
func (d *decision) have(p *cluster.Placement, more cluster.CPU) bool {
	wanted := map[cluster.NodeID]cluster.CPU{}
	for _, n := range p.Nodes {
		wanted[n] += more
	}
	return !slices.ContainsFunc(p.Nodes, func(n cluster.NodeID) bool {
		has := &d.rooms[n]
		return has.sure+wanted[n] > has.offer.CPU
	})
}

// afford drops candidates where memory must be freed for the job, but the store has no room for more paused jobs once
// those on earlier candidates are paused. Others would be picked, but could not be freed.
func (d *decision) afford(r *request) {
	if !slices.ContainsFunc(d.ranks, func(k rank) bool { return k.short }) {
		return
	}
	v := victims{left: d.room()}
	d.ranks = slices.DeleteFunc(d.ranks, func(k rank) bool { return k.short && !d.frees(k.node, r, &v) })
}

// victims are background jobs to be paused for one foreground job.
type victims struct {
	jobs []cluster.JobID
	left cluster.Bytes // of the store
}

// frees reports whether the background jobs on the node can be paused, too, and adds them to the victims.
func (d *decision) frees(n cluster.NodeID, r *request, v *victims) bool {
	jobs, left := v.jobs, v.left
	for _, i := range d.others {
		h := &d.held[i]
		if !h.on(n) || h.job.ID == r.ID || slices.Contains(jobs, h.job.ID) {
			continue
		}
		saves := d.view.Saving(h.job)
		if d.view.Stuck(h.job) || saves > max(0, left) {
			return false
		}
		jobs, left = append(jobs, h.job.ID), left-saves
	}
	*v = victims{jobs, left}
	return true
}

// room returns the space of the store that nothing in this decision has taken.
func (d *decision) room() cluster.Bytes {
	if !d.spares {
		d.spare, d.spares = d.view.Spare(), true
	}
	return d.spare
}

// on reports whether the job has a background task on the node.
func (h *holder) on(n cluster.NodeID) bool {
	return h.placement != nil && h.placement.Tier == cluster.Background && slices.Contains(h.placement.Nodes, n)
}

// evict pauses background jobs on the node until it has that memory for the foreground job.
func (d *decision) evict(n cluster.NodeID, r *request, memory cluster.Bytes) {
	for _, i := range d.others {
		if !d.rooms[n].short(memory) {
			return
		}
		if h := &d.held[i]; h.on(n) && h.job.ID != r.ID && d.pausable(h.job) {
			d.pause(h)
			d.evicted = append(d.evicted, h.job.ID)
			d.Explain(h.job, cluster.WhyMadeWay, int64(r.ID))
		}
	}
}
