package backfill

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// release is the nodes that a job will give back, and when it is expected to.
type release struct {
	at    cluster.Time
	nodes []cluster.NodeID
}

// promise finds a start for the jobs that are promised one, in the order of submission: the
// earliest that delays nobody who was promised one before. It returns the last of them.
func (d *decision) promise() (at cluster.Time) {
	for _, j := range d.blocked {
		if !d.booked {
			d.foresee()
		}
		r := d.request(j)
		at = d.reserve(&r)
	}
	d.blocked = d.blocked[:0]
	return at
}

// foresee makes the profiles of all classes from what those who hold nodes say about their ends.
func (d *decision) foresee() {
	d.divide()
	for _, h := range d.held {
		if h.placement != nil {
			end := ends(d.view.Job(h.id), h.placement.CPU, d.now)
			d.releases = append(d.releases, release{end, h.placement.Nodes})
		}
	}
	for _, h := range d.started {
		d.releases = append(d.releases, release{h.end, h.placement.Nodes})
	}
	slices.SortFunc(d.releases, func(a, b release) int { return cmp.Compare(a.at, b.at) })
	for c := range d.classes {
		d.classes[c].profile.reset(d.now, d.classes[c].free)
	}
	for n := range d.sites {
		d.sites[n].left = d.sites[n].tasks
	}
	for _, r := range d.releases {
		for _, n := range r.nodes {
			d.release(n, r.at)
		}
	}
	d.releases, d.booked = d.releases[:0], true
}

// release takes a task off its node; when it is the last of them, the node is free from then on.
func (d *decision) release(n cluster.NodeID, at cluster.Time) {
	s := &d.sites[n]
	if s.left--; s.left == 0 && s.class != outside && n != 0 && at != never {
		d.classes[s.class].profile.release(at)
	}
}

// divide makes classes of nodes that are all the same to each job that is, or may be, promised a start.
func (d *decision) divide() {
	if d.promises == 1 {
		d.divideFor(d.blocked[0])
		return
	}
	for j := range d.view.Candidates() {
		if d.target.Get(j.ID) == nil {
			d.divideFor(j)
		}
	}
}

func (d *decision) divideFor(j *cluster.Job) {
	if r := d.request(j); r.allows != nil {
		d.refine(r.allows)
	}
}

// reserve books what the job is promised, and returns its start; never: there is none.
func (d *decision) reserve(r *request) cluster.Time {
	at, share := d.slot(r)
	if at == never {
		return never
	}
	left, lasts := r.tasks, d.lasts(r, share)
	for _, c := range d.order {
		if nodes := min(left, d.roomAt(r, c, at, lasts)); nodes > 0 {
			d.classes[c].profile.book(at, after(at, lasts), nodes)
			left -= nodes
		}
	}
	return at
}

// slot is the earliest start of the job that the promises leave, and the share it has then.
func (d *decision) slot(r *request) (cluster.Time, cluster.CPU) {
	if len(d.order) == 1 {
		share := d.useful(r, 0)
		return d.classes[d.order[0]].profile.earliest(d.now, d.lasts(r, share), r.tasks), share
	}
	for at := d.now; at != never; at = d.nextStep(at) {
		share := d.share(r, func(c int, lasts cluster.Time) int { return d.roomAt(r, c, at, lasts) })
		if share > 0 {
			return at, share
		}
	}
	return never, 0
}

// nextStep is the next time after at when the number of free nodes changes.
func (d *decision) nextStep(at cluster.Time) cluster.Time {
	first := never
	for _, c := range d.order {
		first = min(first, d.classes[c].profile.after(at))
	}
	return first
}
