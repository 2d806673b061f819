package hetero

// pair are two schedules of a batch: one in force, and room for a better one.
type pair struct{ one, other *schedule }

func (b *batch) newPair() *pair { return &pair{b.newSchedule(), b.newSchedule()} }

// sequential is SJS: of the schedules by both rules, it returns that with the smaller sum of the jobs' times, min-min
// if they are equal.
func (b *batch) sequential(taken []int, p *pair) *schedule {
	b.minMin(taken, p.one)
	if b.minMax(taken, p.other, p.one.ends) {
		return p.other
	}
	return p.one
}

// run returns the run of a job in a schedule.
func (s *schedule) run(b *batch, job int) Run {
	w, m := b.queue[job], s.machine[job]
	return Run{Work: w, Resource: m, Start: s.start[job], End: s.start[job] + w.Rest(b.table.Sequential[w.Type][m])}
}
