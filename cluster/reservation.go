package cluster

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"
)

// Limits on reservations.
const (
	maxPromises = 10_000
	maxOfOwner  = 100             // promises of an owner
	maxReserved = 366 * 24 * Hour // from now to the end
	maxTries    = 256             // starts that are tried for a promise that moves
	maxLooks    = 20_000          // at nodes and levels, after which no further alternative is tried

	fewStartsAtOnce = 256 // that are tried together first; then twice as many, and so on

	bootTime = 30 * Second // that a VM is given to start until enough starts have been measured
	maxLead  = 10 * Minute
)

// Reservation is an interval in which a job is promised its full need. It is rigid: the nodes have that much less for
// others until it ends.
type Reservation struct {
	Start Time // in microseconds
	Lasts Time // in microseconds
}

// String returns the interval, for logs and tests.
func (r *Reservation) String() string {
	if r == nil {
		return "none"
	}
	return fmt.Sprintf("%s for %s", r.Start.Moment(), r.Lasts.Words())
}

// end returns the time at which the interval ends.
func (r *Reservation) end() Time { return r.Start + r.Lasts }

// Moment returns the point in time for people: 2026-11-26 14:00:00 UTC.
func (t Time) Moment() string {
	return time.UnixMicro(int64(t)).UTC().Format("2006-01-02 15:04:05 UTC")
}

// Alternative is a reservation that could be promised instead of one that was refused.
type Alternative struct {
	Reservation
	Tasks   int
	By      Time    // the deadline that could be kept, for a job that has one, in microseconds; 0: none
	Offer   OfferID // that holds it; 0: it is not held for anybody
	Expires Time    // until which it is held, in microseconds
	Price   Price
	Parts   []Part // the parts of a job that may be paused; nil: its work is promised at a stretch
}

// maxAlternatives is the most alternatives that an answer has.
const maxAlternatives = 3

// lead returns how long before a reservation begins its VMs have to be started: the time to start a VM, and the time in
// which others may have to save as much memory as the job takes.
func (s *State) lead(spec *Spec) Time {
	saved := s.Charge(spec) * Bytes(spec.Tasks)
	return min(maxLead, s.startTime(spec)+(Time(saved/storeRate)+Second-1)/Second*Second)
}

// takes reports whether a task of the job may be promised the node. The job may be nil.
func (s *State) takes(n *Node, spec *Spec, j *Job) bool {
	switch {
	case n.gone() || !n.allows(spec, ""):
		return false
	case j != nil && j.on(n.ID):
		return true
	}
	return !n.shut() && s.limits(n, spec.Network) && (j == nil || n.suits(spec, platforms(j)))
}

// gone reports whether nothing is promised on the node: it is down or drains, or will drain after its maintenance.
func (n *Node) gone() bool {
	if w := n.InMaintenance(); w != nil {
		return w.Drain // otherwise it is back after that
	}
	return n.Health == Down || n.Draining
}

// shut reports whether the node takes no new VMs, apart from its health: it is cordoned, or will be after its
// maintenance.
func (n *Node) shut() bool {
	if w := n.InMaintenance(); w != nil {
		return w.Cordon
	}
	return n.Cordoned
}

// platforms lists the platforms to which live tasks of the job are bound.
func platforms(j *Job) (bound []string) {
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Phase != Done && t.Platform != "" && !contains(bound, t.Platform) {
			bound = append(bound, t.Platform)
		}
	}
	return bound
}

// promiseOf returns what a new job of the spec is promised, or nil if it asks for nothing, or why its reservation or
// deadline cannot be promised, with alternatives.
func (s *State) promiseOf(spec *Spec) (*Promise, *Rejection) {
	switch {
	case spec.Deadline != nil:
		return s.endInTime(spec)
	case spec.Reserve != nil:
		return s.reserve(spec)
	}
	return nil, nil
}

