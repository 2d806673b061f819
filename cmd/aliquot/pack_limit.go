package main

import (
	"context"
	"time"

	"aliquot/internal/stop"
)

// A packLimit is the time by which pack is to have answered; the zero limit is none.
type packLimit struct{ until time.Time }

// What is left to do after the search, as parts of what parsing the file took, which goes through the same items on the same
// machine: at most so much for the answer, and so much for each time that its mapping is written.
const (
	answerPart  = 0.25
	mappingPart = 1.5
)

// reserve keeps time for the answer free.
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

// stop says whether the time is over, or the user has said stop.
func (l *packLimit) stop(ctx context.Context) func() bool {
	until := l.until
	if until.IsZero() {
		return stop.Asked(ctx)
	}
	return func() bool { return ctx.Err() != nil || !time.Now().Before(until) }
}
