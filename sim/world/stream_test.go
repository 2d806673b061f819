package world

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"path"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"aliquot/wire"
	"aliquot/wire/wirepb"
)

// keepalive is how long a connection survives while its messages do not get through.
const keepalive = 6 * time.Second

// connection is one of a machine to a manager. Messages keep their order within a stream, as TCP's do.
type connection struct {
	world       *world
	from        string
	certificate *x509.Certificate // that the machine has shown
	manager     *managerMachine
}

// open returns the connections of a machine by address.
func (w *world) open(from string, certificate *x509.Certificate) func(string) (wire.Connection, error) {
	return func(address string) (wire.Connection, error) {
		for _, m := range w.managers {
			if m.name == address {
				return &connection{w, from, certificate, m}, nil
			}
		}
		return nil, fmt.Errorf("no manager is at %q", address)
	}
}

func (c *connection) Close() error { return nil }

func (c *connection) Invoke(context.Context, string, any, any, ...grpc.CallOption) error {
	return status.Error(codes.Unimplemented, "certificates of this world last")
}

// NewStream runs the manager's own handler of the method.
func (c *connection) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, _ ...grpc.CallOption) (
	grpc.ClientStream, error) {
	w := c.world
	if !w.network.pass(ctx, c.from, c.manager.name, time.Now(), keepalive) ||
		!w.network.pass(ctx, c.manager.name, c.from, time.Now(), keepalive) {
		return nil, status.Error(codes.Unavailable, "the manager does not answer")
	}
	hub, life := c.manager.serving()
	if hub == nil {
		return nil, status.Error(codes.Unavailable, "connection refused")
	}
	up, down := newPipe(w, c.from, c.manager.name), newPipe(w, c.manager.name, c.from)
	inner, cancel := context.WithCancelCause(ctx)
	served, stop := context.WithCancel(c.certified(life))
	tear := func(err error) { up.end(err); down.end(err); cancel(err); stop() }
	up.lost, down.lost = tear, tear
	go up.pump(served)
	go down.pump(served)
	context.AfterFunc(ctx, func() { // the manager learns of it at the latest when it gets no more answers
		w.network.pass(life, c.from, c.manager.name, time.Now(), keepalive)
		tear(status.Error(codes.Canceled, "closed by the node"))
	})
	context.AfterFunc(life, func() {
		w.network.pass(ctx, c.manager.name, c.from, time.Now(), keepalive)
		tear(status.Error(codes.Unavailable, "the manager is gone"))
	})
	go func() {
		err := handler(method)(hub, &serverSide{side{served, up, down}})
		down.finish(err)
		up.end(io.EOF)
	}()
	return &clientSide{side{inner, down, up}}, nil
}

func handler(method string) grpc.StreamHandler {
	for _, s := range wirepb.Manager_ServiceDesc.Streams {
		if s.StreamName == path.Base(method) {
			return s.Handler
		}
	}
	return func(any, grpc.ServerStream) error { return status.Error(codes.Unimplemented, method) }
}

// certified returns a context of a connection that has shown its certificate.
func (c *connection) certified(ctx context.Context) context.Context {
	return peer.NewContext(ctx, &peer.Peer{AuthInfo: credentials.TLSInfo{
		State: tls.ConnectionState{VerifiedChains: [][]*x509.Certificate{{c.certificate}}}}})
}

// message is one on its way.
type message struct {
	text []byte
	sent time.Time
}

// pipe is one direction of a stream.
type pipe struct {
	world    *world
	from, to string
	lost     func(error) // ends both directions

	mu      sync.Mutex
	queued  []message // under way
	arrived [][]byte
	last    error // after everything queued; nil: open
	broken  error // at once
	closing bool
	news    chan struct{} // closed at the next change
}

func newPipe(w *world, from, to string) *pipe {
	return &pipe{world: w, from: from, to: to, news: make(chan struct{})}
}

// set changes the pipe under its lock and wakes all that wait for it.
func (p *pipe) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	close(p.news)
	p.news = make(chan struct{})
}

// end breaks the pipe: what is under way is lost.
func (p *pipe) end(err error) {
	p.set(func() {
		if p.broken == nil {
			p.broken = err
		}
	})
}

// finish ends the pipe after everything that was sent.
func (p *pipe) finish(err error) {
	if err == nil {
		err = io.EOF
	}
	p.set(func() { p.last, p.closing = err, true })
}

// look returns what there is to do, and a channel for the next change.
func (p *pipe) look() (head message, ready, over bool, news <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queued) > 0 {
		head, ready = p.queued[0], true
	}
	return head, ready, p.broken != nil || p.closing && !ready, p.news
}

// pump delivers messages in order. A message that does not get through breaks the connection.
func (p *pipe) pump(ctx context.Context) {
	for {
		head, ready, over, news := p.look()
		if over {
			p.set(func() {})
			return
		}
		if !ready {
			select {
			case <-news:
			case <-ctx.Done():
				return
			}
			continue
		}
		if !p.world.network.pass(ctx, p.from, p.to, head.sent, keepalive) {
			if ctx.Err() == nil {
				p.lost(status.Error(codes.Unavailable, "keepalive timed out"))
			}
			return
		}
		p.set(func() { p.queued, p.arrived = p.queued[1:], append(p.arrived, head.text) })
	}
}

func (p *pipe) send(m any) error {
	text, err := proto.Marshal(m.(proto.Message))
	if err != nil {
		return err
	}
	p.mu.Lock()
	broken := p.broken
	p.mu.Unlock()
	if broken != nil {
		return io.EOF
	}
	p.set(func() { p.queued = append(p.queued, message{text, time.Now()}) })
	return nil
}

func (p *pipe) receive(ctx context.Context, m any) error {
	for {
		p.mu.Lock()
		text, news, err := []byte(nil), p.news, p.broken
		if len(p.arrived) > 0 {
			text, p.arrived, err = p.arrived[0], p.arrived[1:], nil
		} else if err == nil && p.closing && len(p.queued) == 0 {
			err = p.last
		}
		p.mu.Unlock()
		if err != nil {
			return err
		}
		if text != nil {
			return proto.Unmarshal(text, m.(proto.Message))
		}
		select {
		case <-news:
		case <-ctx.Done():
			return status.FromContextError(errors.Join(context.Cause(ctx), ctx.Err())).Err()
		}
	}
}

// side is one end of a stream.
type side struct {
	ctx     context.Context
	in, out *pipe
}

func (s *side) Context() context.Context { return s.ctx }
func (s *side) SendMsg(m any) error      { return s.out.send(m) }
func (s *side) RecvMsg(m any) error      { return s.in.receive(s.ctx, m) }

type clientSide struct{ side }

func (s *clientSide) Header() (metadata.MD, error) { return nil, nil }
func (s *clientSide) Trailer() metadata.MD         { return nil }
func (s *clientSide) CloseSend() error             { return nil }

type serverSide struct{ side }

func (s *serverSide) SetHeader(metadata.MD) error  { return nil }
func (s *serverSide) SendHeader(metadata.MD) error { return nil }
func (s *serverSide) SetTrailer(metadata.MD)       {}
