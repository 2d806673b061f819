package events

import (
	"context"
	"fmt"
	"math"
	"slices"

	"aliquot/cluster"
)

const (
	batch   = 1000 // events read at a time
	readers = 2    // that decode old events at the same time
)

// Oldest returns the cursor before the oldest kept event; the zero Cursor if none was dropped.
func (l *Log) Oldest() Cursor {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.floor == 0 {
		return Cursor{}
	}
	return Cursor{Revision: l.floor, Index: 1<<31 - 1}
}

// Follow sends the events after the cursor, then new ones as they are appended. It closes the channel
// when ctx ends or when a segment that it still has to read has been dropped. With End it sends only
// new events.
func (l *Log) Follow(ctx context.Context, after Cursor) (<-chan cluster.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if after == End {
		after = l.end()
	}
	if after.Revision < l.floor {
		return nil, ErrTooOld
	}
	first := slices.IndexFunc(l.segments, func(s *segment) bool { return after.Revision <= s.last.Revision })
	if first < 0 {
		first = len(l.segments) - 1
	}
	out := make(chan cluster.Event, batch)
	go l.follow(ctx, l.segments[first].path, after, out)
	return out, nil
}

// follow reads from the beginning of the segment at path.
func (l *Log) follow(ctx context.Context, path string, after Cursor, out chan<- cluster.Event) {
	defer close(out)
	offset := int64(0)
	for {
		s, next, grown, kept := l.at(path)
		if !kept {
			return
		}
		list, end, err := l.readOn(ctx, &s, offset, after, next != "")
		if err != nil {
			return
		}
		offset = end
		for _, e := range list {
			select {
			case out <- e:
			case <-ctx.Done():
				return
			}
		}
		switch {
		case len(list) > 0:
		case next != "":
			path, offset = next, 0
		default:
			select {
			case <-grown:
			case <-ctx.Done():
				return
			}
		}
	}
}

// readOn reads the next batch of a segment. An old segment is read in turn with other readers.
func (l *Log) readOn(ctx context.Context, s *segment, offset int64, after Cursor, old bool) ([]cluster.Event, int64,
	error) {
	if old {
		free, err := l.enter(ctx)
		if err != nil {
			return nil, offset, err
		}
		defer free()
	}
	return s.read(offset, after, batch)
}

// at returns a copy of the segment, the path of the next one, and the channel that announces growth.
func (l *Log) at(path string) (s segment, next string, grown <-chan struct{}, kept bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.segments, func(s *segment) bool { return s.path == path })
	if i < 0 {
		return s, "", nil, false
	}
	if i+1 < len(l.segments) {
		next = l.segments[i+1].path
	}
	return *l.segments[i], next, l.grown, true
}

// Query selects past events.
type Query struct {
	Before Cursor       // only events before it
	Since  cluster.Time // only events at or after it
	Limit  int
	Match  func(*cluster.Event) bool // nil: all
}

// Page is a part of the answer to a query, newest event first.
type Page struct {
	Events []cluster.Event
	Next   Cursor // Before of the next page
	More   bool   // there may be a next page, although this one may have no event
}

// History answers a query. It stops at the query's limit, or at the end of the segment in which it has read as
// much as the log's limits allow a page, so that no filter makes it decode the whole log at once.
func (l *Log) History(ctx context.Context, q Query) (Page, error) {
	free, err := l.enter(ctx)
	if err != nil {
		return Page{}, err
	}
	defer free()
	var page Page
	read := int64(0)
	for _, s := range slices.Backward(l.copies()) {
		if ctx.Err() != nil {
			return page, ctx.Err()
		}
		if s.after >= q.Before.Revision {
			continue // all of its events are later
		}
		if page.More = read > 0 && read+s.size > l.limits.Page; page.More {
			return page, nil
		}
		read += s.size
		list, _, err := s.read(0, Cursor{}, int(s.size))
		if err != nil {
			return page, err
		}
		if q.collect(list, &page) {
			return page, nil
		}
		page.Next = Cursor{Revision: s.after, Index: math.MaxInt32}
	}
	return page, nil
}

// collect adds the matching events of a segment to the page, and reports whether the page ends there.
func (q *Query) collect(list []cluster.Event, page *Page) bool {
	for _, e := range slices.Backward(list) {
		if e.At < q.Since {
			page.More = false
			return true // only an operator sets the state's clock back
		}
		at := Cursor{e.Revision, e.Index}
		if q.Before.before(e) || q.Before == at || q.Match != nil && !q.Match(&e) {
			continue
		}
		page.Events, page.Next = append(page.Events, e), at
		if len(page.Events) == q.Limit {
			page.More = true
			return true
		}
	}
	return false
}

// enter waits for a slot to read old segments in. Call the result to free it.
func (l *Log) enter(ctx context.Context) (func(), error) {
	select {
	case l.reading <- struct{}{}:
		return func() { <-l.reading }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for others to read the events: %w", ctx.Err())
	}
}

func (l *Log) copies() []segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]segment, len(l.segments))
	for i, s := range l.segments {
		list[i] = *s
	}
	return list
}
