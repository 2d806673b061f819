package monitor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/yamux"

	"aliquot/cluster"
	"aliquot/guest/stream"
)

// Limits of the streams into the VMs of a node.
const (
	streamsAtOnce = 128
	streamsHeld   = 4 * stream.MaxStreams // of a guest, those included that it has not closed, with what it sent
	greetTime     = 20 * time.Second
	linger        = 30 * time.Second // of a session without streams, so that the next one need not greet
)

// Errors of streams. Users read them.
var (
	errLeft = errors.New("the task's VM has left its node: it was paused, moved or ended")
	errFull = fmt.Errorf("%d streams to the task or %d to its node are open, which is the limit", stream.MaxStreams,
		streamsAtOnce)
)

// FramePipe carries the frames of a stream between the leader and this node. Send and Receive may be called
// concurrently. Receive fails when the stream has ended.
type FramePipe interface {
	Send(frame []byte) error
	Receive() ([]byte, error)
}

// Streams carries streams into the VMs of a node. Each VM has one session, as long as it has streams.
type Streams struct {
	reach func(ctx context.Context, vm VM) (net.Conn, error)

	mu   sync.Mutex
	all  int
	open map[VM]*guestSession
}

// guestSession is a session with a guest. Its streams share the port.
type guestSession struct {
	streams int
	ready   chan struct{} // closed when the greeting has ended
	session *yamux.Session
	err     error
}

// NewStreams returns streams to VMs whose ports reach connects to.
func NewStreams(reach func(ctx context.Context, vm VM) (net.Conn, error)) *Streams {
	return &Streams{reach: reach, open: map[VM]*guestSession{}}
}

// Carry carries a stream until it ends. The error is for the user who has opened it.
func (s *Streams) Carry(ctx context.Context, vm VM, pipe FramePipe) error {
	g, err := s.enter(vm)
	if err != nil {
		return err
	}
	defer s.leave(vm, g)
	select {
	case <-g.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	if g.err != nil {
		return fmt.Errorf("the task's guest cannot be reached: %w; it may stand still, boot, or have an init of an "+
			"earlier version", g.err)
	}
	conn, err := g.session.Open()
	if err != nil {
		return errLeft
	}
	abandon := func() {
		_ = conn.SetReadDeadline(time.Now()) // closing alone lets reads go on
		conn.Close()
	}
	defer func() { go conn.Close() }() // a guest that stands still delays it
	defer context.AfterFunc(ctx, abandon)()
	go func() {
		defer abandon()
		for {
			frame, err := pipe.Receive()
			if err != nil || stream.WriteFrame(conn, frame) != nil {
				return
			}
		}
	}()
	for {
		frame, err := stream.ReadFrame(conn)
		if err != nil {
			return errLeft
		}
		if err := pipe.Send(frame); err != nil || stream.Kind(frame[0]) == stream.Exit {
			return err
		}
	}
}

// enter returns the VM's session, and begins one if it has none.
func (s *Streams) enter(vm VM) (*guestSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.open[vm]
	if s.all >= streamsAtOnce || g != nil && g.full() {
		return nil, errFull
	}
	if g == nil || g.over() {
		g = &guestSession{ready: make(chan struct{})}
		s.open[vm] = g
		go s.greet(vm, g)
	}
	g.streams++
	s.all++
	return g, nil
}

// over reports whether the session has failed or broken.
func (g *guestSession) over() bool {
	select {
	case <-g.ready:
		return g.err != nil || g.session.IsClosed()
	default:
		return false
	}
}

// full reports whether the guest may get no further stream now.
func (g *guestSession) full() bool {
	select {
	case <-g.ready:
		return g.streams >= stream.MaxStreams || g.err == nil && g.session.NumStreams() >= streamsHeld
	default:
		return g.streams >= stream.MaxStreams
	}
}

func (s *Streams) greet(vm VM, g *guestSession) {
	defer close(g.ready)
	ctx, cancel := context.WithTimeout(context.Background(), greetTime)
	defer cancel()
	conn, err := s.reach(ctx, vm)
	if err != nil {
		g.err = err
		return
	}
	if g.session, g.err = stream.Greet(conn, greetTime); g.err != nil {
		conn.Close()
	}
}

// leave ends the session some time after its last stream.
func (s *Streams) leave(vm VM, g *guestSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if g.streams--; g.streams == 0 {
		time.AfterFunc(linger, func() { s.close(vm, g) })
	}
}

// close ends the session unless it has streams again.
func (s *Streams) close(vm VM, g *guestSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.streams > 0 {
		return
	}
	if s.open[vm] == g {
		delete(s.open, vm)
	}
	go func() { // a greeting takes a while
		if <-g.ready; g.session != nil {
			g.session.Close()
		}
	}()
}

// Carry carries a stream into the VM of the run; the error is for the user who has opened it.
func (a *Agent) Carry(ctx context.Context, run cluster.RunID, pipe FramePipe) error {
	of := a.member.Load()
	if of == nil || a.config.Reach == nil {
		return errors.New("the node's hypervisor has no streams into VMs")
	}
	return a.streams.Carry(ctx, VM{*of, run}, pipe)
}
