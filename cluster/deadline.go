package cluster

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Deadline is a time until which a job is promised to have had the work that it declares. It is flexible: the job runs
// like any other from its ready time on, and takes from others only what it lacks.
type Deadline struct {
	Ready Time // the job does not run before, in microseconds; 0: it may run at once
	By    Time // in microseconds
	Lasts Time // running time at the full need, in microseconds; 0: Work says it
	Work  Time // CPU time of all tasks together, in microseconds; 0: Lasts says it
	// Pausable allows to promise the work in several parts, between which the job may be paused.
	Pausable bool
}

// String returns the deadline, for logs and tests.
func (d *Deadline) String() string {
	if d == nil {
		return "none"
	}
	return fmt.Sprintf("%v or %v of work from %v to %v, pausable %v", d.Lasts, d.Work, d.Ready, d.By, d.Pausable)
}

// lasts returns the running time at the full need of that number of tasks, rounded up.
func (d *Deadline) lasts(s *Spec, tasks int) Time {
	if d.Work == 0 {
		return d.Lasts
	}
	hi, lo := bits.Mul64(uint64(d.Work), uint64(Core))
	whole := uint64(s.Need) * uint64(tasks)
	if lo, carry := bits.Add64(lo, whole-1, 0); hi+carry < whole {
		if q, _ := bits.Div64(hi+carry, lo, whole); q < math.MaxInt64/2 {
			return Time(q)
		}
	}
	return math.MaxInt64 / 2
}

// checkDeadline checks the job's deadline by itself.
func (s *Spec) checkDeadline() *Rejection {
	d := s.Deadline
	switch {
	case d == nil:
		return nil
	case s.Reserve != nil:
		return invalid("deadline", "a job has a deadline or reserves an interval, not both")
	case s.Class != StandardClass:
		return invalid("class", "must be standard for a job with a deadline")
	case d.By < 1 || d.Ready < 0:
		return invalid("deadline.by", "is missing: name the time until which the job has to end")
	case (d.Lasts == 0) == (d.Work == 0):
		return invalid("deadline", "needs either a duration at full CPU or the work as CPU time, not both")
	case d.Lasts < 0 || d.Work < 0 || d.lasts(s, s.Tasks) < Second || d.lasts(s, s.Tasks) > maxReserved:
		return invalid("deadline", "the job must take from 1 s to 366 days at its full CPU")
	case d.Ready >= d.By:
		return invalid("deadline.ready", "%s is not before the deadline, %s", d.Ready.Moment(), d.By.Moment())
	}
	return nil
}

// at returns the promise as it is at a time: one with a deadline shrinks with the work that is done, so that it begins
// later, and loses the parts that are not needed any more. From the time on at which it counts it stays as it is.
func (p *Promise) at(j *Job, now Time) *Promise {
	if p == nil || p.Work == 0 || p.Met || p.Broken() {
		return p
	}
	length := p.padded(p.left(j, now))
	for len(p.Later) > 0 && length <= p.laterLength() {
		p = p.next()
	}
	from := p.Until - max(1, length-p.laterLength())
	if from <= p.From {
		return p
	}
	next := *p
	next.From = from
	return &next
}

// left returns the running time at the full need that the job of a deadline still lacks.
func (p *Promise) left(j *Job, now Time) Time { return max(0, p.Work-(j.VirtualTime(now)-p.Base)) }

// held returns the time that the promise keeps from a time on.
func (p *Promise) held(now Time) Time {
	return p.Until - max(p.From, min(now, p.Until)) + p.laterLength()
}

// lacks returns the running time at the full need for which the promise of a deadline keeps nothing. A broken one keeps
// nothing at all, and lacks nothing.
func (p *Promise) lacks(j *Job, now Time) Time {
	if p.Work == 0 || p.Broken() {
		return 0
	}
	return max(0, p.left(j, now)-p.held(now))
}

