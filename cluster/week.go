package cluster

import (
	"cmp"
	"slices"
)

// Week is the times at which a standing reservation begins, by the clocks of a zone. It holds the zone's offsets, so
// that all replicas agree on them whatever they know of zones.
type Week struct {
	Days    Weekdays
	Start   Time     // since the clocks showed 00:00, in microseconds; whole minutes
	Zone    string   // for people
	Offsets []Offset // of the zone, at least one, by time
	Until   Time     // nothing begins later, in microseconds
}

// Offset is how far the clocks of a zone are ahead of UTC from a time on.
type Offset struct {
	From Time // in microseconds; the first offset of a list holds before, too
	East Time // in microseconds; negative to the west
}

// Weekdays is a set of days of the week: bit 0 is Monday, bit 6 Sunday.
type Weekdays uint32

const (
	allDays = 1<<7 - 1
	fullDay = 24 * Hour

	maxOffsets = 64
	maxEast    = 18 * Hour
	maxAhead   = 731 * fullDay // from now to the last start
)

// Has reports whether the day is in the set; 0 is Monday.
func (d Weekdays) Has(day int) bool { return d>>day&1 == 1 }

// refuse returns why the week is none, or nil. It does not look at Until.
func (w *Week) refuse() *Rejection {
	switch {
	case w.Days == 0 || w.Days > allDays:
		return invalid("days", "needs at least one day of the week")
	case w.Start < 0 || w.Start >= fullDay || w.Start%Minute != 0:
		return invalid("start", "must be a time of the day in whole minutes, like 09:00")
	case len(w.Zone) > MaxName:
		return invalid("zone", "may take %d bytes", MaxName)
	case len(w.Offsets) == 0 || len(w.Offsets) > maxOffsets || !slices.IsSortedFunc(w.Offsets, Offset.compare):
		return invalid("zone", "must have from 1 to %d offsets, by time", maxOffsets)
	case slices.ContainsFunc(w.Offsets, func(o Offset) bool { return max(o.East, -o.East) > maxEast }):
		return invalid("zone", "must be within %s of UTC", maxEast.Words())
	}
	return nil
}

func (o Offset) compare(other Offset) int { return cmp.Compare(o.From, other.From) }

// after returns the first start after a time; 0: there is none.
func (w *Week) after(t Time) Time {
	first := (t-maxEast)/fullDay - 1
	for day := first; day < first+12; day++ {
		if at := w.at(day); w.Days.Has(weekday(day)) && at > t {
			if at > w.Until {
				return 0
			}
			return at
		}
	}
	return 0
}

// weekday returns the day of the week, 0 for Monday, of a day since 1970, which began on a Thursday.
func weekday(day Time) int { return int(((day+3)%7 + 7) % 7) }

// at returns the moment at which the clocks show Start on a day since 1970: the first if they do twice, and if they
// skip it, the one that they would show it at if they had not been changed.
func (w *Week) at(day Time) Time {
	shown := day*fullDay + w.Start
	for i, o := range w.Offsets {
		last := i == len(w.Offsets)-1
		if at := shown - o.East; last || at < w.Offsets[i+1].From {
			return at
		}
		if shown-w.Offsets[i+1].East < w.Offsets[i+1].From {
			return shown - o.East // skipped
		}
	}
	return 0 // there is always an offset
}

// closest returns the shortest time from one start to the next, from a time on; 0: there are not two.
func (w *Week) closest(from Time) (least Time) {
	for at := w.after(from); at != 0; {
		next := w.after(at)
		if next != 0 {
			least = earliest(least, next-at)
		}
		at = next
	}
	return least
}
