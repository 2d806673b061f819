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

// lag is more than the time between a request and the entry of its repetitions.
const lag = 2 * sumTime

// Entries returns the newest matching entries, newest first by the time of the first request. It reads each segment
// once and holds three at a time in memory.
func (l *Log) Entries(ctx context.Context, q web.AuditQuery) ([]web.AuditEntry, error) {
	var found []web.AuditEntry
	var open book
	missing := 0
	for before := q.Before; ; {
		s, ok := l.segmentBefore(before)
		if !ok {
			return found, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !q.From.IsZero() && s.end.Add(lag).Before(q.From) || !q.To.IsZero() && s.begin.After(q.To) {
			before = s.first
			continue
		}
		all, err := l.read(s, &open)
		if missing++; errors.Is(err, os.ErrNotExist) && missing < attempts {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		for _, e := range slices.Backward(all) {
			if (before == 0 || e.Number < before) && matches(q, &e) {
				found = append(found, e)
			}
		}
		if len(found) >= q.Limit {
			return found[:q.Limit], nil
		}
		before, missing = s.first, 0
	}
}

// read returns the entries of a segment, oldest first. It leaves the book open at the segment and its neighbours. The
// segment before is read only if repetitions may belong to its requests.
func (l *Log) read(s segment, open *book) ([]web.AuditEntry, error) {
	before, after := l.around(s.first)
	open.close(before, s.path, after)
	c, err := open.at(s.path)
	if err != nil {
		return nil, err
	}
	later, err := open.at(after)
	if err != nil {
		return nil, err
	}
	var earlier chapter
	if c.orphans() {
		if earlier, err = open.at(before); err != nil {
			return nil, err
		}
	}
	return shown(earlier, c, later), nil
}

// matches reports whether the query selects the entry. Repetitions last from the first request to the last one.
func matches(q web.AuditQuery, e *web.AuditEntry) bool {
	first := e.At
	if !e.Since.IsZero() {
		first = e.Since
	}
	return (q.From.IsZero() || !e.At.Before(q.From)) && (q.To.IsZero() || !first.After(q.To)) &&
		(q.Match == nil || q.Match(e))
}

// around returns the paths of the segments before and after the one with that first number, "" for one that is missing.
func (l *Log) around(first uint64) (before, after string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.segments {
		switch {
		case s.last != 0 && s.first < first:
			before = s.path
		case s.last != 0 && s.first > first && after == "":
			after = s.path
		}
	}
	return before, after
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
