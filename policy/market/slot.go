package market

// Time is a time or a duration in whole units; the present is 0.
type Time int64

// Price is an amount of processors × time.
type Price int64

// Ever is the end of a slot that is open to the right.
const Ever Time = 1 << 60

// Slot is a number of processors of a site for an interval, as a provider advertises it.
type Slot struct {
	Site       int
	Start, End Time
	Procs      int
	Divisible  bool  // a part of the processors and of the interval can be bought
	Extensible bool  // can be held beyond End
	Charge     Price // per processor and unit of time
	Fixed      Price // once, if used at all
}

// NewSlot returns a slot with the thesis' prices. A hole that a later task closes is bought whole; one that is open to
// the right is divisible and extensible.
func NewSlot(site int, start, end Time, procs int) Slot {
	open := end >= Ever
	return Slot{Site: site, Start: start, End: end, Procs: procs, Divisible: open, Extensible: open, Charge: 1}
}

// limit returns the last end of a task on the slot.
func (s Slot) limit() Time {
	if s.Extensible {
		return Ever
	}
	return s.End
}

// use is the part of a slot that tasks take.
type use struct {
	area Price // processors × time
	last Time  // last end of a task
	any  bool
}

func (u *use) add(procs int, start, end Time) {
	u.area += Price(procs) * Price(end-start)
	u.last, u.any = max(u.last, end), true
}

// price returns the amount to pay for the use of a slot, by table 1 of the thesis.
func (s Slot) price(u use) Price {
	switch {
	case !u.any:
		return 0
	case s.Divisible:
		return u.area*s.Charge + s.Fixed
	}
	return Price(s.Procs)*Price(max(s.End, u.last)-s.Start)*s.Charge + s.Fixed
}
