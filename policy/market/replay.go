package market

import "fmt"

// Check judges a plan on queried slots without the code that made it: the tasks reserve their places in HEFT order, and
// each pays the delay that it causes to the queue, which is planned again from nothing, by conservative backfilling.
func (q *Queried) Check(p Plan) error {
	held := make([]replay, len(q.Sites))
	for r, s := range q.Sites {
		held[r] = replay{s, append(append([]Lease{}, s.Running...), s.Reservations...)}
	}
	var cost Price
	for _, i := range q.order(q.ranks(len(q.Sites))) {
		t, place := q.Tasks[i], p.Places[i]
		r := &held[place.Site]
		if !r.fits(r.leases, place.Start, t.Run, t.Procs) {
			return fmt.Errorf("task %s does not fit site %d at %d", t.Name, place.Site, place.Start)
		}
		before := r.starts()
		r.leases = append(r.leases, Lease{t.Procs, place.Start, place.Start + t.Run})
		var delay Price
		for k, after := range r.starts() {
			delay += Price(max(0, after-before[k])) * Price(r.site.Queue[k].Procs)
		}
		if delay != place.Delay {
			return fmt.Errorf("task %s delays others by %d, not %d", t.Name, delay, place.Delay)
		}
		cost += Price(t.Procs)*Price(t.Run) + delay
	}
	if cost != p.Cost {
		return fmt.Errorf("the plan costs %d, not %d", cost, p.Cost)
	}
	return q.Workflow.check(p)
}

// replay is a site with all that it has leased.
type replay struct {
	site   Site
	leases []Lease
}

// starts plans the queue: each job at 0 or at the end of another, as soon as it fits.
func (r *replay) starts() (starts []Time) {
	leases := append([]Lease{}, r.leases...)
	for _, j := range r.site.Queue {
		start := Ever
		for _, l := range append([]Lease{{}}, leases...) {
			if l.End < start && r.fits(leases, l.End, j.Run, j.Procs) {
				start = l.End
			}
		}
		starts = append(starts, start)
		leases = append(leases, Lease{j.Procs, start, start + j.Run})
	}
	return starts
}

// fits reports whether processors are free at a start and wherever a lease begins in the interval.
func (r *replay) fits(leases []Lease, start, d Time, procs int) bool {
	free := func(at Time) bool {
		n := procs
		for _, l := range leases {
			if l.Start <= at && at < l.End {
				n += l.Procs
			}
		}
		return n <= r.site.Procs
	}
	for _, l := range leases {
		if start < l.Start && l.Start < start+d && !free(l.Start) {
			return false
		}
	}
	return start >= 0 && free(start)
}
