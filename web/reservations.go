package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerReservations(to huma.API) {
	register(s, to, operation("list-reservations", "GET", "/v1/reservations", cluster.Viewer, "List reservations",
		"What is promised to jobs, and when. A job with reserve or deadline makes one, and its end or cancellation gives it back. "+
			"Also what the policy booked for waiting jobs."),
		s.listReservations)
	register(s, to, operation("extend-reservation", "POST", "/v1/reservations/{job}/extend", cluster.User,
		"Extend a reservation", "Moves the end of its interval, or its deadline, later. It is refused with the shortfall if "+
			"there is no room, and if its price would be too high. The answer tells the price."), s.extendReservation)
	register(s, to, operation("shorten-reservation", "POST", "/v1/reservations/{job}/shorten", cluster.User,
		"Shorten a reservation", "Moves the end of its interval, or its deadline, earlier. A deadline is refused if its work "+
			"finds no room before."), s.shortenReservation)
}

// Moving is a request to move the end of what is promised to a job.
type Moving struct {
	JobCommand
	Body api.Moving
}

func (s *server) extendReservation(ctx context.Context, in *Moving) (*body[api.Accepted], error) {
	return s.moveEnd(ctx, in, 1)
}

func (s *server) shortenReservation(ctx context.Context, in *Moving) (*body[api.Accepted], error) {
	return s.moveEnd(ctx, in, -1)
}

// moveEnd moves the end of a promise later, or earlier if sign is -1.
func (s *server) moveEnd(ctx context.Context, in *Moving, sign cluster.Time) (*body[api.Accepted], error) {
	by, err := duration("by", in.Body.By)
	if err != nil {
		return nil, err
	}
	out, err := s.steer(ctx, in.JobCommand, func(id cluster.JobID) cluster.Action {
		return cluster.Reschedule{Job: id, By: sign * by}
	})
	if err != nil {
		return nil, err
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return out, nil // it is done all the same
	}
	if id, err := cluster.ParseJobID(in.Job); err == nil {
		out.Body.Promise = s.reader(ctx, v).promise(id)
	}
	return out, nil
}

