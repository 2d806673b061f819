package backfill

import (
	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// start places the job if that delays no promised start. It reports whether it did.
func (d *decision) start(r *request) bool {
	if r.tasks > d.free || d.ready(r) < r.tasks {
		return false
	}
	d.promise()
	p := d.place(r)
	if p == nil {
		return false
	}
	d.Hold(r.ID, p)
	d.count(r.Job, p, 1)
	if !d.booked {
		d.started = append(d.started, holder{id: r.ID, placement: p, end: calendar.After(d.now, d.lasts(r, p.Cap))})
	}
	d.Explain(r.Job, cluster.WhyPlaced, int64(p.Cap*1000/r.Spec.Need))
	return true
}

// place finds and books room for all tasks of a job that can start now; nil: there is not enough.
func (d *decision) place(r *request) *cluster.Placement {
	if d.packs {
		return d.placeOnCores(r)
	}
	d.prefer(r, d.now)
	share := d.share(r, d.now, func(c int, lasts cluster.Time) int { return d.room(r, c, lasts) })
	if share == 0 {
		return nil
	}
	return &cluster.Placement{Grant: cluster.Foreground.Grant(share), Nodes: d.choose(r, d.lasts(r, share))}
}

// choose returns a node for each task, the fastest first, ties by id. Of each class it takes, and books for as long
// as the job lasts, at most as many as there is room for.
func (d *decision) choose(r *request, lasts cluster.Time) []cluster.NodeID {
	nodes := make([]cluster.NodeID, 0, r.tasks)
	for first := 0; len(nodes) < r.tasks; {
		level := d.order[first:d.level(r, first, d.now)]
		for _, c := range level {
			d.classes[c].quota = d.room(r, c, lasts)
		}
		nodes = d.draw(r, nodes)
		for _, c := range level {
			k := &d.classes[c]
			if d.booked && k.drawn > 0 {
				k.calendar.BookAny(d.now, calendar.After(d.now, lasts), k.drawn)
			}
			k.quota, k.drawn = 0, 0
		}
		first += len(level)
	}
	return nodes
}

// draw appends free nodes of the classes that have a quota until every task has one.
func (d *decision) draw(r *request, nodes []cluster.NodeID) []cluster.NodeID {
	for n := range d.sites {
		s := &d.sites[n]
		if len(nodes) == r.tasks {
			break
		}
		if s.tasks > 0 || !d.may(r, s, d.now) {
			continue
		}
		if k := &d.classes[s.class]; k.drawn < k.quota {
			k.drawn++
			nodes = append(nodes, cluster.NodeID(n))
		}
	}
	return nodes
}
