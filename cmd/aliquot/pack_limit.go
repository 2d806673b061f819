package main

import (
	"context"
	"time"

	"aliquot/internal/stop"
)

// A packLimit is the time by which pack must answer. The zero limit is none.
type packLimit struct{ until time.Time }

// Time reserved after the search, as multiples of the parse time: once for the answer, and once each time that the
// mapping is written. The parser handles the same items on the same machine.
const (
	answerPart  = 0.25
	mappingPart = 1.5
)

// reserve lowers the limit by the time for the answer.
func (l *packLimit) reserve(parsing time.Duration, f packFlags) {
	part := answerPart
	if f.mapping {
		part += mappingPart
	}
	if f.picture != "" {
		part += mappingPart
	}
	if !l.until.IsZero() {
		l.until = l.until.Add(-time.Duration(part * float64(parsing)))
	}
}

// stop returns a function that reports whether time is over or the user has interrupted.
func (l *packLimit) stop(ctx context.Context) func() bool {
	until := l.until
	if until.IsZero() {
		return stop.Asked(ctx)
	}
	return func() bool { return ctx.Err() != nil || !time.Now().Before(until) }
}
