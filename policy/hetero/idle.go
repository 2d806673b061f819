package hetero

import "slices"

// idle is OLB: the next job goes to the idle machine with the lowest index. A job that is allowed on none of them
// waits, and the next ones are looked at.
func idle(t *Table, now Ticks, held []Run, queue []Work) (runs []Run) {
	taken := map[int]bool{}
	for _, r := range held {
		for _, m := range t.Machines(r) {
			taken[m] = true
		}
	}
	for _, w := range queue {
		times := t.Sequential[w.Type]
		m := slices.IndexFunc(times, func(d Ticks) bool { return d < Never })
		for m >= 0 && m < len(times) && (taken[m] || times[m] >= Never) {
			m++
		}
		if m >= 0 && m < len(times) {
			taken[m] = true
			runs = append(runs, Run{Work: w, Resource: m, Start: now, End: now + times[m]})
		}
	}
	return runs
}
