package events

import (
	"context"
	"slices"

	"aliquot/cluster"
)

// batch is the number of events read at a time.
const batch = 1000

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
		list, end, err := s.read(offset, after, batch)
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

// History returns the matching events before the cursor and not before the given time, newest first,
// at most limit.
func (l *Log) History(ctx context.Context, before Cursor, since cluster.Time, limit int,
	match func(*cluster.Event) bool) ([]cluster.Event, error) {
	var found []cluster.Event
	for _, s := range slices.Backward(l.copies()) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if s.after >= before.Revision {
			continue // all of its events are later
		}
		list, _, err := s.read(0, Cursor{}, int(s.size))
		if err != nil {
			return nil, err
		}
		for _, e := range slices.Backward(list) {
			if e.At < since {
				return found, nil // State's clock never goes back
			}
			if before.before(e) || before == (Cursor{e.Revision, e.Index}) || match != nil && !match(&e) {
				continue
			}
			if found = append(found, e); len(found) == limit {
				return found, nil
			}
		}
	}
	return found, nil
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