// Lacks returns the running time at the full need for which the promise of a deadline keeps nothing; 0: it keeps
// enough, or nothing at all, because it is broken.
func (s *Snapshot) Lacks(p *Promise) Time { return p.lacks(s.Job(p.Job), s.At) }

// Left returns the running time at the full need that a job with a deadline still lacks; false: it has none.
func (s *Snapshot) Left(p *Promise) (Time, bool) { return p.left(s.Job(p.Job), s.At), p.Work > 0 }

// binding reports whether decisions must neither end the job nor give up its work.
func (p *Promise) binding(now Time) bool {
	return p.early(now) || p.inForce(now) || p != nil && p.Work > 0 && !p.Broken()
}

// wake returns the next time at which a promise with a deadline asks for a decision: when its job may run, when it
// counts because the job lags, and when it ends.
func (s *State) wake(p *Promise) Time {
	j := s.Job(p.Job)
	c := j.Clock.at(s.Now, j.Spec.Need)
	if s.Now < p.Ready {
		return p.Ready
	}
	end := p.Until
	if done, ends := c.Reaches(p.Base+p.Work, j.Spec.Need); ends {
		end = min(end, done)
	}
	first := p.Base + p.Work - p.unpadded(p.laterLength())
	if used, ends := c.Reaches(first, j.Spec.Need); ends && !p.Met && len(p.Later) > 0 {
		end = min(end, used)
	}
	if lag, lags := c.lags(p.at(j, s.Now).Due()-s.Now, j.Spec.Need); lags && !p.Met && !p.Broken() {
		end = min(end, lag)
	}
	if s.Format >= keepsParts && !p.Met && !p.Broken() && p.held(s.Now) < p.padded(p.left(j, s.Now)) && p.Due() > s.Now {
		end = min(end, p.Due()) // which the job's progress does not put off yet
	}
	return max(end, s.Now+1)
}

// lags returns the time at which so much less than full progress was made since At; false: it never is.
func (c Clock) lags(slack Time, need CPU) (Time, bool) {
	part, whole := uint64(0), uint64(1)
	if c.Share > 0 {
		part, whole, _ = c.speed(need)
	}
	if slack <= 0 {
		return c.At, true
	}
	hi, lo := bits.Mul64(uint64(slack), whole)
	if part >= whole || hi >= whole-part {
		return 0, false
	}
	d, _ := bits.Div64(hi, lo, whole-part)
	if d >= uint64(math.MaxInt64-c.At) {
		return 0, false
	}
	return c.At + Time(d), true
}

// endInTime returns the promise that a new job of the spec has its work before its deadline, or why there is none, with
// alternatives.
func (s *State) endInTime(spec *Spec) (*Promise, *Rejection) {
	d := spec.Deadline
	switch r := s.crowded(spec, "deadline"); {
	case d.By <= s.Now:
		return nil, invalid("deadline.by", "%s is past: it is %s", d.By.Moment(), s.Now.Moment())
	case d.By > s.Now+maxReserved:
		return nil, invalid("deadline.by", "must be within 366 days from now, not at %s", d.By.Moment())
	case r != nil:
		return nil, r
	}
	if r := spec.limited(s.Now); r != nil {
		return nil, r
	}
	lasts, lead := d.lasts(spec, spec.Tasks), s.lead(spec)
	if soonest := max(s.Now, d.Ready) + lead + s.padded(lasts); soonest > d.By {
		out := invalid("deadline.by", "must be at %s or later: the job takes %s at its full CPU, and its VMs may take %s to start",
			soonest.Moment(), lasts.Words(), lead.Words())
		all := s.booked(spec)
		out.Alternatives = all.priced(spec, all.later(spec))
		return nil, out
	}
	b := s.booked(spec).once()
	var parts []Part
	nodes, start, fit := b.admit(spec, spec.Tasks)
	if nodes != nil {
		parts = []Part{{start, start + s.padded(lasts), nodes}}
	} else if d.Pausable {
		*b.looks = 0
		parts = b.inParts(spec)
	}
	if parts == nil {
		return nil, s.booked(spec).late(spec, fit)
	}
	p := Promise{Lead: lead, Work: lasts, Ready: d.Ready, Price: b.price(spec), Margin: s.newMargin()}
	return p.over(parts), b.overBudget(spec, p.Price)
}

