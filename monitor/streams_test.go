package monitor

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/guest/stream"
)

// guestOf returns a function that reaches a guest, which serves each stream as told, and counts the connections.
func guestOf(t *testing.T, serve func(net.Conn)) (reach func(context.Context, VM) (net.Conn, error),
	count *atomic.Int32, lose func()) {
	t.Helper()
	ctx, lose := context.WithCancel(t.Context())
	count = new(atomic.Int32)
	return func(context.Context, VM) (net.Conn, error) {
		count.Add(1)
		node, guest := net.Pipe()
		context.AfterFunc(ctx, func() { guest.Close() })
		go func() {
			s, err := stream.Await(guest)
			if err != nil {
				return
			}
			for {
				conn, err := s.Accept()
				if err != nil {
					return
				}
				go serve(conn)
			}
		}()
		return node, nil
	}, count, lose
}

// frames is the leader's end of a stream: what it sends, and what it has got.
type frames struct {
	in  chan []byte
	out chan []byte
}

func newFrames() frames { return frames{make(chan []byte, 8), make(chan []byte, 8)} }

func (f frames) Send(frame []byte) error {
	f.out <- frame
	return nil
}

func (f frames) Receive() ([]byte, error) {
	frame, ok := <-f.in
	if !ok {
		return nil, io.EOF
	}
	return frame, nil
}

var visitedVM = VM{Run: cluster.RunID{Job: 1, Number: 1}}

// echoing sends back one frame, and then the end.
func echoing(conn net.Conn) {
	if frame, err := stream.ReadFrame(conn); err == nil {
		_ = errors.Join(stream.WriteFrame(conn, frame), stream.WriteFrame(conn, stream.Outcome{Code: 4}.Frame()))
	}
}

func TestStreamsIntoAVMShareAConnection(t *testing.T) {
	reach, count, _ := guestOf(t, echoing)
	s := NewStreams(reach)
	for range 3 {
		pipe := newFrames()
		pipe.in <- stream.Request{Port: 80}.Frame()
		if err := s.Carry(t.Context(), visitedVM, pipe); err != nil {
			t.Fatal(err)
		}
		if frame := <-pipe.out; stream.Kind(frame[0]) != stream.Open {
			t.Errorf("%q", frame)
		}
		if end, err := stream.Decode[stream.Outcome](<-pipe.out); err != nil || end.Code != 4 {
			t.Errorf("%+v, %v", end, err)
		}
	}
	if n := count.Load(); n != 1 {
		t.Errorf("%d connections for three streams", n)
	}
}

func TestAStreamEndsWithTheVMOnItsNode(t *testing.T) {
	begun := make(chan bool, 1)
	reach, count, lose := guestOf(t, func(net.Conn) { begun <- true })
	s := NewStreams(reach)
	ended := make(chan error, 1)
	go func() { ended <- s.Carry(t.Context(), visitedVM, newFrames()) }()
	<-begun
	lose()
	if err := <-ended; !errors.Is(err, errLeft) {
		t.Errorf("%v", err)
	}
	if s.all != 0 || count.Load() != 1 {
		t.Errorf("%d streams, %d connections", s.all, count.Load())
	}
}

func TestTheStreamsIntoAVMAreLimited(t *testing.T) {
	begun := make(chan bool, stream.MaxStreams)
	reach, _, _ := guestOf(t, func(net.Conn) { begun <- true })
	s := NewStreams(reach)
	for range stream.MaxStreams {
		go func() { _ = s.Carry(t.Context(), visitedVM, newFrames()) }()
		<-begun
	}
	if err := s.Carry(t.Context(), visitedVM, newFrames()); !errors.Is(err, errFull) {
		t.Errorf("one too many: %v", err)
	}
}

// A guest might fill the windows of streams that their users have left.
func TestStreamsThatAGuestDoesNotCloseAreLimited(t *testing.T) {
	reach, _, _ := guestOf(t, echoing)
	s := NewStreams(reach)
	for begin := time.Now(); ; {
		pipe := newFrames()
		pipe.in <- stream.Request{Port: 80}.Frame()
		err := s.Carry(t.Context(), visitedVM, pipe)
		if errors.Is(err, errFull) {
			break
		}
		if err != nil || time.Since(begin) > time.Minute {
			t.Fatalf("never full: %v", err)
		}
	}
	if s.all != 0 {
		t.Errorf("%d streams", s.all)
	}
}

func TestAStreamEndsAtOnceWhenItsUserLeaves(t *testing.T) {
	begun := make(chan bool, 1)
	reach, _, _ := guestOf(t, func(net.Conn) { begun <- true }) // the guest does not close it
	s := NewStreams(reach)
	for name, leave := range map[string]func(context.CancelFunc, frames){
		"the leader": func(cancel context.CancelFunc, _ frames) { cancel() },
		"the pipe":   func(_ context.CancelFunc, pipe frames) { close(pipe.in) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		pipe, ended := newFrames(), make(chan error, 1)
		go func() { ended <- s.Carry(ctx, visitedVM, pipe) }()
		<-begun
		leave(cancel, pipe)
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Errorf("%s has gone, and the stream goes on", name)
		}
		cancel()
	}
}

func TestAVMThatCannotBeReachedIsToldInWords(t *testing.T) {
	s := NewStreams(func(context.Context, VM) (net.Conn, error) { return nil, errors.New("its VM has no port") })
	err := s.Carry(t.Context(), visitedVM, newFrames())
	if err == nil || !strings.Contains(err.Error(), "cannot be reached: its VM has no port") {
		t.Error(err)
	}
}
