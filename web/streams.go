package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"aliquot/cluster"
	"aliquot/guest/stream"
)

// Limits of streams into VMs.
const (
	tunnelsInAll    = 512
	tunnelsPerOwner = 64
	tunnelIdle      = time.Hour // without a frame
	tunnelLife      = 24 * time.Hour
	requestFrame    = 10 * time.Second // to send the command
)

// errStops ends streams into VMs because the manager stops, or the leader that it passes them on to.
var errStops = errors.New("the manager stops")

// errNodeLost ends streams whose VM cannot be reached any more.
var errNodeLost = errors.New("the connection to the task's node broke")

// Stream carries the frames of a stream into a VM; see package guest/stream. Send and Receive may be called
// concurrently, and block while the other end is slow. Receive fails when the stream is over.
type Stream interface {
	Send(frame []byte) error
	Receive() ([]byte, error)
	io.Closer
}

// TaskPath names a task in a path.
type TaskPath struct {
	JobPath
	Task int `path:"task" minimum:"0" doc:"Its index" example:"0"`
}

func (s *server) registerStreams(to huma.API) {
	const base, about = "/v1/jobs/{job}/tasks/{task}/", "\n\nA WebSocket. Its binary messages are frames: the first byte says what follows. " +
		"3: data, both ways; 5: no more data follows, both ways. From the task also 2: it is connected; 4: standard error; and last " +
		"6: JSON with `code` and `error`. A frame has at most 16 KiB. The stream ends when the VM is paused or moved, " +
		"after an hour without data, and after a day; a manager that stops closes it with code 1001. For the job's owner and for operators."
	upgrade := func(op huma.Operation) huma.Operation {
		op.Responses = map[string]*huma.Response{"101": {Description: "The stream begins"}}
		return audited(op)
	}
	register(s, to, upgrade(operation("forward-port", "GET", base+"forward", cluster.User, "Connect to a port of a task",
		"TCP on its loopback, or else at its own address."+about)), s.forwardPort)
	register(s, to, upgrade(operation("exec-command", "GET", base+"exec", cluster.User, "Run a command beside a task",
		"As the task runs: in its VM, with its user, environment and folder. The first message is 1 and JSON with `command`, "+
			"a list of words, and perhaps `terminal`, the size of a terminal (`rows`, `columns`), which 7 and JSON changes; "+
			"data is its standard input and output. It is killed when the stream ends."+about)), s.execCommand)
}

func (s *server) forwardPort(ctx context.Context, in *struct {
	TaskPath
	Port int `query:"port" required:"true" minimum:"1" maximum:"65535" doc:"Port of TCP" example:"80"`
}) (*huma.StreamResponse, error) {
	recordOf(ctx).about(fmt.Sprintf("%s %d port %d", in.Job, in.Task, in.Port))
	return s.tunnel(ctx, in.TaskPath, func(context.Context, *websocket.Conn) ([]byte, error) {
		return stream.Request{Port: in.Port}.Frame(), nil
	})
}

func (s *server) execCommand(ctx context.Context, in *TaskPath) (*huma.StreamResponse, error) {
	return s.tunnel(ctx, *in, func(ctx context.Context, conn *websocket.Conn) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, requestFrame)
		defer cancel()
		_, frame, err := conn.Read(ctx)
		if err != nil {
			return nil, errors.New("no command came")
		}
		if len(frame) == 0 || stream.Kind(frame[0]) != stream.Open {
			return nil, errors.New("the first message is not a command")
		}
		request, err := stream.Decode[stream.Request](frame)
		if err == nil && len(request.Command) == 0 {
			err = errors.New("the command is empty")
		}
		if err == nil {
			err = request.Check()
		}
		return request.Frame(), err
	})
}

// steerable returns the run of a task into whose VM the actor may open a stream.
func (s *server) steerable(ctx context.Context, in TaskPath) (run cluster.RunID, err error) {
	_, j, err := s.find(ctx, in.JobPath)
	if err != nil {
		return run, err
	}
	if !actor(ctx).Steers(j.Spec) {
		return run, newProblem(string(cluster.CodeForbidden), "", "%v belongs to %s in project %s", j.ID, j.Spec.Owner,
			j.Spec.Project)
	}
	if run, err = runIn(j, in.Task, 0); err != nil {
		return run, err
	}
	if t := j.Tasks[in.Task]; t.Phase != cluster.Running || t.Frozen {
		state := map[cluster.Phase]string{cluster.Idle: "has no VM yet", cluster.Booting: "boots", cluster.Saved: "is paused",
			cluster.Running: "is frozen", cluster.Done: "has ended"}[t.Phase]
		return run, newProblem(string(cluster.CodeConflict), "", "task %d of %v %s", in.Task, j.ID, state)
	}
	return run, nil
}

