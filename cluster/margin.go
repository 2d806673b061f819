package cluster

import (
	"cmp"
	"slices"
)

// Limits on the margin δ of a promise with a deadline, the part of its work for whose length it keeps nodes besides.
const (
	leastMargin = Whole / 50 // also while too few promises were measured
	mostMargin  = Whole / 4
	mostLosses  = 64          // the latest promises that are measured
	fewLosses   = 20          // fewer say nothing
	leastForce  = 10 * Minute // that a promise is in force: less is not measured
)

// Margin returns the margin of new promises with a deadline, and the number of promises whose losses are known: 19 of
// 20 of the latest lost no more. It is not learnt while they are too few.
func (s *State) Margin() (margin Parts, known int, learnt bool) {
	known = len(s.losses)
	if known < fewLosses {
		return leastMargin, known, false
	}
	sorted := slices.Sorted(slices.Values(s.losses))
	return min(mostMargin, max(leastMargin, sorted[(known*19+19)/20-1])), known, true
}

// MarginKept returns the margin of a promise with a deadline.
func (p *Promise) MarginKept() Parts { return cmp.Or(p.Margin, leastMargin) }

// padded returns the length of the interval that a new promise keeps for work of a length at the full need.
func (s *State) padded(work Time) Time {
	margin, _, _ := s.Margin()
	return padded(work, margin)
}

// padded returns the length of the interval that is kept for a part of the promised work. It has the margin of the time
// when the promise was made, so that what is booked does not grow by itself.
func (p *Promise) padded(work Time) Time { return padded(work, p.MarginKept()) }

// unpadded returns the most work for which an interval of a length is enough.
func (p *Promise) unpadded(length Time) Time {
	return Time(ratio(uint64(length), uint64(Whole), uint64(Whole+p.MarginKept())))
}

// padded returns the length of work with the margin, rounded up. The margin is for what other programs of a node take
// from its VMs, and for moves and resumes while the promise counts.
func padded(work Time, margin Parts) Time {
	whole, rest := work/Time(Whole), work%Time(Whole)
	return work + whole*Time(margin) + (rest*Time(margin)+Time(Whole)-1)/Time(Whole)
}

// newMargin returns the margin that a new promise keeps; 0: the state cannot hold it.
func (s *State) newMargin() Parts {
	margin, _, _ := s.Margin()
	if s.Format < learns {
		return 0
	}
	return margin
}

// measurable reports whether the invariants of what is measured hold.
func (p *Promise) measurable() bool {
	usual := p.Margin == 0 || p.Margin >= leastMargin && p.Margin <= mostMargin
	return usual && p.Since >= 0 && p.Had >= 0 && (p.Since == 0 || p.Work > 0 && p.Met)
}

// watch returns the time from which the losses of the promise are measured, and the virtual time of its job then: from
// its start on, when the time that its VMs are given to start is over, or when they run after that. 0: they are not.
func (t *transaction) watch(p *Promise) (since, had Time) {
	if t.Format < learns || p.Work == 0 || !p.Met || p.Broken() || t.Now < p.From {
		return 0, 0
	}
	if p.Since > 0 {
		return p.Since, p.Had
	}
	if was := t.origin.Job(p.Job); t.metBefore(p.Job) && was.Clock.Share > 0 && was.Clock.At <= p.From {
		return p.From, was.VirtualTime(p.From)
	}
	if j := t.Job(p.Job); j.Clock.Share > 0 {
		return t.Now, j.VirtualTime(t.Now)
	}
	return 0, 0
}

// metBefore reports whether the promise to the job was met before the command, which did not set the time.
func (t *transaction) metBefore(id JobID) bool {
	was := t.origin.promises.get(id)
	return was != nil && was.Met && t.TimeSet == t.origin.TimeSet
}

// noteLoss notes what a promise lost whose time in force is over: its last part, if it has several.
func (t *transaction) noteLoss(p *Promise) {
	if t.Format >= keepsParts && len(p.Later) > 0 {
		return
	}
	since, had := t.watch(p)
	if took := t.Now - since; since > 0 && took >= leastForce {
		t.losses = lately(t.losses, lossOf(took, t.Job(p.Job).VirtualTime(t.Now)-had), mostLosses)
	}
}

// lossOf returns the margin that a job would have needed which took a time for work: in whole thousandths, rounded up,
// and at most mostMargin.
func lossOf(took, work Time) Parts {
	lost := max(0, took-work)
	if lost >= work/Time(Whole/mostMargin) {
		return mostMargin
	}
	const thousandth = Whole / 1000
	return thousandth * Parts(ratio(uint64(lost), uint64(Whole/thousandth), uint64(work))+1)
}
