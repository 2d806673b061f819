package market

// Bound returns a cost and a makespan below which no plan can be. Both together are below every front.
func (a *Advertised) Bound() Plan {
	charge := Price(1)
	for i, s := range a.Slots {
		if i == 0 || s.Charge < charge {
			charge = s.Charge
		}
	}
	return Plan{Cost: a.Area() * charge, Makespan: a.shortest(a.holes())}
}

// holes returns the profiles of the sites.
func (a *Advertised) holes() (holes []*Profile) {
	for r := range a.Sites {
		holes = append(holes, profileOf(a.Slots, r))
	}
	return holes
}

// Bound returns a cost and a makespan below which no plan can be.
func (q *Queried) Bound() Plan {
	var holes []*Profile
	for r := range q.Sites {
		holes = append(holes, q.Sites[r].base())
	}
	return Plan{Cost: q.Area(), Makespan: q.shortest(holes)}
}

// shortest returns a lower bound on the makespan: that of every task alone in the holes, behind its parents and without
// transfers; and the time that the holes need to hold all processors × time.
func (w *Workflow) shortest(holes []*Profile) Time {
	last := filled(holes, w.Area())
	for i, start := range w.heads(holes) {
		last = max(last, start+w.Tasks[i].Run)
	}
	return last
}

// heads returns the earliest starts of tasks if each were alone in the holes, behind its parents and without transfers.
func (w *Workflow) heads(holes []*Profile) []Time {
	heads := make([]Time, len(w.Tasks))
	for _, i := range w.sorted {
		from, first := Time(0), Ever
		for _, p := range w.parents[i] {
			from = max(from, heads[p.task]+w.Tasks[p.task].Run)
		}
		for _, h := range holes {
			first = min(first, h.Earliest(from, w.Tasks[i].Run, w.Tasks[i].Procs))
		}
		heads[i] = first
	}
	return heads
}
