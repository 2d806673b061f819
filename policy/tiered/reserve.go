package tiered

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// reserve makes the job the head: it is promised nodes from its shadow time on. A job that the open nodes could not
// take even if they were free is passed over. It returns how many of its tasks they could take.
func (d *decision) reserve(h *holder, r *request) (able int) {
	able = d.able(r)
	if able < r.tasks {
		for n := range d.sites {
			d.sites[n].promised = false
		}
		return able
	}
	d.head, d.exact = r.ID, able == d.open
	free, shadow := d.foresee(), calendar.Never
	if d.stays(r.Job) && h.placement != nil && h.placement.Tier == cluster.Background {
		shadow = d.pinned(h, r, free)
	} else {
		d.when.Load(d.steps)
		shadow = d.when.EarliestAny(d.now, calendar.Never, r.tasks)
	}
	if d.shadow = shadow; shadow != calendar.Never {
		d.when.BookAny(shadow, calendar.Never, r.tasks)
		d.booked = true
	}
	return able
}

// able marks the processors that could take a task of the job in the foreground if no job held them, and counts the
// tasks that their nodes could take.
func (d *decision) able(r *request) (count int) {
	for n := range d.sites {
		s := &d.sites[n]
		s.promised = s.open && s.suffices(r.Job) && (r.allows == nil || r.allows(s.node))
		if !s.promised {
			continue
		}
		has := &d.rooms[s.node.ID]
		if s.core <= 1 { // the first of its node
			has.places, has.free = 0, 0
		}
		if has.places < fitting(r.Job, r.charge, s.node, has.offer.Memory) {
			has.places++
			count++
		}
	}
	return count
}

// fitting returns how many tasks of the job the node's processors take at most, if it has so much memory.
func fitting(j *cluster.Job, charge cluster.Bytes, n *cluster.Node, memory cluster.Bytes) int {
	slots := n.Description.Slots()
	if j.Spec.Placement.Spread {
		slots = 1
	}
	if slots == 1 && charge <= memory {
		return 1
	}
	return min(slots, int(memory/charge))
}

// foresee lists when places that may serve the head become free in the foreground, and returns how many are free now.
func (d *decision) foresee() (free int) {
	for n := range d.sites {
		s := &d.sites[n]
		if s.left = s.tasks[cluster.Foreground]; s.promised && s.left == 0 {
			free += d.vacate(s)
		}
	}
	d.expect()
	slices.SortFunc(d.ends, func(a, b ending) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.job, b.job)) })
	d.steps = append(d.steps[:0], calendar.Step{At: d.now, Free: free})
	for _, e := range d.ends {
		d.release(e)
	}
	return free
}

// vacate counts a processor as free, and returns the number of places that this gives to the head: none if the node has
// no memory for a task on yet another processor.
func (d *decision) vacate(s *site) int {
	has := &d.rooms[s.node.ID]
	if has.free++; has.free > has.places {
		return 0
	}
	return 1
}

// expect adds the expected ends of the jobs that were in the foreground before.
func (d *decision) expect() {
	for _, h := range d.held {
		if p := h.placement; p != nil && p.Tier == cluster.Foreground && p == h.before {
			d.ends = append(d.ends, ending{d.termination(h.job), h.job.ID, p})
		}
	}
}

// termination returns the predicted end of a foreground job: its estimate after it came to the foreground, whatever it
// did in the background. A job that is past it counts as ending in the next instant.
func (d *decision) termination(j *cluster.Job) cluster.Time {
	return max(d.now+next, calendar.After(j.Foreground, d.view.Forecast(j).Processing))
}

// release frees the processors of a foreground placement. The last task to leave makes one free.
func (d *decision) release(e ending) {
	if e.at == calendar.Never {
		return
	}
	for i := range d.places(e.placement) {
		s := &d.sites[i]
		if !s.promised {
			continue
		}
		if s.left--; s.left > 0 || d.vacate(s) == 0 {
			continue
		}
		if last := &d.steps[len(d.steps)-1]; last.At == e.at {
			last.Free++
		} else {
			d.steps = append(d.steps, calendar.Step{At: e.at, Free: last.Free + 1})
		}
	}
}

// pinned loads the reservation of a head that stays where it is (Algorithm 3, lines 14 to 17), and returns its shadow
// time: the last predicted end of the jobs above it. Once these have ended, their nodes and the idle ones but those of
// the head are extra.
func (d *decision) pinned(h *holder, r *request, free int) cluster.Time {
	shadow, sizes, beside := d.now+next, 0, free
	for i := range d.places(h.placement) {
		if s := &d.sites[i]; s.promised && s.tasks[cluster.Foreground] == 0 {
			beside--
		}
	}
	for _, e := range d.ends {
		if d.meet(e.placement, h.placement) {
			shadow = max(shadow, e.at)
			for i := range d.places(e.placement) {
				if d.sites[i].promised {
					sizes++
				}
			}
		}
	}
	later := free + sizes
	if d.prose {
		later = beside + r.tasks
	}
	d.steps = append(d.steps[:0], calendar.Step{At: d.now, Free: free})
	if shadow != calendar.Never {
		d.steps = append(d.steps, calendar.Step{At: shadow, Free: max(later, r.tasks)})
	}
	d.when.Load(d.steps)
	return shadow
}

// meet reports whether the placements have a processor in common.
func (d *decision) meet(a, b *cluster.Placement) bool {
	for i := range d.places(a) {
		for k := range d.places(b) {
			if i == k {
				return true
			}
		}
	}
	return false
}
