package web

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/internal/sheet"
	"aliquot/web/api"
)

// exportPage is the number of events looked up at a time.
const exportPage = 10_000

func (s *server) registerExport(to huma.API) {
	op := operation("export-history", "GET", "/v1/history/export", cluster.Viewer, "Export past events",
		"Newest first, as JSON lines or as CSV for a spreadsheet. In CSV an apostrophe precedes text that would be a formula.")
	op.Responses = map[string]*huma.Response{"200": {Description: "One event per line",
		Content: map[string]*huma.MediaType{
			"application/jsonl": {Schema: &huma.Schema{Type: "string"}}, "text/csv": {Schema: &huma.Schema{Type: "string"}},
		}}}
	register(s, to, op, s.exportHistory)
}

func (s *server) exportHistory(ctx context.Context, in *struct {
	EventFilter
	From   time.Time `query:"from" doc:"Only events since then"`
	Format string    `query:"format" enum:"jsonl,csv" default:"jsonl"`
	Limit  int       `query:"limit" minimum:"1" maximum:"1000000" default:"100000" doc:"Events"`
}) (*huma.StreamResponse, error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	match, err := in.matcher(v)
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, func(ctx context.Context, out *message) error {
		before, left := Cursor{math.MaxUint64, 0}, in.Limit
		buffered := bufio.NewWriterSize(out, 64<<10)
		var rows exporter = jsonRows{json.NewEncoder(buffered)}
		kind := "application/jsonl"
		if in.Format == "csv" {
			rows, kind = csvRows{csv.NewWriter(buffered)}, "text/csv; charset=utf-8"
		}
		for first := true; left > 0 && ctx.Err() == nil; first = false {
			page, err := s.manager.History(ctx, HistoryQuery{before, timeFrom(in.From), min(left, exportPage), match})
			if err != nil {
				return err
			}
			if first {
				out.w.Header().Set("Content-Disposition", `attachment; filename="events.`+in.Format+`"`)
				out.begin(kind)
			}
			if err := rows.write(first, s.reader(ctx, v).events(page.Events)); err != nil {
				return err
			}
			if !page.More {
				break
			}
			left -= len(page.Events)
			before = page.Next
		}
		return buffered.Flush()
	})
}

func (r reader) events(list []cluster.Event) []api.Event {
	out := make([]api.Event, len(list))
	for i := range list {
		out[i] = r.event(&list[i])
	}
	return out
}

// exporter writes events; first marks the first batch.
type exporter interface {
	write(first bool, events []api.Event) error
}

type jsonRows struct{ to *json.Encoder }

func (j jsonRows) write(_ bool, events []api.Event) error {
	for i := range events {
		if err := j.to.Encode(&events[i]); err != nil {
			return err
		}
	}
	return nil
}

type csvRows struct{ to *csv.Writer }

func (c csvRows) write(first bool, events []api.Event) error {
	if first {
		// Flush returns the error
		_ = c.to.Write([]string{"id", "at", "kind", "job", "task", "run", "node", "from", "shareMillicores",
			"actor", "text", "tier"})
	}
	for i := range events {
		e := &events[i]
		task, run, share := "", "", ""
		if e.Task != nil {
			task = strconv.Itoa(*e.Task)
		}
		if e.Run != 0 {
			run = strconv.Itoa(e.Run)
		}
		if e.ShareMillicores != 0 {
			share = strconv.FormatInt(e.ShareMillicores, 10)
		}
		_ = c.to.Write([]string{e.ID, e.At.Format(time.RFC3339Nano), e.Kind, e.Job, task, run, sheet.Text(e.Node),
			sheet.Text(e.From), share, sheet.Text(e.Actor), sheet.Text(e.Text), e.Tier})
	}
	c.to.Flush()
	if err := c.to.Error(); err != nil {
		return fmt.Errorf("write the events: %w", err)
	}
	return nil
}
