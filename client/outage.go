package client

import (
	"context"
	"errors"
	"io"
	"net"
)

// persist repeats an attempt of something that follows the cluster while managers that have answered before cannot
// answer. It reports every outage once to Options.Lost, and does not repeat anything without that function.
func (c *Client) persist(ctx context.Context, attempt func() error) error {
	for failures := 1; ; failures++ {
		err := attempt()
		switch {
		case err == nil:
			c.outage.Store(false)
			return nil
		case c.lost == nil || !c.answered.Load() || !passes(err):
			return err
		case c.outage.CompareAndSwap(false, true):
			c.lost(err)
		}
		if err := sleep(ctx, pause(failures)); err != nil {
			return err
		}
	}
}

// passes reports whether an error may come from managers that are away for a while.
func passes(err error) bool {
	var problem *Problem
	var unreachable *Unreachable
	var network *net.OpError
	return errors.As(err, &problem) && problem.passing() || errors.As(err, &unreachable) || errors.As(err, &network) ||
		errors.Is(err, io.ErrUnexpectedEOF)
}
