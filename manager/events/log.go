package events

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

// Limits bound the log.
type Limits struct {
	Age     time.Duration
	Bytes   int64
	Segment int64 // bytes after which a segment is closed
	Page    int64 // bytes that one query for past events reads at most, or one segment
}

// Kept are the limits of a manager's log.
var Kept = Limits{Age: 7 * 24 * time.Hour, Bytes: 1 << 30, Segment: 4 << 20, Page: 16 << 20}

// ErrTooOld means that events after the cursor are no longer kept.
var ErrTooOld = errors.New("events after the cursor are no longer kept")

// Cursor is a position in the order of events: after the event of that revision and index.
type Cursor struct {
	Revision uint64
	Index    int
}

// End is the cursor after all events.
var End = Cursor{Revision: 1<<64 - 1}

func (c Cursor) before(e cluster.Event) bool {
	return e.Revision > c.Revision || e.Revision == c.Revision && e.Index > c.Index
}

// Log holds the events of one replica. It is safe for concurrent use.
type Log struct {
	dir     string
	limits  Limits
	log     zerolog.Logger
	reading chan struct{} // one slot for each reader of old segments

	mu       sync.Mutex
	segments []*segment    // oldest first, at least one; the last one is open for writing
	floor    uint64        // events up to this revision may be missing
	file     *os.File      // of the last segment
	grown    chan struct{} // closed when events were appended
	failing  bool
}

// Open opens the log in a folder, which is created if it is missing.
func Open(dir string, limits Limits, log zerolog.Logger) (*Log, error) {
	l := &Log{dir: dir, limits: limits, log: log, reading: make(chan struct{}, readers), grown: make(chan struct{})}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of events: %w", err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	for _, path := range paths {
		s, err := openSegment(path)
		if err != nil {
			return nil, fmt.Errorf("open the events: %w", err)
		}
		if s.long > 0 {
			log.Warn().Str("file", path).Int("lines", s.long).Msg("some events are too long and are skipped")
		}
		if n := len(l.segments); n == 0 || s.after > max(l.segments[n-1].last.Revision, l.segments[n-1].after) {
			l.floor = s.after
		}
		l.segments = append(l.segments, s)
	}
	if len(l.segments) == 0 {
		l.segments = []*segment{newSegment(dir, 0)}
	}
	if err := l.openLast(); err != nil {
		return nil, fmt.Errorf("open the events: %w", err)
	}
	return l, nil
}

func (l *Log) last() *segment { return l.segments[len(l.segments)-1] }

// end returns the cursor of the newest event.
func (l *Log) end() Cursor {
	for _, s := range slices.Backward(l.segments) {
		if s.last != (Cursor{}) {
			return s.last
		}
	}
	return Cursor{}
}

func (l *Log) openLast() (err error) {
	l.file, err = os.OpenFile(l.last().path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	return err
}

// Append adds the events that are not there already. It never fails: events that cannot be written,
// because the disk is full, are lost and the loss is logged.
func (l *Log) Append(list []cluster.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end := l.end()
	var text bytes.Buffer
	encode := json.NewEncoder(&text)
	var newest cluster.Event
	for _, e := range list {
		if e.Revision > l.last().after && end.before(e) {
			began := text.Len()
			if err := encode.Encode(e); err != nil {
				panic(fmt.Sprintf("events: %+v cannot be encoded: %v", e, err))
			}
			if text.Len()-began > maxLine {
				text.Truncate(began)
				l.log.Error().Uint64("revision", e.Revision).Str("kind", string(e.Kind)).Msg("an event is too long and is not kept")
				continue
			}
			newest = e
		}
	}
	if text.Len() == 0 {
		return
	}
	if err := l.write(text.Bytes()); err != nil {
		if !l.failing {
			l.log.Error().Err(err).Msg("cannot write events; they are lost until this succeeds; is the disk full?")
		}
		l.failing = true
		return
	}
	l.failing = false
	l.last().note(newest)
	close(l.grown)
	l.grown = make(chan struct{})
	if l.last().size >= l.limits.Segment {
		l.rotate(newest.Revision)
	}
}

// write appends to the last segment, or leaves it unchanged on failure.
func (l *Log) write(text []byte) error {
	s := l.last()
	if _, err := l.file.Write(text); err != nil {
		return errors.Join(err, l.file.Truncate(s.size))
	}
	s.size += int64(len(text))
	return nil
}

// rotate starts a new segment and drops segments beyond the limits.
func (l *Log) rotate(after uint64) {
	next := newSegment(l.dir, after)
	file, err := os.OpenFile(next.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		l.log.Error().Err(err).Msg("cannot start a new segment of events; the old one keeps growing")
		return
	}
	if err := errors.Join(l.file.Sync(), l.file.Close()); err != nil {
		l.log.Warn().Err(err).Msg("cannot close a segment of events; its last events may be lost")
	}
	l.file = file
	l.segments = append(l.segments, next)
	l.expire()
}

func (l *Log) expire() {
	var sum int64
	for _, s := range l.segments {
		sum += s.size
	}
	newest := l.segments[len(l.segments)-2].time
	for len(l.segments) > 2 && (sum > l.limits.Bytes || newest.Sub(l.segments[0].time) > l.limits.Age) {
		if err := os.Remove(l.segments[0].path); err != nil {
			l.log.Error().Err(err).Msg("cannot remove old events; they use more disk space than configured")
			return
		}
		sum -= l.segments[0].size
		l.segments = l.segments[1:]
		l.floor = max(l.floor, l.segments[0].after)
	}
}

// Missing records that events up to the revision may be missing.
func (l *Log) Missing(revision uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if revision > max(l.end().Revision, l.last().after) {
		l.rotate(revision)
		l.floor = revision
	}
}

// Close closes the log, which must not be used afterwards.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.file.Sync(), l.file.Close())
}
