package tiered

import (
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// examine takes jobs to the foreground: those that wait and those that run in the background, in the order of
// submission (steps 1 and 2 of Algorithm 1).
func (d *decision) examine() {
	if d.idle == 0 && !d.Explains {
		return
	}
	others := d.others
	for j := range d.view.Waiting(d.widest) {
		for len(others) > 0 && d.held[others[0]].job.ID < j.ID {
			if !d.consider(&d.held[others[0]]) {
				return
			}
			others = others[1:]
		}
		if !d.consider(&holder{job: j}) {
			return
		}
	}
	for _, i := range others {
		if !d.consider(&d.held[i]) {
			return
		}
	}
}

// starves reports whether the first in line may wait for the memory of background jobs: enough nodes are idle for it,
// but perhaps not every background job can be paused.
func (d *decision) starves() bool {
	if d.idle == 0 || d.room() >= d.memory {
		return false
	}
	var first *cluster.Job
	for j := range d.view.Waiting(func() int { return d.open }) {
		if d.lines(j) {
			first = j
			break
		}
	}
	for _, i := range d.others {
		if j := d.held[i].job; d.lines(j) && (first == nil || j.ID < first.ID) {
			return j.Live() <= d.idle && !d.stays(j)
		}
	}
	return first != nil && first.Live() <= d.idle
}

// lines reports whether the job is in line for the foreground. One with more tasks than there are nodes delays nobody.
func (d *decision) lines(j *cluster.Job) bool {
	return j.Live() <= d.open && j.Spec.Class != cluster.BackgroundClass && d.view.Candidate(j) && !d.Refused(j.ID)
}

// widest returns the greatest number of tasks of a job that is worth examining.
func (d *decision) widest() int {
	if d.head != 0 && !d.Explains {
		return d.idle
	}
	return math.MaxInt
}

// consider takes the job to the foreground, or makes it the head of those that have to wait. It reports whether later
// jobs are worth examining.
func (d *decision) consider(h *holder) bool {
	j := h.job
	if d.idle == 0 && d.head != 0 && !d.Explains {
		return false
	}
	if !d.view.Candidate(j) || d.Refused(j.ID) {
		return true
	}
	if j.Spec.Class == cluster.BackgroundClass {
		if h.placement == nil {
			d.Explain(j, d.noFree(), 0, int64(j.Live()))
		}
		return true
	}
	r := d.request(j)
	switch {
	case d.head != 0:
		if r.tasks > d.idle || !d.deploy(h, &r) {
			d.explainWait(h, &r, r.tasks)
		}
	case r.tasks <= d.idle && d.deploy(h, &r):
	default:
		able := d.reserve(h, &r)
		d.explainWait(h, &r, able)
	}
	return true
}

// deploy takes a job to the foreground if that does not delay the head, and reports whether it did (function Deploy of
// Algorithm 2).
func (d *decision) deploy(h *holder, r *request) bool {
	if h.placement == nil {
		return d.dispatch(h, r, d.picks(r))
	}
	if h.placement.Tier == cluster.Background && !h.leaving {
		if p := d.within(h.placement, r, cluster.Foreground); p != nil {
			return d.dispatch(h, r, p)
		}
	}
	if d.stays(r.Job) && !h.leaving || d.view.Stuck(r.Job) {
		return false
	}
	d.count(r.Job, h.placement, -1)
	p := d.picks(r)
	d.count(r.Job, h.placement, 1)
	return d.dispatch(h, r, p)
}

// stays reports whether a job in the background goes to the foreground only where it is. Under KEASY a job that must
// not run twice does: an earlier policy may have sent it to the background.
func (d *decision) stays(j *cluster.Job) bool {
	return d.way == stay || d.way == kill && j.Spec.FailOnLoss
}

// picks returns foreground places for the job, or nil.
func (d *decision) picks(r *request) *cluster.Placement {
	if d.booked && d.exact && !d.punctual(r, r.tasks) {
		return nil
	}
	return d.pick(r, cluster.Foreground)
}

// dispatch gives the job the placement in the foreground unless that delays the head. It reports whether it did.
func (d *decision) dispatch(h *holder, r *request, p *cluster.Placement) bool {
	if p == nil {
		return false
	}
	reserved := 0
	for i := range p.Nodes {
		if d.sites[d.at(p, i)].promised {
			reserved++
		}
	}
	if d.booked && reserved > 0 && !d.punctual(r, reserved) {
		return false
	}
	d.move(h, r, p)
	end := calendar.After(d.now, r.lasts)
	if d.ends = append(d.ends, ending{end, r.ID, p}); d.booked && reserved > 0 {
		d.when.BookAny(d.now, end, reserved)
	}
	return true
}

// punctual reports whether a job that takes so many nodes from now on leaves the head its reservation: it ends by the
// shadow time, or uses extra nodes only.
func (d *decision) punctual(r *request, nodes int) bool {
	return d.when.Least(d.now, calendar.After(d.now, r.lasts)) >= nodes
}

// move gives a job another placement, or its first, and explains it.
func (d *decision) move(h *holder, r *request, p *cluster.Placement) {
	if h.placement != nil {
		d.count(r.Job, h.placement, -1)
	}
	code := cluster.WhyForeground
	switch {
	case p.Tier == cluster.Background:
		code = cluster.WhyBackground
	case h.placement == nil:
		code = cluster.WhyPlaced
	case slices.Equal(h.placement.Live().Nodes, p.Nodes): // on the same processors, or others of the same nodes
	case d.way == kill && h.placement.Tier == cluster.Background && !h.leaving:
		code = cluster.WhyStartsAnew
		d.kills = append(d.kills, r.ID)
	default:
		code = cluster.WhyMovedUp
	}
	if code != cluster.WhyForeground {
		d.makeRoom(p.Nodes, r)
	}
	d.count(r.Job, p, 1)
	d.Hold(r.ID, p)
	h.placement, h.leaving = p, false
	d.Explain(r.Job, code, 1000)
}

// makeRoom pauses background jobs of nodes that lack the memory for the tasks of the job. place has made sure that it
// can be done.
func (d *decision) makeRoom(nodes []cluster.NodeID, r *request) {
	for i, n := range nodes {
		memory := r.charge
		for _, earlier := range nodes[:i] {
			if d.slotted && earlier == n {
				memory += r.charge
			}
		}
		d.evict(n, r, memory)
	}
}
