package cluster

import (
	"fmt"
	"iter"
)

// Reschedule moves the end of the interval that a job reserves, or its deadline, later by a time, or earlier if that is
// negative. The change is admitted as a new job would be.
type Reschedule struct {
	Job JobID
	By  Time // in microseconds
}

func (a Reschedule) apply(t *transaction) Result {
	j, r := t.steer(a.Job)
	if r == nil {
		r = t.Unready(a)
	}
	if r != nil {
		return Result{Rejection: r}
	}
	p := t.PromiseTo(j.ID)
	switch {
	case p == nil:
		return reject(CodeConflict, "job", "%v is promised nothing", j.ID)
	case a.By == 0 || a.By > maxReserved || a.By < -maxReserved:
		return reject(CodeInvalid, "by", "must be a time of up to 366 days")
	}
	was := j.Spec.end()
	spec := j.Spec.movedEnd(a.By)
	if r := t.unmovable(j, p, spec); r != nil {
		return Result{Rejection: r}
	}
	j.Spec, j.Shifted = spec, j.Shifted+a.By
	if p.Work > 0 {
		r = t.moveDeadline(j, p, was)
	} else {
		r = t.moveEnd(j, p)
	}
	if r != nil {
		return Result{Rejection: r}
	}
	t.loosened = true
	t.emitJob(JobRescheduled, j.ID, Because(WhyRescheduled, int64(was), int64(spec.end())))
	return Result{Job: j.ID}
}

// Submission returns the specification with the end that was submitted.
func (j *Job) Submission() *Spec {
	if j.Shifted == 0 {
		return j.Spec
	}
	return j.Spec.movedEnd(-j.Shifted)
}

// end returns the end of the interval that the job reserves, or its deadline.
func (s *Spec) end() Time {
	if s.Deadline != nil {
		return s.Deadline.By
	}
	return s.Reserve.end()
}

// movedEnd returns the specification with another end.
func (s *Spec) movedEnd(by Time) *Spec {
	spec := *s
	if s.Deadline != nil {
		d := *s.Deadline
		d.By += by
		spec.Deadline = &d
	} else {
		r := *s.Reserve
		r.Lasts += by
		spec.Reserve = &r
	}
	return &spec
}

// unmovable returns why the end cannot be moved, whatever the nodes have, or nil.
func (t *transaction) unmovable(j *Job, p *Promise, spec *Spec) *Rejection {
	end := spec.end()
	switch r := spec.Validate(); {
	case end <= t.Now:
		return invalid("by", "would end it at %s, and it is %s: cancel the job instead", end.Moment(), t.Now.Moment())
	case end > t.Now+maxReserved:
		return invalid("by", "must end within 366 days from now, not at %s", end.Moment())
	case r != nil:
		return r
	case p.Broken() && p.Work == 0:
		return reject(CodeConflict, "job", "the promise to %v is broken; it is made good if there is room again", j.ID).Rejection
	}
	return spec.limited(t.Now)
}

// moveEnd gives the promise of a reservation the end of its job's specification. From the moment it counts it stays on
// its nodes.
func (t *transaction) moveEnd(j *Job, p *Promise) *Rejection {
	next, b := *p, t.bookedBut(j.ID).beside(j.Spec).once()
	next.Until = j.Spec.Reserve.end()
	if next.Price = b.movedPrice(j, p, next.Until); next.Until > p.Until {
		nodes, fit := t.roomUntil(b, &next)
		if nodes == nil {
			return t.shortUntil(b, p, next.Until, fit)
		}
		if r := t.dearer(j, p, next.Price); r != nil {
			return t.orUntil(b, p, next.Until, r)
		}
		next.Nodes = t.assign(j, nodes)
	}
	t.keep(&next)
	if j.Why.Code == WhyKept {
		j.Why = next.Reason()
	} else if j.Why.Code == WhyInterval {
		j.Why = t.told(&next)
	}
	return nil
}

// roomUntil returns the nodes on which the promise has room, and the number of tasks for which there is.
func (t *transaction) roomUntil(b bookings, p *Promise) ([]NodeID, int) {
	j := t.Job(p.Job)
	_, may := t.usable(p)
	from := max(t.Now, p.Due())
	nodes, fit := b.find(j.Spec, j.Live(), p.Placement(j.Spec).Nodes, may, from, p.Until)
	if fair := b.fair(j.Spec, from, p.Until); fair < j.Live() {
		return nil, min(fit, fair)
	}
	return nodes, fit
}

// usable returns the nodes on which the promise may end, and which of them may be promised: its own nodes, and as long
// as it does not count, those that take VMs.
func (t *transaction) usable(p *Promise) (nodes iter.Seq[*Node], may func(*Node) bool) {
	j := t.Job(p.Job)
	has := p.Placement(j.Spec).Nodes
	own := func(n *Node) bool { return contains(has, n.ID) }
	if t.Now < p.Due() {
		return t.Nodes(), func(n *Node) bool { return own(n) || t.takes(n, j.Spec, j) }
	}
	return func(yield func(*Node) bool) {
		for n := range t.Nodes() {
			if own(n) && !yield(n) {
				return
			}
		}
	}, own
}

