package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"syscall"

	"github.com/coder/websocket"

	"aliquot/guest/stream"
)

// Stream is a stream into the VM of a task. The caller closes it.
type Stream struct{ conn *websocket.Conn }

// Forward connects to a port of the task.
func (c *Client) Forward(ctx context.Context, id string, task, port int) (*Stream, error) {
	return c.dial(ctx, call{method: http.MethodGet, path: jobPath(id) + "/tasks/" + strconv.Itoa(task) + "/forward",
		query: url.Values{"port": {strconv.Itoa(port)}}})
}

// Exec runs a command beside the task, in its VM, at a terminal of that size; nil: without one.
func (c *Client) Exec(ctx context.Context, id string, task int, command []string, at *stream.Size) (*Stream, error) {
	request := stream.Request{Command: command, Terminal: at}
	if err := request.Check(); err != nil {
		return nil, err
	}
	s, err := c.dial(ctx, call{method: http.MethodGet, path: jobPath(id) + "/tasks/" + strconv.Itoa(task) + "/exec"})
	if err == nil {
		err = s.conn.Write(ctx, websocket.MessageBinary, request.Frame())
	}
	return s, err
}

// dial asks one manager after another for the WebSocket, and returns the first final answer.
func (c *Client) dial(ctx context.Context, what call) (*Stream, error) {
	var problem *Problem
	var causes []error
	for _, manager := range c.order() {
		request, err := c.request(ctx, manager, what)
		if err != nil {
			return nil, err
		}
		conn, response, err := websocket.Dial(ctx, request.URL.String(),
			&websocket.DialOptions{HTTPClient: c.http, HTTPHeader: request.Header})
		if err == nil {
			conn.SetReadLimit(stream.MaxFrame)
			return &Stream{conn}, nil
		}
		if response == nil {
			causes = append(causes, plain(manager, err))
			continue
		}
		if problem = problemIn(response); !problem.passing() {
			break
		}
	}
	if problem != nil {
		return nil, problem
	}
	return nil, &Unreachable{causes}
}

// Resize changes the size of the command's terminal.
func (s *Stream) Resize(ctx context.Context, to stream.Size) error {
	return s.conn.Write(ctx, websocket.MessageBinary, to.Frame())
}

// Close ends the stream at once.
func (s *Stream) Close() error { return s.conn.CloseNow() }

// Begin waits until the port is connected or the command runs. Carry need not be told.
func (s *Stream) Begin(ctx context.Context) error {
	frame, err := s.next(ctx)
	if err == nil && stream.Kind(frame[0]) == stream.Exit {
		if _, err = exit(frame); err == nil {
			err = errors.New("it ended before it began")
		}
	}
	return err
}

// ErrLost means that the connection of a stream ended before the stream.
var ErrLost = errors.New("the connection to the manager ended")

// next returns the next frame, which has at least its kind.
func (s *Stream) next(ctx context.Context) ([]byte, error) {
	_, frame, err := s.conn.Read(ctx)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		websocket.CloseStatus(err) == websocket.StatusGoingAway: // the manager stops
		return nil, ErrLost
	default:
		return nil, fmt.Errorf("the connection to the manager broke: %w", err)
	}
	if len(frame) == 0 {
		return nil, errors.New("an empty message; is this a manager?")
	}
	return frame, nil
}

// exit returns the code of a stream that has ended, and why it ended before its time.
func exit(frame []byte) (int, error) {
	end, err := stream.Decode[stream.Outcome](frame)
	if err == nil && end.Error != "" {
		err = errors.New(end.Error)
	}
	return end.Code, err
}

// Carry sends the input, and writes the output and the errors, until the stream ends. At the end of the output it calls
// CloseWrite if out has it. It returns the exit code of a command. The error says why the stream ended before its time.
func (s *Stream) Carry(ctx context.Context, in io.Reader, out, errs io.Writer) (code int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.send(ctx, in)
	for {
		frame, err := s.next(ctx)
		if err != nil {
			return 0, err
		}
		switch stream.Kind(frame[0]) {
		case stream.Data:
			_, err = out.Write(frame[1:])
		case stream.Errors:
			_, err = errs.Write(frame[1:])
		case stream.End:
			if half, ok := out.(interface{ CloseWrite() error }); ok {
				err = half.CloseWrite()
			}
		case stream.Exit:
			return exit(frame)
		}
		if err != nil {
			return 0, err
		}
	}
}

// send sends the input and its end.
func (s *Stream) send(ctx context.Context, in io.Reader) {
	b := make([]byte, stream.MaxFrame)
	b[0] = byte(stream.Data)
	for {
		n, err := in.Read(b[1:])
		if n > 0 && s.conn.Write(ctx, websocket.MessageBinary, b[:1+n]) != nil {
			return
		}
		if err != nil {
			_ = s.conn.Write(ctx, websocket.MessageBinary, []byte{byte(stream.End)}) // the reader tells of a broken stream
			return
		}
	}
}
