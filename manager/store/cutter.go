package store

import (
	"context"
	"errors"
	"time"

	"github.com/lni/dragonboat/v4"
	"github.com/lni/dragonboat/v4/statemachine"
)

const (
	cutAgain = time.Minute // after a snapshot that failed
	// keptPart of the commands since the last cut stay in the log, for members that are a little behind.
	keptPart = 8
)

// cutter counts the bytes of the commands since the log was last cut. A thousand large commands take as much of the
// disk, and of the time to start again, as a hundred thousand small ones.
type cutter struct {
	most     int64
	bytes    int64
	commands uint64
	due      chan uint64 // the number of commands to keep; holds one at most
}

func newCutter(most int64) cutter { return cutter{most: most, due: make(chan uint64, 1)} }

// add counts a command, and makes a cut due when there are enough.
func (c *cutter) add(e statemachine.Entry) {
	c.bytes += int64(len(e.Cmd))
	c.commands++
	if c.bytes < c.most {
		return
	}
	select {
	case c.due <- c.commands / keptPart:
		c.bytes, c.commands = 0, 0
	default: // one is due already
	}
}

// cutLog takes a snapshot whenever a cut is due, and removes the commands before it from the log, until ctx ends.
func (s *Store) cutLog(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case keep := <-s.machine.cutter.due:
			s.cut(ctx, keep)
		}
	}
}

func (s *Store) cut(ctx context.Context, keep uint64) {
	for {
		call, cancel := context.WithTimeout(ctx, longestBackup)
		_, err := s.snapshot(call, dragonboat.SnapshotOption{OverrideCompactionOverhead: true, CompactionOverhead: keep})
		cancel()
		if err == nil || ctx.Err() != nil || errors.Is(err, dragonboat.ErrClosed) {
			return
		}
		s.cfg.Log.Warn().Err(err).Msg("cannot shorten the log of commands; trying again; is the disk full?")
		select {
		case <-ctx.Done():
		case <-time.After(cutAgain):
		}
	}
}