// limited returns why the limit of the job's running time is in the way of its deadline, or nil.
func (s *Spec) limited(now Time) *Rejection {
	d := s.Deadline
	if d == nil || s.Limits.Runtime == 0 || s.Limits.Runtime >= d.By-max(now, d.Ready) {
		return nil
	}
	return invalid("limits.runtime", "must be %s at least, the time until the deadline: the job may run slowly at first",
		(d.By - max(now, d.Ready)).Words())
}

// admit returns nodes for some tasks of a new job with a deadline, the latest start from which they can have their work
// in time, and the number of tasks that find room at some time.
func (b bookings) admit(spec *Spec, tasks int) (nodes []NodeID, start Time, fit int) {
	d := spec.Deadline
	lasts, from := b.padded(d.lasts(spec, tasks)), max(b.Now, d.Ready)+b.lead(spec)
	if b.brief && d.By-lasts >= from {
		if nodes, fit = b.fit(spec, tasks, Reservation{d.By - lasts, lasts}); nodes != nil {
			return nodes, d.By - lasts, fit
		}
	}
	b.brief = false
	starts := []Time{d.By - lasts}
	for some := fewStartsAtOnce; len(starts) > 0 && d.By-lasts >= from && *b.looks <= maxLooks; some *= 2 {
		rooms := b.chances(spec, starts, lasts)
		most := *b.looks + maxLooks
		for i, room := range slices.Backward(rooms) {
			if room <= fit || *b.looks > most {
				continue
			}
			*b.looks += maxOfOwner
			r := Reservation{starts[i], lasts}
			if fair := b.fair(spec, r.Start-b.lead(spec), r.end()); fair < tasks {
				room = min(room, fair)
			}
			if fit = max(fit, min(room, tasks)); room >= tasks {
				nodes, _ = b.fit(spec, tasks, r)
				return nodes, r.Start, fit
			}
		}
		last := starts[0] + lasts
		starts = starts[:0]
		for _, due := range slices.Backward(b.ends(from+lasts, last, some)) {
			starts = append(starts, due-lasts)
		}
	}
	if tasks < spec.Tasks || len(starts) == 0 {
		return nil, 0, fit
	}
	// Some starts were left out: it may be promised early.
	*b.looks = 0
	if early, found := b.earliest(spec, from, lasts); found && early+lasts <= d.By {
		nodes, fit = b.fit(spec, tasks, Reservation{early, lasts})
		return nodes, early, fit
	}
	return nil, 0, fit
}

// latest returns the last interval of a length for which there is room; nil: none was found. An interval cannot be
// moved on where it ends as another promise falls due, so that only such are tried. Among very many promises some are
// left out.
func (g gaps) latest(lasts Time) []Part {
	tries := 0
	for _, end := range append([]Time{g.by}, g.ends(g.from+lasts, g.by, maxTries)...) {
		start := end - lasts
		if tries++; tries > maxTries || start < g.from || *g.looks > maxLooks {
			break
		}
		if nodes := g.room(Reservation{start, lasts}); nodes != nil {
			return []Part{{start, end, nodes}}
		}
	}
	return nil
}

