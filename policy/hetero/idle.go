package hetero

// idle is OLB: the next job goes to the idle machine with the lowest index. A job that is allowed on none of them
// waits, and the next ones are looked at.
func idle(t *Table, now Ticks, held []Run, queue []Work) (runs []Run) {
	taken := make([]bool, len(t.Sequential[0]))
	for _, r := range held {
		for _, m := range t.Machines(r) {
			taken[m] = true
		}
	}
	next := make([]int, len(t.Types)) // by type: no machine before that one is idle and allowed
	for _, w := range queue {
		times, m := t.Sequential[w.Type], next[w.Type]
		for m < len(times) && (taken[m] || times[m] >= Never) {
			m++
		}
		if next[w.Type] = m; m < len(times) {
			taken[m] = true
			runs = append(runs, Run{Work: w, Resource: m, Start: now, End: now + times[m]})
		}
	}
	return runs
}