func (s *server) listReservations(ctx context.Context, _ *struct{}) (*body[api.ReservationList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	r, list := s.reader(ctx, v), api.ReservationList{Reservations: []api.Reservation{}}
	for p := range v.Promised() {
		j := v.Job(p.Job)
		out := api.Reservation{
			Job: j.ID.String(), Name: j.Spec.Name, Owner: j.Spec.Owner, Project: j.Spec.Project, Tasks: j.Live(),
			CPUMillicores: int64(j.Spec.Need), MemoryBytes: int64(v.Charge(j.Spec)), Promise: *r.promise(j.ID),
		}
		if j.Standing != 0 {
			out.Standing = j.Standing.String()
		}
		list.Reservations = append(list.Reservations, out)
	}
	slices.SortStableFunc(list.Reservations, func(a, b api.Reservation) int { return a.From.Compare(b.From) })
	list.Expected, list.Capacity, list.Margin = expectedStarts(v), promisable(v), margin(v)
	list.ExpectedTotal = len(list.Expected)
	list.Expected = list.Expected[:min(len(list.Expected), maxExpected)]
	return answer(list), nil
}

// promisable lists the CPU that promises can count on.
func promisable(v *cluster.Snapshot) (list []api.Promisable) {
	for _, p := range v.Promisable() {
		list = append(list, api.Promisable{From: clock(p.From), CPUMillicores: int64(p.CPU)})
	}
	return list
}

// margin tells the margin of new promises with a deadline.
func margin(v *cluster.Snapshot) api.Margin {
	part, measured, learnt := v.Margin()
	return api.Margin{Part: part.Float(), Measured: measured, Learnt: learnt}
}

// maxExpected is the number of expected starts that are listed.
const maxExpected = 1000

// expectedStarts lists when waiting jobs start by the estimates, the earliest first.
func expectedStarts(v *cluster.Snapshot) []api.ExpectedStart {
	list := []api.ExpectedStart{}
	for j := range v.Jobs() {
		start, booked := v.ExpectedStart(j)
		if !booked || !v.Wants(j) || v.Target(j.ID) != nil {
			continue
		}
		e := api.ExpectedStart{Job: j.ID.String(), Name: j.Spec.Name, Owner: j.Spec.Owner, Project: j.Spec.Project,
			Tasks: j.Live(), CPUMillicores: int64(j.Spec.Need), Start: clock(start)}
		if lasts := j.Forecast(v.At); lasts > 0 {
			e.Until = clockOrNil(start + lasts)
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b api.ExpectedStart) int { return a.Start.Compare(b.Start) })
	return list
}

// promise returns what is kept for the job, or nil.
func (r reader) promise(id cluster.JobID) *api.Promise {
	p := r.view.PromiseTo(id)
	if p == nil {
		return nil
	}
	out := &api.Promise{State: promiseState(p, r.view.At), From: clock(p.From), Until: clock(p.Until), Due: clock(p.Due()),
		Nodes: []string{}, Indexes: []int{}, PriceCoreHours: p.Price.CoreHours()}
	r.punctual(out, p)
	for i, n := range p.Nodes {
		if n != 0 {
			out.Nodes, out.Indexes = append(out.Nodes, r.node(n)), append(out.Indexes, i)
		}
	}
	if len(p.Later) > 0 {
		out.Parts = r.parts(p.Parts())
	}
	return out
}

// parts returns the parts of a promise.
func (r reader) parts(list []cluster.Part) (out []api.Part) {
	for _, part := range list {
		one := api.Part{From: clock(part.From), Until: clock(part.Until)}
		for _, n := range part.Nodes {
			if n != 0 {
				one.Nodes = append(one.Nodes, r.node(n))
			}
		}
		out = append(out, one)
	}
	return out
}

// punctual adds what is said of a promise with a deadline.
func (r reader) punctual(out *api.Promise, p *cluster.Promise) {
	left, has := r.view.Left(p)
	if !has {
		return
	}
	seconds, slack := left.Seconds(), max(0, p.Due()-r.view.At).Seconds()
	out.LeftSeconds, out.Deadline = &seconds, clockOrNil(r.view.Job(p.Job).Spec.Deadline.By)
	out.Margin = p.MarginKept().Float()
	if out.Ready = clockOrNil(p.Ready); out.State == "promised" {
		out.SlackSeconds = &slack
	}
	if short := r.view.Lacks(p).Seconds(); short > 0 {
		out.ShortSeconds, out.SlackSeconds = &short, nil
	}
}

func promiseState(p *cluster.Promise, now cluster.Time) string {
	switch {
	case now >= p.End():
		return "over"
	case p.Broken():
		return "broken"
	case p.Due() <= now && now < p.Until:
		return "in_force"
	}
	return "promised"
}

// reservation reads the interval that a job reserves; nil: none.
func reservation(in *api.Reserve) (*cluster.Reservation, error) {
	if in == nil {
		return nil, nil
	}
	start, err := momentOf("reserve.start", in.Start)
	if err != nil {
		return nil, err
	}
	lasts, err := duration("reserve.duration", cmp.Or(in.Duration, "0"))
	return &cluster.Reservation{Start: start, Lasts: lasts}, err
}

// deadline reads the deadline of a job; nil: none.
func deadline(in *api.Deadline) (d *cluster.Deadline, err error) {
	if in == nil {
		return nil, nil
	}
	d = &cluster.Deadline{Pausable: in.Pausable}
	if d.By, err = momentOf("deadline.by", in.By); err != nil {
		return nil, err
	}
	if in.Ready != "" {
		if d.Ready, err = momentOf("deadline.ready", in.Ready); err != nil {
			return nil, err
		}
	}
	if in.Duration != "" {
		if d.Lasts, err = duration("deadline.duration", in.Duration); err != nil {
			return nil, err
		}
	}
	if in.Work != "" {
		d.Work, err = duration("deadline.work", in.Work)
	}
	return d, err
}

// momentOf reads a moment of the field.
func momentOf(field, text string) (cluster.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, newProblem(string(cluster.CodeInvalid), field, "is not a time: write one like 2026-11-26T14:00:00Z")
	}
	return cluster.Time(at.UnixMicro()), nil
}

// deadlineJSON returns the deadline as for submission; nil: none.
func deadlineJSON(d *cluster.Deadline) *api.Deadline {
	if d == nil {
		return nil
	}
	out := &api.Deadline{By: clock(d.By).Format(time.RFC3339Nano), Duration: span(d.Lasts), Work: span(d.Work),
		Pausable: d.Pausable}
	if d.Ready > 0 {
		out.Ready = clock(d.Ready).Format(time.RFC3339Nano)
	}
	return out
}

// reserveJSON returns the interval as for submission; nil: none.
func reserveJSON(r *cluster.Reservation) *api.Reserve {
	if r == nil {
		return nil
	}
	return &api.Reserve{Start: clock(r.Start).Format(time.RFC3339Nano), Duration: span(r.Lasts)}
}

// alternativesJSON returns the reservations that could be promised instead.
func alternativesJSON(list []cluster.Alternative) (out []api.Alternative) {
	for _, a := range list {
		lasts := a.Lasts
		var list []api.Part
		if a.Parts != nil {
			lasts = 0
		}
		for _, part := range a.Parts {
			lasts += part.Until - part.From
			list = append(list, api.Part{From: clock(part.From), Until: clock(part.Until)})
		}
		lasts = (lasts + cluster.Second - 1) / cluster.Second * cluster.Second // it includes a margin
		out = append(out, api.Alternative{Start: clock(a.Start), Duration: span(lasts), Tasks: a.Tasks, Parts: list,
			Deadline: clockOrNil(a.By), Expires: clockOrNil(a.Expires),
			PriceCoreHours: a.Price.CoreHours()})
		if a.Offer != 0 {
			out[len(out)-1].Offer = a.Offer.String()
		}
	}
	return out
}
