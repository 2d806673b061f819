package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"
	_ "time/tzdata" // managers need not have the zones

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

// StandingCommand is a request to change a standing reservation.
type StandingCommand struct {
	Keyed
	Standing string `path:"standing" maxLength:"32" doc:"Its id" example:"s3"`
}

func (s *server) registerStanding(to huma.API) {
	register(s, to, operation("list-standing", "GET", "/v1/standing", cluster.Viewer, "List standing reservations",
		"Those that are made again every week."), s.listStanding)
	make := operation("create-standing", "POST", "/v1/standing", cluster.User, "Make a standing reservation",
		"Each occurrence is a job that reserves its interval, submitted two weeks before it begins. Those of the first two "+
			"weeks are submitted at once: all of them, or none, with the first that cannot be promised and its shortfall.")
	make.DefaultStatus = http.StatusCreated
	register(s, to, make, s.createStanding)
	register(s, to, operation("cancel-standing", "DELETE", "/v1/standing/{standing}", cluster.User,
		"Cancel a standing reservation", "Its jobs that have not begun are cancelled, too. Others go on."), s.cancelStanding)
}

func (s *server) listStanding(ctx context.Context, _ *struct{}) (*body[api.StandingList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.StandingList{Standing: []api.Standing{}}
	for o := range v.Standings() {
		list.Standing = append(list.Standing, standingJSON(v, o))
	}
	return answer(list), nil
}

func standingJSON(v *cluster.Snapshot, o *cluster.Standing) api.Standing {
	out := api.Standing{Standing: o.ID.String(), Name: o.Spec.Name, Owner: o.Spec.Owner, Project: o.Spec.Project,
		Tasks: o.Spec.Tasks, CPUMillicores: int64(o.Spec.Need), MemoryBytes: int64(v.Charge(o.Spec)), Days: []string{},
		Start: clock(o.Week.Start).Format("15:04"), Duration: span(o.Lasts), Zone: o.Week.Zone,
		Until: clock(o.Week.Until), Jobs: []string{}, Next: clockOrNil(o.Next), NextStart: clockOrNil(nextStart(v, o)),
		Missing: []time.Time{}}
	for i, day := range dayNames {
		if o.Week.Days.Has(i) {
			out.Days = append(out.Days, day)
		}
	}
	for j := range v.Occurrences(o.ID) {
		out.Jobs = append(out.Jobs, j.ID.String())
	}
	for _, start := range o.Missing {
		out.Missing = append(out.Missing, clock(start))
	}
	return out
}

// nextStart returns the start of the next occurrence that is promised or not submitted yet; 0: there is none.
func nextStart(v *cluster.Snapshot, o *cluster.Standing) cluster.Time {
	next := o.Next
	for j := range v.Occurrences(o.ID) {
		if start := j.Spec.Reserve.Start; start > v.At && (next == 0 || start < next) {
			next = start
		}
	}
	return next
}

// dayNames are the days of the week, as cluster.Weekdays counts them.
var dayNames = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

func (s *server) createStanding(ctx context.Context, in *struct {
	Keyed
	Body api.StandingSpec
}) (*body[api.Accepted], error) {
	a, err := s.standOf(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	result, err := s.do(ctx, in.Key, *a)
	if err != nil {
		return nil, err
	}
	if result.Repeated {
		return s.standsAlready(ctx, result, request(ctx, in.Key), a, in.Body.Until != "")
	}
	return accepted(result), nil
}

// standOf reads a standing reservation.
func (s *server) standOf(ctx context.Context, in *api.StandingSpec) (*cluster.Stand, error) {
	spec, err := specOf(&in.Job, actor(ctx), s.images(ctx))
	if err != nil {
		return nil, err
	}
	v := s.manager.Latest()
	a := &cluster.Stand{Spec: spec}
	if a.Lasts, err = duration("duration", in.Duration); err != nil {
		return nil, err
	}
	occurrence := *spec
	occurrence.Reserve = &cluster.Reservation{Start: v.At, Lasts: a.Lasts}
	if err := estimated(v, s.manager.Refusal(v, &occurrence)); err != nil {
		return nil, err
	}
	a.Week, err = week(in, clock(v.At))
	return a, err
}

// standsAlready answers a repeated request with what it made, if that stands. Its end counts if it was named.
func (s *server) standsAlready(ctx context.Context, result cluster.Result, request string, a *cluster.Stand,
	named bool) (*body[api.Accepted], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	for o := range v.Standings() {
		if o.Request != request {
			continue
		}
		if specText(o.Spec) != specText(a.Spec) || o.Lasts != a.Lasts || o.Week.Days != a.Week.Days ||
			o.Week.Start != a.Week.Start || o.Week.Zone != a.Week.Zone || named && !sameDay(&o.Week, &a.Week) {
			return nil, newProblem(codeKeyReused, "Idempotency-Key", "this key was used for %v, which differs", o.ID)
		}
		result.Standing = o.ID
		return accepted(result), nil
	}
	return nil, newProblem(codeKeyReused, "Idempotency-Key", "what this key made does not stand any more")
}

// sameDay reports whether the last days are the same. An end two years away depends on the time of the request.
func sameDay(a, b *cluster.Week) bool {
	zone, err := time.LoadLocation(a.Zone)
	day := func(w *cluster.Week) string { return clock(w.Until).In(zone).Format(time.DateOnly) }
	return err == nil && day(a) == day(b)
}

// week reads when occurrences begin. The zone becomes its offsets until then, as every manager has to agree on them.
func week(in *api.StandingSpec, now time.Time) (w cluster.Week, err error) {
	for _, day := range in.Days {
		w.Days |= 1 << slices.Index(dayNames, day)
	}
	start, err := time.Parse("15:04", in.Start)
	if err != nil {
		return w, newProblem(string(cluster.CodeInvalid), "start", "is not a time of the day: write one like 09:00")
	}
	w.Start = cluster.Time(start.Hour())*cluster.Hour + cluster.Time(start.Minute())*cluster.Minute
	w.Zone = cmp.Or(in.Zone, "UTC")
	zone, err := time.LoadLocation(w.Zone)
	if err != nil || w.Zone == "Local" {
		return w, newProblem(string(cluster.CodeInvalid), "zone", "is no time zone that is known: write one like Europe/Paris")
	}
	latest := now.AddDate(2, 0, 0)
	last := latest.In(zone).AddDate(0, 0, -1)
	if in.Until != "" {
		if last, err = time.ParseInLocation(time.DateOnly, in.Until, zone); err != nil {
			return w, newProblem(string(cluster.CodeInvalid), "until", "is not a day: write one like 2027-06-30")
		}
		if last.After(latest) {
			return w, newProblem(string(cluster.CodeInvalid), "until", "must be within two years from now")
		}
	}
	year, month, day := last.Date()
	until := earlier(latest, time.Date(year, month, day+1, 0, 0, 0, -1000, zone))
	w.Until = cluster.Time(until.UnixMicro())
	w.Offsets = offsets(zone, now.AddDate(-1, 0, 0).Truncate(24*time.Hour), until) // the cluster's time may be set back
	return w, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// offsets returns those of a zone from a time to another.
func offsets(zone *time.Location, from, until time.Time) (list []cluster.Offset) {
	for at := from.In(zone); ; {
		_, east := at.Zone()
		list = append(list, cluster.Offset{From: cluster.Time(at.UnixMicro()), East: cluster.Time(east) * cluster.Second})
		_, end := at.ZoneBounds()
		if end.IsZero() || end.After(until) {
			return list
		}
		at = end
	}
}

func (s *server) cancelStanding(ctx context.Context, in *StandingCommand) (*body[api.Accepted], error) {
	id, err := cluster.ParseStandingID(in.Standing)
	if err != nil {
		return nil, newProblem(string(cluster.CodeNotFound), "standing", "is no id of a standing reservation, like s3")
	}
	result, err := s.do(ctx, in.Key, cluster.CancelStanding{Standing: id})
	if err != nil {
		return nil, err
	}
	return accepted(result), nil
}
