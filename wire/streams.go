package wire

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"

	"aliquot/cluster"
	"aliquot/guest/stream"
	"aliquot/wire/wirepb"
)

// Carry carries a stream into the VM of the run. The error is for the user who has opened it.
type Carry func(ctx context.Context, run cluster.RunID, pipe *FramePipe) error

// lastPiece limits how long a node waits for the leader to take the end of a stream.
const lastPiece = 10 * time.Second

// Serve sets what carries streams into VMs. Call it before Connect.
func (c *Client) Serve(carry Carry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.carry = carry
}

func (c *Client) carrier() Carry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.carry
}

// answer opens the stream that the leader has asked for, on a connection of its own: it must not delay heartbeats.
func (c *Client) answer(ctx context.Context, leader string, m *wirepb.Open) {
	err := c.answered(ctx, leader, m)
	if err != nil && ctx.Err() == nil {
		c.options.Log.Debug().Err(err).Msg("a stream into a VM broke")
	}
}

func (c *Client) answered(ctx context.Context, leader string, m *wirepb.Open) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := c.connect(leader)
	if err != nil {
		return err
	}
	defer conn.Close()
	pieces, err := wirepb.NewManagerClient(conn).Stream(ctx)
	if err == nil {
		err = pieces.Send(&wirepb.Piece{Ticket: m.GetTicket()})
	}
	if err != nil {
		return fmt.Errorf("open a stream to the leader: %w", err)
	}
	pipe := &FramePipe{pieces}
	run := cluster.RunID{Job: cluster.JobID(m.GetRun().GetJob()), Index: int(m.GetRun().GetIndex()),
		Number: int(m.GetRun().GetNumber())}
	if err := c.carrier()(pieces.Context(), run, pipe); err != nil {
		_ = pipe.Send(stream.Outcome{Error: err.Error()}.Frame()) // the leader may have gone
	}
	defer time.AfterFunc(lastPiece, cancel).Stop()
	if err := pieces.CloseSend(); err != nil {
		return err
	}
	for err == nil {
		_, err = pieces.Recv() // its end means that the leader has all
	}
	return nil
}

// FramePipe carries frames between the leader and a node.
type FramePipe struct {
	pieces grpc.BidiStreamingClient[wirepb.Piece, wirepb.Piece]
}

// Send sends a frame. It blocks while the leader takes none.
func (p *FramePipe) Send(frame []byte) error { return p.pieces.Send(&wirepb.Piece{Frame: frame}) }

// Receive returns the next frame.
func (p *FramePipe) Receive() ([]byte, error) {
	m, err := p.pieces.Recv()
	if err != nil {
		return nil, err
	}
	return FrameIn(m)
}

// FrameIn returns the frame of a piece.
func FrameIn(m *wirepb.Piece) ([]byte, error) {
	if n := len(m.GetFrame()); n == 0 || n > stream.MaxFrame {
		return nil, fmt.Errorf("a piece with a frame of %d bytes", n)
	}
	return m.GetFrame(), nil
}
