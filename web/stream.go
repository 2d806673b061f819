package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/klauspost/compress/gzhttp"

	"aliquot/cluster"
	"aliquot/web/api"
)

// writeTime is the time limit for a client to accept one message of a stream.
const writeTime = 30 * time.Second

// followEvents answers with a stream that lasts until the client leaves, falls behind, or its token ends.
func (s *server) followEvents(ctx context.Context, in *struct {
	EventFilter
	Since string `query:"since" maxLength:"32" doc:"The id of an event, or a revision; left out: from now on" example:"1204.0"`
	Last  string `header:"Last-Event-ID" maxLength:"32" doc:"Sent by browsers that resume; takes precedence over since"`
}) (*huma.StreamResponse, error) {
	v := s.manager.Latest()
	after, field, from := Cursor{v.Revision, math.MaxInt32}, "since", in.Since
	if in.Last != "" {
		field, from = "Last-Event-ID", in.Last
	}
	if from != "" {
		var err error
		if after, err = parseCursor(field, from); err != nil {
			return nil, err
		}
	}
	match, err := in.matcher(v)
	if err != nil { // a manager that has just started may not know the node or the job yet
		if v, err = s.manager.Snapshot(ctx); err != nil {
			return nil, err
		}
		if match, err = in.matcher(v); err != nil {
			return nil, err
		}
	}
	return s.stream(ctx, func(ctx context.Context, out *message) error {
		// The subscription lasts as long as the stream, not only for the request's time limit.
		events, err := s.manager.Events(ctx, after)
		if err != nil {
			return err
		}
		return s.pump(ctx, out, events, after, match)
	})
}

// stream reserves a stream and runs the producer with the connection's own context, which ends with the token.
func (s *server) stream(ctx context.Context, produce func(context.Context, *message) error) (*huma.StreamResponse,
	error) {
	owner := actor(ctx).Owner
	return &huma.StreamResponse{Body: func(c huma.Context) {
		r, w := humamux.Unwrap(c)
		if !s.streams.enter(owner) {
			newProblem(codeTooMany, "", "this owner has %d streams open, or the manager %d", streamsPerOwner,
				streamsInAll).write(w)
			return
		}
		defer s.streams.leave(owner)
		out := &message{w: w, control: http.NewResponseController(w)}
		_ = out.control.SetReadDeadline(time.Time{}) // a recorder in a test has none
		ctx, cancel := s.whileValid(c.Context())
		defer cancel()
		if err := produce(ctx, out); err != nil && !out.begun {
			problemOf(err).write(w)
		} else if err != nil && r.Context().Err() == nil {
			s.log.Debug().Err(err).Str("path", r.URL.Path).Msg("stream ended")
		}
	}}, nil
}

// whileValid returns a context that ends within a heartbeat of the revocation or expiry of the request's token.
func (s *server) whileValid(of context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(of)
	go func() {
		defer cancel(errors.New("its token or session is not valid any more"))
		beat := time.NewTicker(s.beat)
		defer beat.Stop()
		for s.stillValid(ctx) {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// pump sends hello, the matching events, and heartbeats.
func (s *server) pump(ctx context.Context, out *message, events <-chan cluster.Event, last Cursor,
	match func(*cluster.Event) bool) error {
	out.begin("text/event-stream")
	if err := out.send("hello", last, s.hello()); err != nil {
		return err
	}
	beat := time.NewTicker(s.beat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, more := <-events:
			if !more {
				return nil
			}
			last = cursorOf(&e)
			if !match(&e) {
				continue
			}
			read := reader{view: s.manager.Latest()}
			if err := out.send(string(e.Kind), last, read.event(&e)); err != nil {
				return err
			}
		case <-beat.C:
			if err := out.send("heartbeat", last, s.hello()); err != nil {
				return err
			}
		}
	}
}

func (s *server) hello() api.Hello {
	h := s.manager.Health()
	return api.Hello{Revision: h.Revision, Replica: h.Replica}
}

// message writes the pieces of a stream, each within writeTime.
type message struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

func (m *message) begin(contentType string) {
	m.begun = true
	m.w.Header().Set("Content-Type", contentType)
	m.w.Header().Set("X-Accel-Buffering", "no")
	m.w.WriteHeader(http.StatusOK)
}

// send writes one server-sent event. A client resumes after its id.
func (m *message) send(kind string, id Cursor, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	_, err = fmt.Fprintf(m, "event: %s\nid: %v\ndata: %s\n\n", kind, id, text)
	return err
}

// Write sends the bytes at once.
func (m *message) Write(p []byte) (int, error) {
	_ = m.control.SetWriteDeadline(time.Now().Add(writeTime)) // a recorder in a test has none
	n, err := m.w.Write(p)
	if err != nil {
		return n, fmt.Errorf("write to the client: %w", err)
	}
	return n, m.control.Flush()
}

// copyFrom sends the reader's content as it arrives, and returns its bytes.
func (m *message) copyFrom(r io.Reader) (int64, error) {
	if err := m.beginText(); err != nil {
		return 0, err
	}
	return io.Copy(onlyWriter{m}, r)
}

// beginText begins a text, unless the stream has begun.
func (m *message) beginText() error {
	if m.begun {
		return nil
	}
	m.w.Header().Set(gzhttp.HeaderNoCompression, "") // otherwise the header would wait for the first text
	m.begin("text/plain; charset=utf-8")
	_, err := m.Write(nil)
	return err
}

// pause begins a text that nothing is known of yet, and waits.
func (m *message) pause(ctx context.Context, d time.Duration) error {
	if err := m.beginText(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// onlyWriter hides all but Write, so that io.Copy sends every piece at once.
type onlyWriter struct{ io.Writer }
