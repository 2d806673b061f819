package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"aliquot/web"
)

// attempts limits how often a segment is looked for that was replaced while it was read.
const attempts = 3

// Entries returns the newest matching entries, newest first. It holds one segment at a time in memory.
func (l *Log) Entries(ctx context.Context, q web.AuditQuery) ([]web.AuditEntry, error) {
	var found []web.AuditEntry
	missing := 0
	for before := q.Before; ; {
		s, ok := l.segmentBefore(before)
		if !ok {
			return found, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !q.From.IsZero() && s.end.Before(q.From) || !q.To.IsZero() && s.begin.After(q.To) {
			before = s.first
			continue
		}
		text, err := os.ReadFile(s.path)
		if missing++; errors.Is(err, os.ErrNotExist) && missing < attempts {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		var list []web.AuditEntry
		for _, e := range entries(text) {
			if (before == 0 || e.Number < before) && matches(q, e) {
				list = append(list, *e)
			}
		}
		slices.Reverse(list)
		if found = append(found, list...); len(found) >= q.Limit {
			return found[:q.Limit], nil
		}
		before, missing = s.first, 0
	}
}

func matches(q web.AuditQuery, e *web.AuditEntry) bool {
	return (q.From.IsZero() || !e.At.Before(q.From)) && (q.To.IsZero() || !e.At.After(q.To)) &&
		(q.Match == nil || q.Match(e))
}

// segmentBefore returns a copy of the newest segment with entries below the number; 0 is above all.
func (l *Log) segmentBefore(before uint64) (segment, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range slices.Backward(l.segments) {
		if s.last != 0 && (before == 0 || s.first < before) {
			return *s, true
		}
	}
	return segment{}, false
}
