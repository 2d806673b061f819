package link

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	frames "aliquot/guest/stream"
	"aliquot/wire"
	"aliquot/wire/wirepb"
)

var visited = cluster.RunID{Job: 7, Index: 1, Number: 2}

// echo sends back what it gets, and ends with an error after the frame "end".
func echo(_ context.Context, run cluster.RunID, pipe *wire.FramePipe) error {
	if run != visited {
		return errors.New("another run")
	}
	for {
		frame, err := pipe.Receive()
		if err != nil || string(frame) == "end" {
			return errors.Join(err, errors.New("it was paused"))
		}
		if err := pipe.Send(frame); err != nil {
			return err
		}
	}
}

func TestAStreamIntoAVMGoesThroughItsNode(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		c := w.client(w.enroll("n1"), "m1")
		c.Serve(echo)
		w.connect(c)
		s, err := h.Open(t.Context(), 1, visited)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		large := bytes.Repeat([]byte("x"), frames.MaxFrame)
		for range 100 { // more than the windows hold
			if err := s.Send(large); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Receive(); err != nil || !bytes.Equal(got, large) {
				t.Fatalf("%d bytes, %v", len(got), err)
			}
		}
		if err := s.Send([]byte("end")); err != nil {
			t.Fatal(err)
		}
		got, err := s.Receive()
		if err != nil {
			t.Fatal(err)
		}
		if end, err := frames.Decode[frames.Outcome](got); err != nil || end.Error != "it was paused" {
			t.Errorf("%+v, %v", end, err)
		}
		if got, err := s.Receive(); err == nil {
			t.Errorf("%q after the end", got)
		}
	})
}

func TestAStreamThatNoNodeCanOpenIsRefusedInWords(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		refused := func(why string) {
			t.Helper()
			if _, err := h.Open(t.Context(), 1, visited); !errors.Is(err, ErrNoStream) || !strings.Contains(err.Error(), why) {
				t.Errorf("%v, want %q", err, why)
			}
		}
		refused("does not lead")
		h.Claimed(time.Now())
		refused("is not connected")
		w.connect(w.client(w.enroll("n1"), "m1"))
		refused("of an earlier version")
		silent := w.client(w.enroll("n1"), "m1")
		silent.Serve(func(ctx context.Context, _ cluster.RunID, _ *wire.FramePipe) error { return nil })
		w.connect(silent)
		w.mu.Lock()
		delete(w.listeners, "m1") // it cannot connect once more
		w.mu.Unlock()
		refused("has not answered")
		if n := len(h.tickets.open); n != 0 {
			t.Errorf("%d tickets are left", n)
		}
	})
}

// A user may give up just when the node opens the stream.
func TestAStreamThatNobodyWantsAnyLongerIsEnded(t *testing.T) {
	all := newTickets()
	number, opened := all.add("n1")
	to, ok := all.take(number, "n1")
	if !ok {
		t.Fatal("no ticket")
	}
	s := &Stream{over: make(chan struct{})}
	to <- s
	all.drop(number, opened)
	select {
	case <-s.over:
	default:
		t.Error("it goes on")
	}
}

// A node must not take over the stream of a user into a VM of another node.
func TestATicketIsForOneNodeAndOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		number, opened := h.tickets.add("n1")
		present := func(node string) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s, err := w.as(node).Stream(ctx)
			if err == nil {
				err = s.Send(&wirepb.Piece{Ticket: []byte(number)})
			}
			if err != nil {
				return err
			}
			_, err = s.Recv()
			return err
		}
		if err := present("n2"); status.Code(err) != codes.NotFound {
			t.Errorf("another node: %v", err)
		}
		go func() { (<-opened).Close() }()
		if err := present("n1"); status.Code(err) == codes.NotFound {
			t.Errorf("its node: %v", err)
		}
		if err := present("n1"); status.Code(err) != codes.NotFound {
			t.Errorf("once more: %v", err)
		}
	})
}
