package backfill

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// request is the demand of a waiting job.
type request struct {
	*cluster.Job
	tasks  int // tasks that have not ended
	charge cluster.Bytes
	least  cluster.CPU              // smallest share of a task
	work   cluster.Time             // remaining work, as time at full speed; never: unknown
	allows func(*cluster.Node) bool // nil: every node that takes new tasks and is large enough
}

func (d *decision) request(j *cluster.Job) request {
	r := request{Job: j, charge: d.view.Charge(j.Spec), least: j.Spec.MinShare(), work: never}
	if takes := d.view.Forecast(j).Processing; takes > 0 {
		r.work = max(next, takes-j.Clock.Virtual)
	}
	choosy := j.Spec.Choosy()
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase != cluster.Done {
			r.tasks++
		}
		choosy = choosy || t.Platform != "" || t.Avoid != 0 || t.Present()
	}
	if choosy {
		r.allows = d.view.Allowing(j)
	}
	return r
}

// suits reports whether a node with that offer could take a task.
func (r *request) suits(o cluster.Offer) bool { return o.Memory >= r.charge && o.CPU >= r.least }

// may reports whether a task may be placed on the node from a time on.
func (d *decision) may(r *request, s *site, at cluster.Time) bool {
	return s.node != nil && s.class != outside && r.suits(d.classes[s.class].offer(at)) && (r.allows == nil ||
		r.allows(s.node))
}

// able returns the number of nodes that could take a task of the job if no job held them.
func (d *decision) able(r *request) (count int) {
	if d.packs {
		return d.tally(func(p *place) int { return d.fitsEver(r, p) })
	}
	for c := range d.classes {
		if k := &d.classes[c]; r.allows == nil && r.suits(k.later) {
			count += k.nodes
		}
	}
	if r.allows != nil {
		for n := range d.sites {
			if d.may(r, &d.sites[n], never) {
				count++
			}
		}
	}
	return count
}

// ready returns the number of nodes that could take a task of the job now, regardless of promises.
func (d *decision) ready(r *request) (count int) {
	if d.packs {
		return d.tally(func(p *place) int { return d.fitsNow(r, p) })
	}
	for c := range d.classes {
		count += d.vacant(r, c)
	}
	return count
}

// vacant returns the number of free nodes of the class that the job may use.
func (d *decision) vacant(r *request, c int) (count int) {
	k := &d.classes[c]
	if k.free == 0 || !r.suits(k.Offer) {
		return 0
	}
	if r.allows == nil {
		return k.free
	}
	for n := range d.sites {
		if s := &d.sites[n]; s.class == c && s.tasks == 0 && d.may(r, s, d.now) {
			count++
		}
	}
	return count
}

// room returns the number of nodes of the class that the job can use from now on for as long as it lasts.
func (d *decision) room(r *request, c int, lasts cluster.Time) int {
	count := d.vacant(r, c)
	if count > 0 && d.booked {
		count = min(count, d.classes[c].calendar.Least(d.now, calendar.After(d.now, lasts)))
	}
	return count
}

// roomAt returns the number of nodes of the class that the job can use from at on without breaking a promise. The
// class must have been refined by the job.
func (d *decision) roomAt(r *request, c int, at, lasts cluster.Time) int {
	k := &d.classes[c]
	if !r.suits(k.offer(at)) || r.allows != nil && !r.allows(k.some) {
		return 0
	}
	return k.calendar.Least(at, calendar.After(at, lasts))
}

// lasts returns the expected length of the job with that share. A job that overtakes may count as endless.
func (d *decision) lasts(r *request, share cluster.CPU) cluster.Time {
	if d.booked && d.endless {
		return never
	}
	return lasting(r.work, r.Spec.Need, share, r.Clock.Remainder)
}

// share returns the greatest share that all tasks of the job can have from a time on, given the room in each class for
// the resulting length of the job; 0: there is not enough room. The most useful nodes come first: see prefer.
func (d *decision) share(r *request, at cluster.Time, room func(class int, lasts cluster.Time) int) cluster.CPU {
	for i := 0; i < len(d.order); {
		share := d.useful(r, i, at)
		if share < r.least {
			break
		}
		i = d.level(r, i, at)
		count, lasts := 0, d.lasts(r, share)
		for _, c := range d.order[:i] {
			count += room(c, lasts)
		}
		if count >= r.tasks {
			return share
		}
	}
	return 0
}

// useful returns the share that a task of the job could have from a time on, on a node of the class of that rank.
func (d *decision) useful(r *request, rank int, at cluster.Time) cluster.CPU {
	return d.classes[d.order[rank]].gives(r.Spec, at)
}

// gives returns the share that a task of the spec could have from a time on, on a node of the kind of its own.
func (k *kind) gives(s *cluster.Spec, at cluster.Time) cluster.CPU {
	return min(k.speed.Ceiling(s.Need), k.offer(at).CPU)
}

// prefer puts the classes first that are most useful to the job from a time on, of equals the largest. Without slow
// nodes and promises in force, these are the same for all jobs.
func (d *decision) prefer(r *request, at cluster.Time) {
	if !d.slow && len(d.kept) == 0 {
		return
	}
	slices.SortFunc(d.order, func(a, b int) int {
		x, y := &d.classes[a], &d.classes[b]
		return cmp.Or(cmp.Compare(y.gives(r.Spec, at), x.gives(r.Spec, at)), cmp.Compare(y.CPU, x.CPU), cmp.Compare(a, b))
	})
}

// level returns the rank of the first class behind the given one that is less useful to the job from a time on.
func (d *decision) level(r *request, rank int, at cluster.Time) int {
	end := rank + 1
	for end < len(d.order) && d.useful(r, end, at) == d.useful(r, rank, at) {
		end++
	}
	return end
}
