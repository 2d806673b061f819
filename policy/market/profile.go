package market

import (
	"slices"
)

// Profile is the number of free processors over time, from the present on.
type Profile struct {
	at   []Time // of changes, rising; the first is 0
	free []int  // from each time on
}

// NewProfile returns a profile on which a number of processors are free.
func NewProfile(procs int) *Profile { return &Profile{[]Time{0}, []int{procs}} }

// profileOf returns the profile of the slots of a site.
func profileOf(slots []Slot, site int) *Profile {
	p := NewProfile(0)
	for _, s := range slots {
		if s.Site == site {
			p.Take(max(s.Start, 0), s.limit(), -s.Procs)
		}
	}
	return p
}

// copy returns an independent profile, with room for some changes.
func (p *Profile) copy() *Profile {
	return &Profile{append(make([]Time, 0, len(p.at)+8), p.at...), append(make([]int, 0, len(p.free)+8), p.free...)}
}

// step returns the index of the step that holds a time.
func (p *Profile) step(t Time) int {
	i, exact := slices.BinarySearch(p.at, t)
	if exact {
		return i
	}
	return i - 1
}

// split returns the index of the step that begins at a time, and makes it if there is none.
func (p *Profile) split(t Time) int {
	i, exact := slices.BinarySearch(p.at, t)
	if !exact {
		p.at = slices.Insert(p.at, i, t)
		p.free = slices.Insert(p.free, i, p.free[i-1])
	}
	return i
}

// Take makes processors busy from a start to an end. A negative number frees them.
func (p *Profile) Take(start, end Time, procs int) {
	if start = max(start, 0); start >= end || procs == 0 {
		return
	}
	first, last := p.split(start), len(p.at)
	if end < Ever {
		last = p.split(end)
	}
	for i := first; i < last; i++ {
		p.free[i] -= procs
	}
	p.merge(last)
	p.merge(first)
}

// merge removes a step that equals the one before it.
func (p *Profile) merge(i int) {
	if i > 0 && i < len(p.at) && p.free[i] == p.free[i-1] {
		p.at, p.free = slices.Delete(p.at, i, i+1), slices.Delete(p.free, i, i+1)
	}
}

// fits reports whether processors are free from a start for a duration.
func (p *Profile) fits(start, d Time, procs int) bool {
	if start < 0 {
		return false
	}
	for i := p.step(start); i < len(p.at); i++ {
		if p.free[i] < procs {
			return false
		}
		if i+1 == len(p.at) || p.at[i+1] >= start+d {
			return true
		}
	}
	return true
}

// Earliest returns the first time from a time on at which processors are free for a duration, or Ever.
func (p *Profile) Earliest(from, d Time, procs int) Time {
	start := max(from, 0)
	for i := p.step(start); i < len(p.at); i++ {
		if p.at[i] >= start+d && p.at[i] > start {
			return start
		}
		if p.free[i] < procs {
			if i+1 == len(p.at) {
				return Ever
			}
			start = p.at[i+1]
		}
	}
	return start
}

// filled returns the first time up to which the profile has that many free processors × time, or Ever.
func filled(profiles []*Profile, area Price) Time {
	var total Profile
	total.at, total.free = []Time{0}, []int{0}
	for _, p := range profiles {
		for i, free := range p.free {
			end := Ever
			if i+1 < len(p.at) {
				end = p.at[i+1]
			}
			total.Take(p.at[i], end, -free)
		}
	}
	for i, free := range total.free {
		if room := Price(free); room > 0 {
			need := Time((area + room - 1) / room)
			if i+1 == len(total.at) || total.at[i+1]-total.at[i] >= need {
				return total.at[i] + need
			}
			area -= room * Price(total.at[i+1]-total.at[i])
		}
	}
	return Ever
}