// reserve returns the promise of the interval that a new job of the spec reserves, or why there is none.
func (s *State) reserve(spec *Spec) (*Promise, *Rejection) {
	r, lead := spec.Reserve, s.lead(spec)
	switch {
	case r.Start < s.Now:
		return nil, invalid("reserve.start", "%s is past: it is %s", r.Start.Moment(), s.Now.Moment())
	case r.Start < s.Now+lead:
		return nil, s.tooSoon(spec, lead)
	case r.end() > s.Now+maxReserved:
		return nil, invalid("reserve", "must end within 366 days from now, not at %s", r.end().Moment())
	}
	if full := s.crowded(spec, "reserve"); full != nil {
		return nil, full
	}
	b := s.booked(spec).once()
	nodes, fit := b.fit(spec, spec.Tasks, *r)
	if nodes == nil {
		return nil, s.booked(spec).short(spec, fit)
	}
	p := &Promise{From: r.Start, Until: r.end(), Lead: lead, Nodes: nodes, Price: b.price(spec)}
	return p, b.overBudget(spec, p.Price)
}

// crowded returns why no further promise is made, whatever the nodes have, or nil.
func (s *State) crowded(spec *Spec, field string) *Rejection {
	switch {
	case s.promises.Len() >= maxPromises:
		return reject(CodeLimit, field, "%d promises are made, which is the most that are kept", maxPromises).Rejection
	case s.promisedTo(spec.Owner) >= maxOfOwner:
		return reject(CodeLimit, field, "owner %s has %d promises, which is the most that one may have", spec.Owner,
			maxOfOwner).Rejection
	}
	return nil
}

// promisedTo returns the number of promises to jobs of an owner.
func (s *State) promisedTo(owner string) (n int) {
	s.owners.AscendRange(owned{owner, 0}, owned{owner, math.MaxUint64}, func(owned) bool {
		n++
		return true
	})
	return n
}

// tooSoon returns the rejection of a reservation whose VMs cannot start in time, with the next that can be promised: at
// a whole minute, and with another one to ask for it.
func (s *State) tooSoon(spec *Spec, lead Time) *Rejection {
	out := invalid("reserve.start", "must be at %s or later: its VMs may take %s to start", (s.Now + lead).Moment(),
		lead.Words())
	soon := (s.Now + lead + 2*Minute - 1) / Minute * Minute
	b := s.booked(spec)
	if start, found := b.earliest(spec, soon, spec.Reserve.Lasts); found {
		out.Alternatives = b.priced(spec, []Alternative{{Reservation: Reservation{start, spec.Reserve.Lasts},
			Tasks: spec.Tasks}})
	}
	return out
}

// fit returns nodes for a new job, and the number of tasks that find one and that its owner and project may be
// promised.
func (b bookings) fit(spec *Spec, tasks int, r Reservation) ([]NodeID, int) {
	from := r.Start - b.lead(spec)
	may := func(n *Node) bool { return b.mayTake(n, spec) }
	nodes, fit := b.find(spec, tasks, nil, may, from, r.end())
	if fair := b.fair(spec, from, r.end()); fair < tasks {
		return nil, min(fit, fair)
	}
	return nodes, fit
}

// mayTake reports whether a new job may be promised the node.
func (b bookings) mayTake(n *Node, spec *Spec) bool {
	return (n.Health == Ready || n.InMaintenance() != nil) && b.takes(n, spec, nil)
}

// short returns the rejection of a reservation for which only some tasks find room.
func (b bookings) short(spec *Spec, fit int) *Rejection {
	r, from := spec.Reserve, spec.Reserve.Start-b.lead(spec)
	out := &Rejection{Code: CodeNoPromise, Field: "reserve", Alternatives: b.priced(spec, b.alternatives(spec, fit))}
	limit, lacks := "promises and nodes leave", ""
	if fit == b.fair(spec, from, r.end()) {
		c := b.ceiling(spec, from, r.end())
		limit, lacks, out.Unquoted = c.limit(), c.short(b, spec), c.String()
	} else {
		lacks = b.shortage(spec, from, r.end()).explain(b, spec, spec.Tasks-fit, r.Lasts) +
			b.closedNodes(spec, r.end()-from, from, r.end())
	}
	out.Detail = fmt.Sprintf("%s room for %d of %s between %s and %s: %s", limit, fit,
		numbered(fmt.Sprint(spec.Tasks), "task"), r.Start.Moment(), r.end().Moment(), lacks)
	var possible []string
	for _, a := range out.Alternatives {
		possible = append(possible, numbered(fmt.Sprint(a.Tasks), "task")+" at "+a.String())
	}
	if len(possible) > 0 {
		out.Detail += "; possible now: " + strings.Join(possible, ", or ")
	}
	return out
}

