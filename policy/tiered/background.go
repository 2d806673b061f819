package tiered

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// sink sends waiting jobs to the background, the shortest first; a job for which there are not enough places is passed
// over (step 3 of Algorithm 1).
func (d *decision) sink() {
	room := d.eligible()
	if room == 0 {
		return
	}
	d.queue = d.queue[:0]
	for j := range d.view.Waiting(func() int { return room }) {
		if d.Target.Get(j.ID) == nil && d.view.Candidate(j) && d.sinks(j) {
			d.queue = append(d.queue, d.request(j))
		}
	}
	for _, i := range d.others {
		h := &d.held[i]
		if h.placement == nil && !slices.Contains(d.evicted, h.job.ID) && d.sinks(h.job) {
			d.queue = append(d.queue, d.request(h.job))
		}
	}
	slices.SortFunc(d.queue, func(a, b request) int {
		return cmp.Or(cmp.Compare(a.lasts, b.lasts), cmp.Compare(a.ID, b.ID))
	})
	for i := range d.queue {
		r := &d.queue[i]
		if r.tasks > room {
			continue
		}
		if p := d.pick(r, cluster.Background); p != nil {
			d.move(&holder{job: r.Job}, r, p)
			room -= r.tasks
		}
	}
}

// sinks reports whether the job may be in the background. A job that must not run twice is not sent where it may be
// killed.
func (d *decision) sinks(j *cluster.Job) bool {
	return j.Spec.Sinks() && !d.Refused(j.ID) &&
		(d.way != kill || !j.Spec.FailOnLoss || j.Spec.Class == cluster.BackgroundClass)
}

// eligible counts the processors that take a background task.
func (d *decision) eligible() (count int) {
	for n := range d.sites {
		if s := &d.sites[n]; s.open && s.tasks[cluster.Background] == 0 && d.hosts(s) {
			count++
		}
	}
	return count
}
