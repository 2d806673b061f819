package backfill

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// release is the placement that a job gives back at its expected end.
type release struct {
	at        cluster.Time
	job       *cluster.Job
	placement *cluster.Placement
}

// promise finds a start for each blocked job, in the order of submission: the earliest that delays no earlier
// promise. It returns the last of these starts.
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

// foresee builds the calendars from the expected ends of the jobs that hold nodes.
func (d *decision) foresee() {
	for _, h := range d.held {
		if h.placement != nil {
			j := d.view.Job(h.id)
			end := ends(j, d.view.Forecast(j).Processing, h.placement.Cap, d.now)
			d.releases = append(d.releases, release{end, j, h.placement})
		}
	}
	if d.packs { // other kinds of nodes are all there from the end of the promises on: see kind
		for _, h := range d.kept {
			d.releases = append(d.releases, release{h.end, d.view.Job(h.id), h.placement})
		}
	}
	for _, h := range d.started {
		d.releases = append(d.releases, release{h.end, d.view.Job(h.id), h.placement})
	}
	slices.SortFunc(d.releases, func(a, b release) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.job.ID, b.job.ID))
	})
	if d.packs {
		d.foreseeCores()
	} else {
		d.divide()
		d.foreseeNodes()
	}
	d.booked = true
}

// foreseeNodes builds the calendars of all classes from the releases, which are ordered by time.
func (d *decision) foreseeNodes() {
	for c := range d.classes {
		k := &d.classes[c]
		k.steps = append(k.steps[:0], calendar.Step{At: d.now, Free: k.free})
	}
	for n := range d.sites {
		d.sites[n].left = d.sites[n].tasks
	}
	for _, r := range d.releases {
		for _, n := range r.placement.Nodes {
			d.release(n, r.at)
		}
	}
	for c := range d.classes {
		d.classes[c].calendar.Load(d.classes[c].steps)
	}
}

// release takes a task off its node. The last task to leave makes the node free from then on.
func (d *decision) release(n cluster.NodeID, at cluster.Time) {
	s := &d.sites[n]
	if s.left--; s.left > 0 || s.class == outside || n == 0 || at == never {
		return
	}
	k := &d.classes[s.class]
	if last := &k.steps[len(k.steps)-1]; last.At == at {
		last.Free++
	} else {
		k.steps = append(k.steps, calendar.Step{At: at, Free: last.Free + 1})
	}
}

// divide splits the classes until all nodes of a class are alike to each job that may be promised a start.
func (d *decision) divide() {
	if d.promises == 1 {
		d.divideFor(d.blocked[0])
		return
	}
	for j := range d.view.Candidates() {
		if d.Target.Get(j.ID) == nil {
			d.divideFor(j)
		}
	}
}

func (d *decision) divideFor(j *cluster.Job) {
	if r := d.request(j); r.allows != nil {
		d.refine(r.allows)
	}
}

// reserve books the promised nodes of the job and returns its start, or never.
func (d *decision) reserve(r *request) cluster.Time {
	if d.packs {
		return d.reserveCores(r)
	}
	at, share := d.slot(r)
	if at == never {
		return never
	}
	left, lasts := r.tasks, d.lasts(r, share)
	for _, c := range d.order {
		if nodes := min(left, d.roomAt(r, c, at, lasts)); nodes > 0 {
			d.classes[c].calendar.BookAny(at, calendar.After(at, lasts), nodes)
			left -= nodes
		}
	}
	return at
}

// slot returns the earliest start of the job that respects the promises, and its share from then on.
func (d *decision) slot(r *request) (cluster.Time, cluster.CPU) {
	if len(d.order) == 1 && len(d.kept) == 0 {
		share := d.useful(r, 0, d.now)
		return d.classes[d.order[0]].calendar.EarliestAny(d.now, d.lasts(r, share), r.tasks), share
	}
	for at := d.now; at != never; at = d.nextStep(at) {
		d.prefer(r, at)
		share := d.share(r, at, func(c int, lasts cluster.Time) int { return d.roomAt(r, c, at, lasts) })
		if share > 0 {
			return at, share
		}
	}
	return never, 0
}

// nextStep returns the next time after at when the number of free nodes, or what they offer, changes.
func (d *decision) nextStep(at cluster.Time) cluster.Time {
	first := never
	for _, c := range d.order {
		k := &d.classes[c]
		if first = min(first, k.calendar.Next(at)); at < k.until {
			first = min(first, k.until)
		}
	}
	return first
}