// ends returns the times from one on and before another at which promises and offers fall due or maintenance begins,
// the last first; about so many of them, without a gap.
func (b bookings) ends(from, until Time, some int) (list []Time) {
	for x := range b.calendar.backward(from, until) {
		if x.cpu > 0 {
			list = append(list, x.at)
		}
		if len(list) == some {
			from = x.at
			break
		}
	}
	add := func(at Time) {
		if at >= from && at < until {
			list = append(list, at)
		}
	}
	b.movers.AscendGreaterOrEqual(mover{until: from + 1}, func(m mover) bool {
		add(b.dueOf(m.job, m.until))
		return true
	})
	for o := range b.Offers() {
		for part := range o.Promise.each() {
			add(part.Due())
		}
	}
	for id := range b.serviced.all() {
		for _, w := range b.Node(id).Maintenance {
			add(w.From)
		}
	}
	slices.SortFunc(list, func(x, y Time) int { return cmp.Compare(y, x) })
	return slices.Compact(list)
}

// tried says how room was looked for.
func (d *Deadline) tried() string {
	if d.Pausable {
		return fmt.Sprintf("at a stretch or in up to %d parts", MaxParts)
	}
	return "at a stretch"
}

// late returns the rejection of a deadline until which only some tasks find room.
func (b bookings) late(spec *Spec, fit int) *Rejection {
	d, missing, stretch := spec.Deadline, spec.Tasks-fit, spec.Deadline.lasts(spec, spec.Tasks)
	if d.Pausable {
		stretch = Second
	}
	out := &Rejection{Code: CodeNoPromise, Field: "deadline"}
	out.Alternatives = b.priced(spec, slices.Concat(b.later(spec), b.narrower(spec, fit), b.paused(spec)))
	lasts := d.lasts(spec, spec.Tasks)
	limit := "promises and nodes leave"
	lacks := asking(missing, coreTime(spec.Need*CPU(missing), lasts)+" and "+(Bytes(missing)*b.Charge(spec)).Words()) +
		b.closedNodes(spec, stretch, max(b.Now, d.Ready), d.By)
	if fair := b.fair(spec, d.By-lasts, d.By); fair < spec.Tasks && fit == fair {
		c := b.ceiling(spec, d.By-lasts, d.By)
		limit, lacks, out.Unquoted = c.limit(), c.short(b, spec), c.String()
	}
	out.Detail = fmt.Sprintf("%s room for %d of %s for %s %s between %s and %s: %s", limit, fit,
		numbered(fmt.Sprint(spec.Tasks), "task"), lasts.Words(), d.tried(), max(b.Now, d.Ready).Moment(), d.By.Moment(),
		lacks)
	var possible []string
	for _, a := range out.Alternatives {
		text := numbered(fmt.Sprint(a.Tasks), "task") + " by " + a.By.Moment()
		if a.Parts != nil {
			text += fmt.Sprintf(" in %d parts, if the job may be paused", len(a.Parts))
		}
		possible = append(possible, text)
	}
	if len(possible) > 0 {
		out.Detail += "; possible now: " + strings.Join(possible, ", or ")
	}
	return out
}

// later returns the next deadline, at a whole minute, until which the whole job can have its work.
func (b bookings) later(spec *Spec) []Alternative {
	d, lasts := spec.Deadline, b.padded(spec.Deadline.lasts(spec, spec.Tasks))
	from := max(b.Now+b.lead(spec)+Minute, d.Ready+b.lead(spec), d.By-lasts) // a minute to ask again
	start, found := b.earliest(spec, from, lasts)
	by := (start + lasts + Minute - 1) / Minute * Minute
	if !found || by > b.Now+maxReserved {
		return nil
	}
	return []Alternative{{Reservation: Reservation{start, lasts}, Tasks: spec.Tasks, By: by}}
}

// narrower returns a smaller number of tasks that can have the work until the deadline, about the largest.
func (b bookings) narrower(spec *Spec, fit int) []Alternative {
	for tasks := min(fit, spec.Tasks-1); tasks > 0; tasks /= 2 {
		if nodes, start, _ := b.admit(spec, tasks); nodes != nil {
			r := Reservation{start, b.padded(spec.Deadline.lasts(spec, tasks))}
			return []Alternative{{Reservation: r, Tasks: tasks, By: spec.Deadline.By}}
		}
	}
	return nil
}

