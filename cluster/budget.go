package cluster

import (
	"fmt"
	"math"
	"strings"
)

// maxBudget is more than any promise costs.
const maxBudget = 100_000_000_000 * CoreHour

// ParseBudget reads a budget in core-hours.
func ParseBudget(coreHours float64) (Price, error) {
	if !(coreHours > 0 && coreHours <= maxBudget.CoreHours()) { // not NaN
		return 0, fmt.Errorf("must be above 0 and at most %g core-hours", maxBudget.CoreHours())
	}
	return max(1, Price(math.Round(coreHours*float64(CoreHour)))), nil
}

// checkBudget checks the budget of the job by itself.
func (s *Spec) checkBudget() *Rejection {
	switch {
	case s.Budget == 0:
		return nil
	case s.Budget < 0 || s.Budget > maxBudget:
		return invalid("budget", "must be above 0 and at most %g core-hours", maxBudget.CoreHours())
	case s.Reserve == nil && s.Deadline == nil:
		return invalid("budget", "is for a job that reserves an interval or has a deadline: nothing else has a price")
	}
	return nil
}

// highest returns the most that the promise to a job of the spec may cost: its budget, or what θ allows if that is
// less. budget says which; not limited: any price is allowed.
func (s *State) highest(spec *Spec) (price Price, budget, limited bool) {
	dearest, limited := s.Dearest()
	if spec.Budget > 0 && (!limited || spec.Budget <= dearest) {
		return spec.Budget, true, true
	}
	return dearest, false, limited
}

// dear reports whether the promise that a new job of the spec asks for costs more than its budget, or than θ allows.
func (b bookings) dear(spec *Spec) bool {
	most, _, limited := b.highest(spec)
	return limited && b.price(spec) > most
}

// tooDear returns the rejection of a promise to a job of the spec at a price; nil: the price is allowed.
func (s *State) tooDear(spec *Spec, price Price) *Rejection {
	most, budget, limited := s.highest(spec)
	switch {
	case !limited || price <= most:
		return nil
	}
	costs, limit := price.apart(most)
	if budget {
		return &Rejection{Code: CodeNoPromise, Field: "budget",
			Detail: fmt.Sprintf("the price, %s, is above the budget of %s", costs, limit)}
	}
	return reject(CodeNoPromise, spec.promised(),
		"there is room, but the price, %s, is above the limit of %s that all promises have: theta is %v", costs, limit,
		s.Theta).Rejection
}

// promised returns the field by which the spec asks for a promise.
func (s *Spec) promised() string {
	if s.Deadline != nil {
		return "deadline"
	}
	return "reserve"
}

// overBudget returns why a promise for which there is room is not made: it costs more than the budget of the job, or
// than θ allows. It names cheaper ones. Else it returns nil.
func (b bookings) overBudget(spec *Spec, price Price) *Rejection {
	out := b.tooDear(spec, price)
	if out == nil {
		return nil
	}
	all := b.booked(spec)
	out.Alternatives = all.priced(spec, all.cheaper(spec))
	var possible []string
	for _, a := range out.Alternatives {
		when := "at " + a.String()
		if a.By != 0 {
			when = "by " + a.By.Moment()
		}
		possible = append(possible, fmt.Sprintf("%s %s for %v", numbered(fmt.Sprint(a.Tasks), "task"), when, a.Price))
	}
	if len(possible) > 0 {
		out.Detail += "; possible now: " + strings.Join(possible, ", or ")
	}
	return out
}

// cheaper returns up to three promises that are cheap enough: a later one, one to fewer tasks, a shorter one. There is
// room for the spec.
func (b bookings) cheaper(spec *Spec) (list []Alternative) {
	if spec.Deadline != nil {
		return append(b.cheaperBy(spec), b.narrower(spec, b.affordable(spec))...)
	}
	r := *spec.Reserve
	if start, found := b.earliest(spec, r.Start, r.Lasts); found {
		start = b.sooner(spec, start)
		list = append(list, Alternative{Reservation: Reservation{start, r.Lasts}, Tasks: spec.Tasks})
	}
	if tasks := b.affordable(spec); tasks > 0 {
		list = append(list, Alternative{Reservation: r, Tasks: tasks})
	}
	if lasts := b.longest(spec); lasts >= Minute {
		list = append(list, Alternative{Reservation: Reservation{r.Start, lasts}, Tasks: spec.Tasks})
	}
	return list
}

// sooner returns a start at a whole minute, between that of the spec, which is too dear, and a later one, which is not.
func (b bookings) sooner(spec *Spec, late Time) Time {
	r := *spec.Reserve
	for early := r.Start; *b.looks <= maxLooks; {
		r.Start = (early + (late-early)/2) / Minute * Minute
		if r.Start <= early {
			break
		}
		if nodes, _ := b.fit(spec, spec.Tasks, r); nodes != nil && !b.dear(spec.reserving(r)) {
			late = r.Start
		} else {
			early = r.Start
		}
	}
	return late
}

// cheaperBy returns a later deadline, at a whole minute, until which the work is cheap enough.
func (b bookings) cheaperBy(spec *Spec) []Alternative {
	early, latest := spec.Deadline.By, (b.Now+maxReserved)/Minute*Minute
	late := early
	for step := early - max(b.Now, spec.Deadline.Ready); late < latest && b.dear(spec.due(late)); step *= 2 {
		early, late = late, min(latest, (late+step+Minute-1)/Minute*Minute)
	}
	if late == spec.Deadline.By || b.dear(spec.due(late)) {
		return nil
	}
	for late-early > Minute && *b.looks <= maxLooks {
		middle := (early + (late-early)/2) / Minute * Minute
		if middle <= early {
			break
		}
		if b.dear(spec.due(middle)) {
			early = middle
		} else {
			late = middle
		}
	}
	nodes, start, _ := b.admit(spec.due(late), spec.Tasks)
	if nodes == nil {
		return nil
	}
	lasts := b.padded(spec.Deadline.lasts(spec, spec.Tasks))
	return []Alternative{{Reservation: Reservation{start, lasts}, Tasks: spec.Tasks, By: late}}
}

// affordable returns the most tasks, less than wanted, that are cheap enough together.
func (b bookings) affordable(spec *Spec) int {
	low, high := 0, spec.Tasks-1
	for low < high && *b.looks <= maxLooks {
		part := *spec
		part.Tasks = (low + high + 1) / 2
		if b.dear(&part) {
			high = part.Tasks - 1
		} else {
			low = part.Tasks
		}
	}
	return low
}

// reserving returns the spec with another interval.
func (s *Spec) reserving(r Reservation) *Spec {
	spec := *s
	spec.Reserve = &r
	return &spec
}

// due returns the spec with another deadline.
func (s *Spec) due(by Time) *Spec {
	spec, d := *s, *s.Deadline
	d.By, spec.Deadline = by, &d
	return &spec
}
