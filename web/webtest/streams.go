package webtest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"aliquot/cluster"
	"aliquot/guest/stream"
	"aliquot/web"
)

// Stream is a guest that sends back what it gets. Port 1 has no listener, and port 2 is lost in mid-stream. A command
// is told on standard error, and the command false ends with code 1.
func (c *Cluster) Stream(context.Context, cluster.RunID) (web.Stream, error) {
	if c.NoStreams {
		return nil, fmt.Errorf("%w: it is not connected", web.ErrNoStream)
	}
	return &echo{out: make(chan []byte, 64), over: make(chan struct{})}, nil
}

type echo struct {
	request stream.Request
	out     chan []byte
	over    chan struct{}
	once    sync.Once
}

func (e *echo) Send(frame []byte) error {
	switch k := stream.Kind(frame[0]); {
	case k == stream.Open:
		e.request, _ = stream.Decode[stream.Request](frame)
		if e.request.Port == 1 {
			e.say(stream.Outcome{Error: "nothing listens at port 1 of the task"}.Frame())
			return nil
		}
		e.say([]byte{byte(stream.Opened)})
		if len(e.request.Command) > 0 {
			e.say(append([]byte{byte(stream.Errors)}, strings.Join(e.request.Command, " ")...))
		}
	case k == stream.Data && e.request.Port == 2:
		return e.Close()
	case k == stream.Data:
		e.say(frame)
	case k == stream.End && len(e.request.Command) > 0 && e.request.Command[0] == "false":
		e.say(stream.Outcome{Code: 1}.Frame())
	case k == stream.End:
		e.say(stream.Outcome{}.Frame())
	}
	return nil
}

func (e *echo) say(frame []byte) {
	select {
	case e.out <- frame:
	case <-e.over:
	}
}

func (e *echo) Receive() ([]byte, error) {
	select {
	case frame := <-e.out:
		return frame, nil
	case <-e.over:
		return nil, io.EOF
	}
}

func (e *echo) Close() error {
	e.once.Do(func() { close(e.over) })
	return nil
}
