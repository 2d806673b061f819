package web

import (
	"context"
	"fmt"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

// EventFilter selects events. Empty fields do not restrict.
type EventFilter struct {
	Job  string   `query:"job" maxLength:"32" example:"j17"`
	Node string   `query:"node" maxLength:"63" doc:"Node of the event, or source of a migration"`
	Kind []string `query:"kind" maxItems:"64" doc:"Kinds, or patterns with *" example:"task_*"`
}

func (s *server) registerEvents(to huma.API) {
	register(s, to, operation("list-history", "GET", "/v1/history", cluster.Viewer, "Past events",
		"Newest first, as far back as they are kept. A page looks at about 16 MiB of them, so a filter may leave it empty: "+
			"go on while there is a next one."), s.listHistory)
	s.registerExport(to)
	follow := operation("follow-events", "GET", "/v1/events", cluster.Viewer, "Follow events",
		"A stream of server-sent events: `hello` at once, then each event under its kind, and a `heartbeat` every 15 s. "+
			"Resume with Last-Event-ID or since; older than what is kept is 410 resume_too_old. Open one stream per program.")
	follow.Responses = map[string]*huma.Response{"200": {
		Description: "The stream; data is an Event, or a Hello for hello and heartbeat",
		Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: "string"}}},
	}}
	to.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[api.Hello](), true, "Hello")
	register(s, to, follow, s.followEvents)
}

func (s *server) listHistory(ctx context.Context, in *struct {
	EventFilter
	From   time.Time `query:"from" doc:"Only events since then"`
	Cursor string    `query:"cursor" maxLength:"32" doc:"Next of the page before" example:"1204.0"`
	Limit  int       `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}) (*body[api.EventPage], error) {
	before := Cursor{math.MaxUint64, 0}
	if in.Cursor != "" {
		var err error
		if before, err = parseCursor("cursor", in.Cursor); err != nil {
			return nil, err
		}
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	match, err := in.matcher(v)
	if err != nil {
		return nil, err
	}
	found, err := s.manager.History(ctx, HistoryQuery{before, timeFrom(in.From), in.Limit + 1, match})
	if err != nil {
		return nil, err
	}
	page := api.EventPage{}
	switch {
	case len(found.Events) > in.Limit:
		found.Events = found.Events[:in.Limit]
		page.Next = cursorOf(&found.Events[in.Limit-1]).String()
	case found.More:
		page.Next = found.Next.String()
	}
	page.Events = s.reader(ctx, v).events(found.Events)
	return answer(page), nil
}

// timeFrom returns the time of a request; without one, a time before everything.
func timeFrom(t time.Time) cluster.Time {
	if t.IsZero() {
		return 0
	}
	return timeOf(t)
}

// matcher returns a function that tests events against the filter.
func (f *EventFilter) matcher(v *cluster.Snapshot) (func(*cluster.Event) bool, error) {
	var job cluster.JobID
	var node cluster.NodeID
	if f.Job != "" {
		var err error
		if job, err = jobNumber("job", f.Job); err != nil {
			return nil, err
		}
		if job >= v.NextJob { // one that was forgotten may have events
			return nil, newProblem(string(cluster.CodeNotFound), "job", "there is no job %v", job)
		}
	}
	if f.Node != "" {
		n, err := nodeNamed(v, f.Node)
		if err != nil {
			return nil, err
		}
		node = n.ID
	}
	for _, k := range f.Kind {
		if err := checkKind(k); err != nil {
			return nil, err
		}
	}
	return func(e *cluster.Event) bool {
		return (job == 0 || e.Job == job) && (node == 0 || e.Node == node || e.From == node) && f.kind(e)
	}, nil
}

// checkKind refuses patterns that can never match.
func checkKind(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil {
		return newProblem(string(cluster.CodeInvalid), "kind", "is not a valid pattern: close its brackets")
	}
	matches := func(kind cluster.EventKind) bool { ok, _ := path.Match(pattern, string(kind)); return ok }
	if slices.ContainsFunc(cluster.EventKinds(), matches) {
		return nil
	}
	return newProblem(string(cluster.CodeInvalid), "kind", "there is no such kind of event; there are %s",
		strings.Join(nearKinds(pattern), ", "))
}

// nearKinds lists the kinds that share a word with the pattern; without any, the prefixes of all kinds.
func nearKinds(pattern string) (near []string) {
	words := strings.FieldsFunc(pattern, func(r rune) bool { return !unicode.IsLetter(r) })
	var begin []string
	for _, kind := range cluster.EventKinds() {
		parts := strings.Split(string(kind), "_")
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(parts, w) }) {
			near = append(near, string(kind))
		}
		begin = append(begin, parts[0]+"_*")
	}
	if near == nil {
		slices.Sort(begin)
		near = slices.Compact(begin)
	}
	return near
}

func (f *EventFilter) kind(e *cluster.Event) bool {
	for _, k := range f.Kind {
		if ok, _ := path.Match(k, string(e.Kind)); ok {
			return true
		}
	}
	return len(f.Kind) == 0
}

// String returns the cursor as the id of a message in an event stream.
func (c Cursor) String() string { return fmt.Sprintf("%d.%d", c.Revision, c.Index) }

func cursorOf(e *cluster.Event) Cursor { return Cursor{e.Revision, e.Index} }

// parseCursor parses revision.index. A revision alone means after all its events.
func parseCursor(field, s string) (Cursor, error) {
	revision, index, indexed := strings.Cut(s, ".")
	c := Cursor{Index: math.MaxInt32}
	var err1, err2 error
	c.Revision, err1 = strconv.ParseUint(revision, 10, 64)
	if indexed {
		c.Index, err2 = strconv.Atoi(index)
	}
	if err1 != nil || err2 != nil || c.Index < 0 {
		return Cursor{}, newProblem(string(cluster.CodeInvalid), field,
			"is not an event cursor: send the id of an event, like 1204.0, or a revision")
	}
	return c, nil
}

// beneath names the background.
func beneath(t cluster.Tier) string {
	if t == cluster.Background {
		return t.String()
	}
	return ""
}

func (r reader) event(e *cluster.Event) api.Event {
	out := api.Event{
		ID: cursorOf(e).String(), Revision: e.Revision, At: clock(e.At), Kind: string(e.Kind), Run: e.Run,
		Node: r.node(e.Node), From: r.node(e.From), ShareMillicores: int64(e.CPU), Tier: beneath(e.Tier), Actor: e.Actor,
		Text: r.cause(e.Cause),
	}
	if e.Job != 0 {
		out.Job = e.Job.String()
	}
	if e.Job != 0 && e.Task >= 0 {
		index := e.Task
		out.Task = &index
	}
	return out
}
