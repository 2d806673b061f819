package market

import "slices"

// Provider is a schedule that places tasks in the holes of a number of processors, each task for good, by the
// incremental scheduler of the thesis (figure 2).
type Provider struct{ holes bin }

// NewProvider returns an empty schedule.
func NewProvider(procs int) *Provider { return &Provider{bin{{end: Ever, procs: procs}}} }

// Place takes the earliest start from a time on that figure 2 finds.
func (p *Provider) Place(n int, d, from Time) Time {
	start, pool := p.holes.find(n, d, from)
	p.holes.carve(n, start, d, pool)
	return start
}

// Advertise returns the holes of a profile as slots of a site. Where processors become busy, those close that have been
// free for the shortest time. The slots do not depend on the order in which tasks came, unlike those of a Provider.
func (p *Profile) Advertise(site int) (slots []Slot) {
	var open []piece
	before := 0
	for i, now := range p.at {
		if more := p.free[i] - before; more > 0 {
			open = append(open, piece{start: now, procs: more})
		}
		for less := before - p.free[i]; less > 0; {
			youngest := &open[len(open)-1]
			closed := min(less, youngest.procs)
			slots = append(slots, NewSlot(site, youngest.start, now, closed))
			less -= closed
			if youngest.procs -= closed; youngest.procs == 0 {
				open = open[:len(open)-1]
			}
		}
		before = p.free[i]
	}
	for _, o := range open {
		slots = append(slots, NewSlot(site, o.start, Ever, o.procs))
	}
	slices.SortFunc(slots, func(a, b Slot) int {
		return byStart(piece{a.Start, a.End, a.Procs, 0}, piece{b.Start, b.End, b.Procs, 0})
	})
	return slots
}
