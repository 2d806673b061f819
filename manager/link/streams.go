package link

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/wirepb"
)

// openTime limits how long a node may take to open a stream.
const openTime = 15 * time.Second

// ErrNoStream is wrapped by errors of Open, which are for the user.
var ErrNoStream = errors.New("the task's node cannot be reached")

// tickets are the streams that nodes have been asked for. A node opens a stream with its ticket.
type tickets struct {
	mu   sync.Mutex
	open map[string]ticket
}

type ticket struct {
	node   string
	opened chan *Stream // holds one
}

func newTickets() *tickets { return &tickets{open: map[string]ticket{}} }

func (t *tickets) add(node string) (number string, opened <-chan *Stream) {
	c := make(chan *Stream, 1)
	number = rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[number] = ticket{node, c}
	return number, c
}

// take uses the ticket up, if it is the node's.
func (t *tickets) take(number, node string) (chan<- *Stream, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found, ok := t.open[number]
	if !ok || found.node != node {
		return nil, false
	}
	delete(t.open, number)
	return found.opened, true
}

// drop withdraws the ticket. If the node has opened the stream meanwhile, it ends that.
func (t *tickets) drop(number string, opened <-chan *Stream) {
	t.mu.Lock()
	_, there := t.open[number]
	delete(t.open, number)
	t.mu.Unlock()
	if !there {
		(<-opened).Close()
	}
}

// Stream is a stream into a VM. Send and Receive may be called concurrently.
type Stream struct {
	pieces wirepb.Manager_StreamServer
	over   chan struct{}
	once   sync.Once
}

// Send sends a frame to the node. It blocks while the node takes none.
func (s *Stream) Send(frame []byte) error { return s.pieces.Send(&wirepb.Piece{Frame: frame}) }

// Receive returns the next frame of the node.
func (s *Stream) Receive() ([]byte, error) {
	m, err := s.pieces.Recv()
	if err != nil {
		return nil, err
	}
	return wire.FrameIn(m)
}

// Close ends the stream. It may be called more than once.
func (s *Stream) Close() error {
	s.once.Do(func() { close(s.over) })
	return nil
}

// Open opens a stream into the VM of the run through its node. The caller closes it.
func (h *Hub) Open(ctx context.Context, node cluster.NodeID, run cluster.RunID) (*Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	t, _ := h.present()
	if t == nil {
		return nil, fmt.Errorf("%w: this manager does not lead", ErrNoStream)
	}
	s := t.session(node)
	switch {
	case s == nil:
		return nil, fmt.Errorf("%w: it is not connected", ErrNoStream)
	case !s.streams:
		return nil, fmt.Errorf("%w: its monitor carries no streams; it is a model, or of an earlier version", ErrNoStream)
	}
	number, opened := h.tickets.add(s.proof.Node)
	s.answer(ctx, &wirepb.ToNode{Message: &wirepb.ToNode_Open{Open: &wirepb.Open{Ticket: []byte(number),
		Run: &wirepb.Run{Job: uint64(run.Job), Index: int64(run.Index), Number: int64(run.Number)}}}})
	select {
	case stream := <-opened:
		return stream, nil
	case <-ctx.Done():
		h.tickets.drop(number, opened)
		return nil, fmt.Errorf("%w: it has not answered", ErrNoStream)
	}
}

// Stream serves a stream that this manager has asked the node for, until either of them ends it.
func (h *Hub) Stream(pieces wirepb.Manager_StreamServer) error {
	node, err := certified(pieces.Context())
	if err == nil {
		err = h.admitted(node)
	}
	if err != nil {
		return err
	}
	first, err := firstPiece(pieces)
	if err != nil {
		return err
	}
	opened, ok := h.tickets.take(string(first.GetTicket()), node.Node)
	if !ok {
		return status.Error(codes.NotFound, "nobody waits for this stream")
	}
	s := &Stream{pieces: pieces, over: make(chan struct{})}
	opened <- s
	select {
	case <-s.over:
	case <-pieces.Context().Done():
	}
	return nil
}

// firstPiece returns the first piece. A node that sends none loses the stream.
func firstPiece(pieces wirepb.Manager_StreamServer) (*wirepb.Piece, error) {
	type piece struct {
		m   *wirepb.Piece
		err error
	}
	got := make(chan piece, 1)
	go func() {
		m, err := pieces.Recv()
		got <- piece{m, err}
	}()
	select {
	case p := <-got:
		return p.m, p.err
	case <-time.After(greetingTime):
		return nil, status.Errorf(codes.DeadlineExceeded, "no ticket within %v", greetingTime)
	}
}