// advance brings the promises of the edited jobs with deadlines up to date: their work may be done, or lost.
func (t *transaction) advance() {
	if t.promises.Len() == 0 {
		return
	}
	for _, id := range t.editedJobs() {
		p, j := t.promises.get(id), t.edited[id]
		if p == nil || p.Work == 0 || j.Ending != nil {
			continue
		}
		switch {
		case t.lostWork(j):
			t.beginAgain(j, p)
		case p.left(j, t.Now) == 0:
			t.overrun(p)
		default:
			t.follow(j, p.at(j, t.Now))
		}
	}
}

// editedJobs lists the jobs that the command has edited, by id.
func (t *transaction) editedJobs() []JobID {
	list := make([]JobID, 0, len(t.edited))
	for id := range t.edited {
		list = append(list, id)
	}
	slices.Sort(list)
	return list
}

// lostWork reports whether a task of the job has, since the command began, lost what it did, so that it begins anew.
func (t *transaction) lostWork(j *Job) bool {
	was := t.origin.Job(j.ID)
	for i := range j.Tasks {
		began := was != nil && (was.Tasks[i].Phase == Running || was.Tasks[i].Phase == Saved)
		if began && (j.Tasks[i].Phase == Idle || j.Tasks[i].Killed && !was.Tasks[i].Killed) {
			return true
		}
	}
	return false
}

// beginAgain promises a job all of its work once more, because it has lost what was done, or breaks its promise.
func (t *transaction) beginAgain(j *Job, p *Promise) {
	next := *p
	next.Base, next.From, next.Met, next.Later = j.VirtualTime(t.Now), p.Until-p.padded(p.Work), false, nil
	next.Short = false
	if t.keep(&next); !p.Broken() {
		t.rebook(t.bookedBut(j.ID), &next)
	}
}

// follow books the nodes instead on which the job's tasks are or will be, if these have room. So fewer tasks have to
// move when the promise counts.
func (t *transaction) follow(j *Job, p *Promise) {
	if p.Met || p.Broken() || !t.moved(j) {
		return
	}
	b, may := t.bookedBut(j.ID).once(), func(n *Node) bool { return t.takes(n, j.Spec, j) }
	next := p.seated(func(part *Promise) []NodeID {
		if nodes := t.nodesFor(b, part, may); nodes != nil {
			return t.assign(j, nodes)
		}
		return nil
	})
	if next != nil {
		t.keep(next)
	}
}

// moved reports whether a task of the job is on its way to another node since the command began.
func (t *transaction) moved(j *Job) bool {
	was := t.origin.Job(j.ID)
	for i := range j.Tasks {
		if is := t.whereabouts(j, i); is != 0 && (was == nil || t.origin.whereabouts(was, i) != is) {
			return true
		}
	}
	return false
}

// rebook moves the promise of a deadline to other nodes or to another time before the deadline, or breaks it.
func (t *transaction) rebook(b bookings, p *Promise) {
	t.rebookIf(b, p, func(*Promise) bool { return true })
}

// rebookIf does so with one of the intervals that may be kept.
func (t *transaction) rebookIf(b bookings, p *Promise, mayKeep func(*Promise) bool) {
	j := t.Job(p.Job)
	left, lead := p.left(j, t.Now), p.Lead
	if left == 0 {
		t.overrun(p)
		return
	}
	if t.runs(j) {
		lead = 0 // it goes on meanwhile
	}
	room := func(r Reservation) []NodeID {
		next := p.over([]Part{{From: r.Start, Until: r.end()}})
		if !mayKeep(next) {
			return nil
		}
		may := func(n *Node) bool { return t.takes(n, j.Spec, j) && (t.Now < next.Due() || j.on(n.ID) || t.Open(n)) }
		return t.nodesFor(b, next, may)
	}
	*b.looks = min(*b.looks, maxLooks) // at least one start is tried
	g := gaps{b, max(t.Now, p.Ready) + lead, j.Spec.Deadline.By, p.Lead, room}
	parts := g.find(p.padded(left), j.Spec.Deadline.Pausable)
	if parts == nil { // there is no time for more than the work itself
		parts = g.find(left, j.Spec.Deadline.Pausable)
	}
	if parts == nil {
		t.fallBack(b, p)
		return
	}
	next := p.over(parts)
	next.Since, next.Had, next.Short = 0, 0, false
	next.Met = p.Met && next.Due() <= t.Now
	t.moveTo(b, next)
}

