package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lni/dragonboat/v4"

	"aliquot/cluster"
)

// The errors of Propose and Read, besides ErrHalted.
var (
	ErrNoLeader  = errors.New("no majority of the managers can be reached; nothing was done")
	ErrUncertain = errors.New("it is unknown whether this was done; repeat it with the same request id, or look")
	ErrClosed    = errors.New("the store is closed")
)

// The first attempt is short, because one forwarded to a leader that died is never answered. Each next attempt is
// longer, in case the leader is only slow.
const (
	firstAttempt   = 300 * time.Millisecond
	longestAttempt = 3 * time.Second
)

// Propose returns the state's answer to the command, once it is durable on a majority and applied here. It retries
// until ctx ends. An accepted command is done at most once: a command without a request id gets one. The error is
// ErrNoLeader if the command was not done, ErrUncertain if it was or will perhaps be done. An action that a manager of
// an older program could not read is refused here, because that manager would halt.
func (s *Store) Propose(ctx context.Context, c cluster.Command) (cluster.Result, error) {
	if r := s.Latest().Unready(c.Action); r != nil {
		return cluster.Result{Rejection: r}, nil
	}
	if c.Request == "" {
		c.Request = rand.Text()
	}
	command := cluster.EncodeCommand(c)
	if len(command) > cluster.MaxCommand {
		return cluster.Result{}, fmt.Errorf("a command of %d bytes exceeds the limit of %d", len(command), cluster.MaxCommand)
	}
	e := s.answers.expect(c.Request)
	defer s.answers.forget(c.Request, e)
	session := s.host.GetNoOPSession(shard)
	err := s.retry(ctx, func(ctx context.Context) error {
		_, err := s.host.SyncPropose(ctx, session, command)
		if s.answers.given(e) { // an earlier attempt may have succeeded
			return nil
		}
		return errors.Join(err, s.Err())
	})
	if err != nil {
		return cluster.Result{}, fmt.Errorf("propose %T: %w", c.Action, err)
	}
	return e.result, nil
}

// Read returns a clone of the state that includes everything acknowledged before the call, by any replica. Concurrent
// reads share one round of messages.
func (s *Store) Read(ctx context.Context) (*cluster.State, error) {
	state, err := s.read(ctx, wholeState)
	if err != nil {
		return nil, err
	}
	return state.(*cluster.State), nil
}

// wholeState is the only query.
const wholeState = "state"

// Barrier returns when Latest includes everything acknowledged before the call, by any replica.
func (s *Store) Barrier(ctx context.Context) error {
	_, err := s.read(ctx, nil)
	return err
}

func (s *Store) read(ctx context.Context, query any) (state any, err error) {
	err = s.retry(ctx, func(ctx context.Context) (err error) {
		state, err = s.host.SyncRead(ctx, shard, query)
		return err
	})
	if errors.Is(err, ErrUncertain) {
		err = ErrNoLeader // reading does nothing
	}
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	return state, nil
}

// retry calls try until it succeeds, ctx ends, or a retry cannot help.
func (s *Store) retry(ctx context.Context, try func(context.Context) error) error {
	uncertain := false
	for length := firstAttempt; ; length = min(2*length, longestAttempt) {
		err := s.attempt(ctx, length, try)
		switch {
		case err == nil:
			return nil
		case s.open.Err() != nil:
			return ErrClosed
		case !transient(err):
			return err
		case !dropped(err):
			uncertain = true
		}
		if err := s.pause(ctx); err != nil {
			if uncertain {
				return fmt.Errorf("%w: %w", ErrUncertain, err)
			}
			return fmt.Errorf("%w: %w", ErrNoLeader, err)
		}
	}
}

func (s *Store) attempt(ctx context.Context, length time.Duration, try func(context.Context) error) error {
	if ctx.Err() != nil {
		return dragonboat.ErrShardNotReady
	}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	return try(ctx)
}

// pause waits one tick.
func (s *Store) pause(ctx context.Context) error {
	t := time.NewTimer(s.cfg.rtt())
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.open.Done():
	case <-ctx.Done():
	}
	return ctx.Err()
}

// dropped reports whether the attempt certainly did nothing.
func dropped(err error) bool {
	return oneOf(err, dragonboat.ErrShardNotReady, dragonboat.ErrSystemBusy, dragonboat.ErrShardNotInitialized,
		dragonboat.ErrTimeoutTooSmall, dragonboat.ErrInvalidDeadline)
}

// transient reports whether another attempt may succeed.
func transient(err error) bool {
	return !errors.Is(err, ErrHalted) && (dropped(err) || dragonboat.IsTempError(err) ||
		oneOf(err, dragonboat.ErrCanceled, dragonboat.ErrRejected, context.DeadlineExceeded, context.Canceled))
}

func oneOf(err error, causes ...error) bool {
	return slices.ContainsFunc(causes, func(c error) bool { return errors.Is(err, c) })
}