// tunnel answers with a stream into the task's VM. The leader alone has links to nodes; others pass the stream on.
func (s *server) tunnel(ctx context.Context, in TaskPath,
	first func(context.Context, *websocket.Conn) ([]byte, error)) (*huma.StreamResponse, error) {
	run, err := s.steerable(ctx, in)
	if err != nil {
		return nil, err
	}
	owner := actor(ctx).Owner
	return &huma.StreamResponse{Body: func(c huma.Context) {
		r, w := humamux.Unwrap(c)
		if r.Header.Get("Upgrade") == "" {
			newProblem(codeMalformed, "Upgrade", "the request does not ask for a WebSocket").write(w)
			return
		}
		if !sameOrigin(r) {
			newProblem(codeCrossSite, "Origin", "another site sent this request").write(w)
			return
		}
		if !s.tunnels.enter(owner) {
			newProblem(codeTooMany, "", "this owner has %d streams into VMs open, or the manager %d", tunnelsPerOwner,
				tunnelsInAll).write(w)
			return
		}
		defer s.tunnels.leave(owner)
		ctx, cancel := s.whileValid(c.Context())
		defer cancel()
		ctx, stop := context.WithTimeoutCause(ctx, tunnelLife, errors.New("it was open for a day"))
		defer stop()
		if h := s.manager.Health(); !h.Leads && h.Leader != "" && !visitOf(ctx).relayed {
			s.relayTunnel(ctx, w, r, h.Leader)
			return
		}
		into, err := s.manager.Stream(ctx, run)
		if err != nil {
			problemOf(err).write(w)
			return
		}
		defer into.Close()
		if conn := accept(w, r); conn != nil {
			begin, err := first(ctx, conn.Conn)
			if err == nil && into.Send(begin) != nil {
				err = errNodeLost
			}
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			finish(conn, pump(ctx, conn.Conn, into, err))
		}
	}}, nil
}

// sameOrigin reports whether the request is not of another site's page. Browsers tell the origin of each WebSocket.
func sameOrigin(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	return r.Header.Get("Origin") == "" || err == nil && strings.EqualFold(origin.Host, r.Host)
}

// client is the WebSocket of a client.
type client struct {
	*websocket.Conn
	under net.Conn
}

// taken notes the connection that is taken over.
type taken struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements http.Hijacker.
func (w *taken) Hijack() (conn net.Conn, rw *bufio.ReadWriter, err error) {
	conn, rw, err = http.NewResponseController(w.ResponseWriter).Hijack()
	w.conn = conn
	return conn, rw, err
}

// accept upgrades the connection to a WebSocket; nil: it has answered with a problem.
func accept(w http.ResponseWriter, r *http.Request) *client {
	under := &taken{ResponseWriter: w}
	conn, err := websocket.Accept(under, r, nil)
	if err != nil {
		return nil
	}
	conn.SetReadLimit(stream.MaxFrame)
	return &client{conn, under.conn}
}

// finish tells the client how the stream ended, unless the guest has. A client that does not answer is left.
func finish(conn *client, err error) {
	_ = conn.under.SetDeadline(time.Now().Add(writeTime)) // without it, half of a frame would be awaited for ever
	if errors.Is(err, errStops) {
		_ = conn.Close(websocket.StatusGoingAway, err.Error())
		return
	}
	if err != nil {
		ctx, cancel := context.WithTimeout(context.Background(), writeTime)
		defer cancel()
		_ = conn.Write(ctx, websocket.MessageBinary, stream.Outcome{Error: err.Error()}.Frame())
	}
	_ = conn.Close(websocket.StatusNormalClosure, "")
}