// coreTime returns the use of CPU over a time for people, in the largest unit that it reaches.
func coreTime(cpu CPU, lasts Time) string {
	seconds := float64(cpu) / float64(Core) * lasts.Seconds()
	switch {
	case seconds >= 3600:
		return numbered(short(seconds/3600), "core-hour")
	case seconds >= 60:
		return numbered(short(seconds/60), "core-minute")
	}
	return numbered(short(seconds), "core-second")
}

// numbered returns a number with its noun.
func numbered(number, noun string) string {
	if number == "1" {
		return number + " " + noun
	}
	return number + " " + noun + "s"
}

// alternatives returns up to three reservations that can be promised: a later start, fewer tasks, less time. Among very
// many promises it looks for some of them only.
func (b bookings) alternatives(spec *Spec, fit int) (list []Alternative) {
	r := *spec.Reserve
	if start, found := b.earliest(spec, r.Start, r.Lasts); found {
		list = append(list, Alternative{Reservation: Reservation{start, r.Lasts}, Tasks: spec.Tasks})
	}
	if fit > 0 {
		list = append(list, Alternative{Reservation: r, Tasks: fit})
	}
	if lasts := b.longest(spec); lasts >= Minute {
		list = append(list, Alternative{Reservation: Reservation{r.Start, lasts}, Tasks: spec.Tasks})
	}
	return list
}

// earliest returns the first start, not before from, at which the whole job can be promised. Room is gained only where
// promises end. Among very many promises the last ones are left out.
func (b bookings) earliest(spec *Spec, from, lasts Time) (Time, bool) {
	for some := fewStartsAtOnce; *b.looks <= maxLooks; some *= 2 {
		starts := b.begins(spec, from, some)
		rooms := b.chances(spec, starts, lasts)
		most := *b.looks + maxLooks
		for i, room := range rooms {
			if *b.looks > most || starts[i]+lasts > b.Now+maxReserved {
				return 0, false
			}
			if room >= spec.Tasks && b.suits(spec, Reservation{starts[i], lasts}) {
				return starts[i], true
			}
		}
		if len(starts) == 1 {
			break
		}
		from = starts[len(starts)-1]
	}
	return 0, false
}

// suits reports whether the whole job may be promised an interval for which there is room: within the limits of its
// owner, and its budget.
func (b bookings) suits(spec *Spec, r Reservation) bool {
	*b.looks += maxOfOwner
	return b.fair(spec, r.Start-b.lead(spec), r.end()) >= spec.Tasks && (spec.Reserve == nil || !b.dear(spec.reserving(r)))
}

// begins returns one start and about so many after it, at which a job of the spec may find room that it did not find
// before: its VMs are to start as promises, offers or maintenance end. There are no others before the last one.
func (b bookings) begins(spec *Spec, from Time, some int) []Time {
	lead, starts, last := b.lead(spec), []Time{from}, Time(math.MaxInt64)
	for x := range b.calendar.during(from-lead+1, math.MaxInt64) {
		if x.cpu < 0 {
			starts = append(starts, x.at+lead)
		}
		if len(starts) > some {
			last = x.at + lead
			break
		}
	}
	for until := range b.freed(from-lead+1, last-lead+1) {
		starts = append(starts, until+lead)
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// freed yields the times from one on and before another at which promises that move, offers and maintenance end, in no
// order. The calendar has the ends of all other promises.
func (b bookings) freed(from, until Time) iter.Seq[Time] {
	return func(yield func(Time) bool) {
		more := true
		add := func(at Time) bool {
			more = more && (at < from || at >= until || yield(at))
			return more
		}
		b.movers.AscendRange(mover{until: from}, mover{until: until}, func(m mover) bool { return add(m.until) })
		for o := range b.Offers() {
			for part := range o.Promise.each() {
				add(part.Until)
			}
		}
		for id := range b.serviced.all() {
			for _, w := range b.Node(id).Maintenance {
				add(w.Until)
			}
		}
	}
}

// longest returns the longest time, in whole minutes and less than wanted, for which the whole job can be promised at
// its start.
func (b bookings) longest(spec *Spec) Time {
	low, high := Time(0), (spec.Reserve.Lasts-1)/Minute
	for low < high && *b.looks <= maxLooks {
		middle := (low + high + 1) / 2
		r := Reservation{spec.Reserve.Start, middle * Minute}
		if nodes, _ := b.fit(spec, spec.Tasks, r); nodes != nil && !b.dear(spec.reserving(r)) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low * Minute
}