// shortUntil returns the rejection of an extension, with one that is possible.
func (t *transaction) shortUntil(b bookings, p *Promise, until Time, fit int) *Rejection {
	j := t.Job(p.Job)
	missing := j.Live() - min(fit, j.Live()-1)
	out := &Rejection{Code: CodeNoPromise, Field: "by"}
	from := max(t.Now, p.Due())
	limit, lack := b.cause(j, from, until)
	out.Detail = fmt.Sprintf("%s no room for %s between %s and %s: %s", limit, numbered(fmt.Sprint(missing), "task"),
		p.Until.Moment(), until.Moment(), asking(missing,
			coreTime(j.Spec.Need*CPU(missing), until-p.Until)+" and "+(Bytes(missing)*t.Charge(j.Spec)).Words()))
	if lack {
		nodes, may := t.usable(p)
		out.Detail += b.closedAmong(nodes, may, j.Spec, until-from, from, until)
	}
	return t.orUntil(b, p, until, out)
}

// orUntil adds to the rejection of an extension one that is possible, in whole minutes: the longest, unless the price
// falls again behind it.
func (t *transaction) orUntil(b bookings, p *Promise, until Time, r *Rejection) *Rejection {
	j := t.Job(p.Job)
	low, high := Time(0), (until-p.Until-1)/Minute
	for low < high {
		next, middle := *p, (low+high+1)/2
		next.Until = p.Until + middle*Minute
		nodes, _ := t.roomUntil(b, &next)
		if nodes != nil && t.dearer(j, p, b.movedPrice(j, p, next.Until)) == nil {
			low = middle
		} else {
			high = middle - 1
		}
	}
	if low > 0 {
		longest := Reservation{p.From, p.Until + low*Minute - p.From}
		r.Detail += "; possible now: until " + longest.end().Moment()
		r.Alternatives = []Alternative{{Reservation: longest, Tasks: j.Live(), Price: b.movedPrice(j, p, longest.end())}}
	}
	return r
}

// movedPrice returns the price of a promise of an interval with another end: that of a new promise of the interval,
// beside what is booked. It does not fall by an extension, and does not rise when time is given back. So moving the end
// to and fro gains nothing, as long as nothing else changes.
func (b bookings) movedPrice(j *Job, p *Promise, until Time) Price {
	whole := *j.Spec.reserving(Reservation{p.From, until - p.From})
	whole.Tasks = j.Live()
	cost := b.price(&whole)
	if until > p.Until {
		return max(p.Price, cost)
	}
	return min(p.Price, cost)
}

// nearerPrice returns the price of the promise of a deadline that is moved to an earlier time: that of a new job with
// the work that is left, if it is higher.
func (b bookings) nearerPrice(j *Job, p *Promise, by Time) Price {
	rest := *j.Spec.due(by)
	rest.Deadline.Lasts, rest.Deadline.Work, rest.Tasks = p.left(j, b.Now), 0, j.Live()
	return max(p.Price, b.price(&rest))
}

// cause says what leaves no room for the job over an interval, as the beginning of a sentence, and whether that is the
// nodes.
func (b bookings) cause(j *Job, from, until Time) (limit string, nodes bool) {
	if b.fair(j.Spec, from, until) < j.Live() {
		return b.ceiling(j.Spec, from, until).limit(), false
	}
	return "promises and nodes leave", true
}

// moveDeadline makes the promise of a deadline fit the one of its job's specification, within what its owner may be
// promised. A later deadline can make a broken promise good.
func (t *transaction) moveDeadline(j *Job, p *Promise, was Time) *Rejection {
	by := j.Spec.Deadline.By
	next, b := *p, t.bookedBut(j.ID).beside(j.Spec)
	if by < was {
		next.Price = b.nearerPrice(j, p, by)
	}
	short := t.Format >= keepsParts && p.Short && by > was
	if !p.Broken() && !short && p.End() <= by {
		if r := t.dearer(j, p, next.Price); r != nil {
			return r
		}
		t.keep(&next)
		if j.Why.Code == WhyDeadline {
			j.Why = t.told(p)
		}
		return nil
	}
	if p.Broken() {
		next.Until = by
	}
	t.rebookIf(b, &next, func(p *Promise) bool { return b.fair(j.Spec, max(t.Now, p.Due()), p.Until) >= j.Live() })
	if p := t.PromiseTo(j.ID); p != nil && p.Broken() || p != nil && p.End() > by {
		*b.looks = 0
		return t.tooTight(b, p, by)
	}
	return t.dearer(j, p, next.Price)
}

// dearer returns the rejection of a change that makes a promise cost more than is allowed, or nil.
func (t *transaction) dearer(j *Job, p *Promise, price Price) *Rejection {
	if price <= p.Price {
		return nil
	}
	r := t.tooDear(j.Spec, price)
	if r != nil {
		r.Field = "by"
	}
	return r
}

// tooTight returns the rejection of a deadline until which the work that is left finds no room.
func (t *transaction) tooTight(b bookings, p *Promise, by Time) *Rejection {
	j := t.Job(p.Job)
	left := p.left(j, t.Now)
	out := &Rejection{Code: CodeNoPromise, Field: "by"}
	limit, lack := b.cause(j, max(t.Now, by-p.padded(left)-p.Lead), by)
	out.Detail = fmt.Sprintf("%s no room until %s for what is left, %s at full CPU %s", limit, by.Moment(), left.Words(),
		j.Spec.Deadline.tried())
	if lack {
		may := func(n *Node) bool { return t.takes(n, j.Spec, j) }
		out.Detail += b.closedAmong(b.Nodes(), may, j.Spec, p.padded(left), max(t.Now, p.Ready), by)
	}
	if start, found := b.earliest(j.Spec, max(t.Now, p.Ready)+p.Lead, p.padded(left)); found {
		end := (start + p.padded(left) + Minute - 1) / Minute * Minute
		out.Detail += "; possible now: by " + end.Moment()
		out.Alternatives = []Alternative{{Reservation: Reservation{start, p.padded(left)}, Tasks: j.Live(), By: end}}
	}
	return out
}