// fallBack keeps what the promise of a deadline still has, if it has enough room there but no room for more, or breaks
// it. The job may make up for what it lacks.
func (t *transaction) fallBack(b bookings, p *Promise) {
	over := t.Now >= p.Until && len(p.Later) > 0
	switch {
	case over && t.Format < keepsParts:
		t.endPart(p)
	case over && b.holds(p.next()):
		t.endPart(p)
		b.add(t.PromiseTo(p.Job))
	case t.Format >= keepsParts && p.Short && !over && !p.Met && b.holds(p):
		b.add(p)
	default:
		t.breakPromise(b, p)
	}
}

// lengthen looks for all of the room that the job of a deadline lacks, if its promise holds too little and does not
// count yet.
func (t *transaction) lengthen() {
	if t.Format < keepsParts {
		return
	}
	for p := range t.standing() {
		if p.Short && !p.Met && !p.Broken() {
			t.rebook(t.bookedBut(p.Job).once(), p)
		}
	}
}

// turnDeadline lets the promise of a deadline begin to count, or end, if its time has come.
func (t *transaction) turnDeadline(p *Promise) {
	j := t.edit(p.Job)
	switch left := p.left(j, t.Now); {
	case left == 0:
		t.overrun(p)
		return
	case t.Now >= j.Spec.Deadline.By:
		t.miss(p)
		return
	case t.Now >= p.Until && left <= p.laterLength():
		t.endPart(p)
		t.turnDeadline(t.PromiseTo(p.Job))
		return
	case t.Now >= p.Until:
		t.noteLoss(p)
		t.rebook(t.bookedBut(p.Job), p)
	case p.Due() <= t.Now && !p.Met && !p.Broken():
		next := *p
		next.Met = true
		if t.keep(&next); !t.begins(p) {
			t.rebook(t.bookedBut(p.Job), &next)
		}
	case p.Wake == p.Ready && t.Target(j.ID) == nil:
		t.wish(j.ID)
	}
	t.clockPromise(j.ID)
}

// miss ends a promise whose deadline has passed although its job has not had its work.
func (t *transaction) miss(p *Promise) {
	t.noteLoss(p)
	t.forgo(p.Job)
	if j := t.edit(p.Job); !p.Broken() {
		t.emitJob(JobPromiseBroken, p.Job, Because(WhyMissed, int64(p.left(j, t.Now))))
		if t.Target(p.Job) == nil {
			t.wish(p.Job)
		}
	}
}

// runs reports whether all live tasks of the job have a VM.
func (t *transaction) runs(j *Job) bool {
	return !slices.ContainsFunc(j.Tasks, func(task Task) bool { return task.Phase != Done && !task.Present() })
}

// clockPromises notes when the promises of the edited jobs with deadlines ask for a decision, which depends on the pace
// of their jobs.
func (t *transaction) clockPromises() {
	if t.promises.Len() == 0 {
		return
	}
	for _, id := range t.editedJobs() {
		t.clockPromise(id)
	}
}

func (t *transaction) clockPromise(id JobID) {
	p := t.PromiseTo(id)
	if p == nil || p.Work == 0 {
		return
	}
	moved := t.movers.Has(mover{p.Until, id})
	wake := t.wake(p)
	since, had := t.watch(p)
	if wake != p.Wake || since != p.Since || p != t.promises.get(id) || moved != t.moving(p) {
		next := *p
		next.Wake, next.Since, next.Had = wake, since, had
		t.keep(&next)
	}
}
