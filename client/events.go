package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"aliquot/web/api"
)

// silence is the time after which a quiet stream counts as broken: three heartbeats.
const silence = 45 * time.Second

// EventFilter selects events; zero fields do not restrict.
type EventFilter struct {
	Job, Node string
	Kinds     []string // kinds or patterns
	Since     string   // the id of an event or a revision; "": from now on
	Hello     bool     // also yield an empty event whenever the stream is opened
}

// Events yields events as they happen until ctx ends. It resumes on another manager when one fails. It
// yields an error that cannot pass, such as the code resume_too_old, and ends.
func (c *Client) Events(ctx context.Context, f EventFilter) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) {
		query, last := f.query(), f.Since
		for failures := 0; ctx.Err() == nil; {
			var response *http.Response
			err := c.persist(ctx, func() (err error) {
				response, err = c.send(ctx, call{method: http.MethodGet, path: "/v1/events", query: query, lastID: last})
				return err
			})
			if err != nil {
				if ctx.Err() == nil {
					yield(api.Event{}, err)
				}
				return
			}
			progress, goOn := follow(response.Body, &last, f.Hello, yield)
			if !goOn {
				return
			}
			if failures++; progress {
				failures = 1
			}
			if sleep(ctx, pause(failures)) != nil {
				return
			}
		}
	}
}

// follow reads the stream of one connection and keeps the id of the last message in last. It reports
// whether any message arrived, and whether the receiver wants more.
func follow(stream io.ReadCloser, last *string, hello bool, yield func(api.Event, error) bool) (progress, goOn bool) {
	defer stream.Close()
	watchdog := time.AfterFunc(silence, func() { stream.Close() })
	defer watchdog.Stop()
	for m := range messages(stream) {
		watchdog.Reset(silence)
		progress, *last = true, m.id
		if m.kind == "heartbeat" || m.kind == "hello" && !hello {
			continue
		}
		var event api.Event
		if m.kind != "hello" {
			if err := json.Unmarshal(m.data, &event); err != nil {
				yield(event, fmt.Errorf("read event %s: %w", m.id, err))
				return progress, false
			}
		}
		if !yield(event, nil) {
			return progress, false
		}
	}
	return progress, true
}

// message is one server-sent event.
type message struct {
	kind, id string
	data     []byte
}

// messages splits a stream into messages until it ends or breaks. Resuming soon tells the two apart.
func messages(r io.Reader) iter.Seq[message] {
	return func(yield func(message) bool) {
		var m message
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				m.kind = value
			case "id":
				m.id = value
			case "data":
				m.data = []byte(value)
			case "":
				if m.kind != "" && !yield(m) {
					return
				}
				m = message{}
			}
		}
	}
}