// pump passes frames on both ways until the guest ends the stream, and returns why it ended before. It leaves the
// client connected: cancelling a read or a write would break the connection before the client is told the end.
func pump(of context.Context, conn *websocket.Conn, into Stream, err error) error {
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(of)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { into.Close() })()
	idle := time.AfterFunc(tunnelIdle, func() { cancel(errors.New("nothing was sent for an hour")) })
	defer idle.Stop()
	go keepAlive(ctx, conn)
	go func() { cancel(upstream(context.WithoutCancel(of), conn, into, idle)) }()
	writing, stop := lingering(ctx)
	defer stop()
	for {
		frame, err := into.Receive()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return errNodeLost
		}
		idle.Reset(tunnelIdle)
		if write(writing, conn, frame) != nil {
			return context.Cause(ctx)
		}
		if stream.Kind(frame[0]) == stream.Exit {
			return nil
		}
	}
}

// lingering returns a context for writes that ends writeTime after the given one: a write that is cancelled at once
// breaks the connection before the client is told the end.
func lingering(of context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(of))
	keep := context.AfterFunc(of, func() { time.AfterFunc(writeTime, cancel) })
	return ctx, func() { keep(); cancel() }
}

// fromClients are the kinds of frames that clients send after the first.
var fromClients = []stream.Kind{stream.Data, stream.End, stream.Resize}

// upstream passes the client's data on until the client leaves, or the connection is closed.
func upstream(ctx context.Context, conn *websocket.Conn, into Stream, idle *time.Timer) error {
	for {
		_, frame, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("the client has left: %w", err)
		}
		if len(frame) == 0 || !slices.Contains(fromClients, stream.Kind(frame[0])) {
			return errors.New("a message is neither data nor its end")
		}
		idle.Reset(tunnelIdle)
		if err := into.Send(frame); err != nil {
			return errNodeLost
		}
	}
}

// keepAlive pings the client, so that proxies see the connection in use. A missing answer says nothing: a client that
// is slow to take its data reads no ping, and neither do we read answers while the guest is slow. TCP notices clients
// that have vanished.
func keepAlive(ctx context.Context, conn *websocket.Conn) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			_ = conn.Ping(ctx) // until it is answered
		}
	}
}

// write waits for a client that is slow to take its data as long as for one that says nothing.
func write(ctx context.Context, conn *websocket.Conn, frame []byte) error {
	ctx, cancel := context.WithTimeout(ctx, tunnelIdle)
	defer cancel()
	return conn.Write(ctx, websocket.MessageBinary, frame)
}

// relayTunnel passes the stream on to the leader, in the caller's name.
func (s *server) relayTunnel(ctx context.Context, w http.ResponseWriter, r *http.Request, leader string) {
	lent := &http.Request{Header: http.Header{}, URL: r.URL}
	if request, err := http.NewRequest(http.MethodGet, leader, nil); err == nil {
		lent = request
	}
	s.lend(s.credentialsOf(r), lent)
	limited, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	far, response, err := websocket.Dial(limited, leader+r.URL.RequestURI(),
		&websocket.DialOptions{HTTPClient: s.peers, HTTPHeader: lent.Header})
	if err != nil {
		passOn(w, response)
		return
	}
	far.SetReadLimit(stream.MaxFrame)
	defer far.CloseNow()
	if conn := accept(w, r); conn != nil {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go keepAlive(ctx, conn.Conn)
		go func() {
			// As in pump, cancelling a read would break the connection before the client is told the end.
			_ = shovel(context.WithoutCancel(ctx), far, conn.Conn)
			_ = far.Close(websocket.StatusNormalClosure, "")
		}()
		err := shovel(ctx, conn.Conn, far)
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case websocket.CloseStatus(err) == websocket.StatusNormalClosure:
			err = nil
		case websocket.CloseStatus(err) == websocket.StatusGoingAway:
			err = errStops
		default:
			err = errors.New("the connection to the leader broke")
		}
		finish(conn, err)
	}
}

// passOn answers with the leader's refusal; nil: it was not reached.
func passOn(w http.ResponseWriter, refusal *http.Response) {
	if refusal == nil {
		newProblem(codeNoLeader, "", "the leader cannot be reached").write(w)
		return
	}
	w.Header().Set("Content-Type", refusal.Header.Get("Content-Type"))
	w.WriteHeader(refusal.StatusCode)
	_, _ = io.Copy(w, io.LimitReader(refusal.Body, maxTold))
}

// shovel passes messages on until one of the two ends.
func shovel(ctx context.Context, to, from *websocket.Conn) error {
	writing, stop := lingering(ctx)
	defer stop()
	for {
		_, frame, err := from.Read(ctx)
		if err == nil {
			err = write(writing, to, frame)
		}
		if err != nil {
			return err
		}
	}
}
