package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"aliquot/web"
)

// Limits bound the log.
type Limits struct {
	Age     time.Duration
	Bytes   int64
	Segment int64 // bytes after which a segment is closed
}

// Segment is the size of the segments of a manager's log, in bytes.
const Segment = 1 << 20

const (
	beat   = 10 * time.Second
	oneDay = 24 * time.Hour
	system = "system" // actor of the log's own entries
)

// Log is the audit log of one manager. It is safe for concurrent use.
type Log struct {
	dir    string
	limits Limits
	log    zerolog.Logger
	now    func() time.Time
	syslog *Syslog // nil: entries are not exported

	mu       sync.Mutex
	segments []*segment // oldest first, at least one; the last one is open for writing
	file     *os.File   // of the last segment
	torn     bool       // the file may end with a part of a line that could not be removed
	next     uint64     // number of the next entry
	synced   uint64     // entries up to this number are on disk
	sums     sums
	lost     int // entries that could not be written since the last one that was
	counts   web.AuditCounts

	flushing sync.Mutex // held while the file is flushed; those who wait for it share the next flush
}

var _ web.Audit = (*Log)(nil)

// Open opens the log in a folder, which is created if it is missing. It exports entries to syslog if that is not nil.
func Open(dir string, limits Limits, syslog *Syslog, log zerolog.Logger) (*Log, error) {
	return open(dir, limits, syslog, log, time.Now)
}

func open(dir string, limits Limits, syslog *Syslog, log zerolog.Logger, now func() time.Time) (*Log, error) {
	l := &Log{dir: dir, limits: limits, log: log, now: now, syslog: syslog, next: 1, sums: newSums()}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the audit log: %w", err)
	}
	if err := l.load(); err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	return l, nil
}

// load reads the segments. Files that a crash left behind while entries were removed are deleted.
func (l *Log) load() error {
	unfinished, err := filepath.Glob(filepath.Join(l.dir, "*"+suffix+unfinishedSuffix))
	if err != nil {
		return err
	}
	for _, path := range unfinished {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	paths, err := filepath.Glob(filepath.Join(l.dir, "*"+suffix))
	if err != nil {
		return err
	}
	slices.Sort(paths)
	for _, path := range paths {
		s, err := openSegment(path)
		if err != nil {
			return err
		}
		l.next = max(l.next, s.first, s.last+1)
		if n := len(l.segments); s.last == 0 || n > 0 && s.first <= l.segments[n-1].last {
			if err := os.Remove(path); err != nil { // it is empty, or what is left of it is in the segment before it
				return err
			}
			continue
		}
		l.segments = append(l.segments, s)
	}
	return l.start()
}

func (l *Log) last() *segment { return l.segments[len(l.segments)-1] }

// start opens a segment for writing: the last one if it has room, otherwise a new one.
func (l *Log) start() error {
	before := l.segments
	if n := len(before); n == 0 || before[n-1].size >= l.limits.Segment || before[n-1].old(l.now()) {
		l.segments = append(before[:n:n], newSegment(l.dir, l.next))
	}
	file, err := os.OpenFile(l.last().path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err == nil {
		err = syncFolder(l.dir)
	}
	if err != nil {
		l.segments = before
		return errors.Join(err, file.Close())
	}
	l.file = file
	return nil
}

// Add keeps the entry. See [web.Audit].
func (l *Log) Add(e web.AuditEntry, durable bool) {
	if number := l.add(&e, durable); durable && number != 0 {
		l.flush(number)
	}
}

// add writes the entry or counts it, and returns its number, 0 if it has none.
func (l *Log) add(e *web.AuditEntry, durable bool) (number uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.At = l.time()
	if !durable {
		due, repeated := l.sums.add(e)
		l.writeAll(due)
		if repeated {
			l.counts.Repeated++
			return 0
		}
	}
	return l.write(e)
}

func (l *Log) time() time.Time { return l.now().UTC().Truncate(time.Microsecond) }

func (l *Log) writeAll(list []web.AuditEntry) {
	for i := range list {
		l.write(&list[i])
	}
}

// write appends the entry and returns its number, 0 if that failed. The next entry that can be written is preceded by
// one that counts the lost ones.
func (l *Log) write(e *web.AuditEntry) (number uint64) {
	list := []web.AuditEntry{*e}
	if l.lost > 0 {
		list = []web.AuditEntry{{At: e.At, Actor: system, Operation: "lose-audit-entries", Count: l.lost}, *e}
	}
	var text []byte
	var sizes []int
	for i := range list {
		list[i].Number = l.next + uint64(i)
		line := encode(&list[i])
		text, sizes = append(text, line...), append(sizes, len(line))
	}
	if err := l.append(text); err != nil {
		if l.lost++; l.lost == 1 {
			l.log.Error().Err(err).Msg("cannot write the audit log; entries are lost until this succeeds; is the disk full?")
		}
		l.counts.Unwritten++
		return 0
	}
	l.lost, l.next = 0, l.next+uint64(len(list))
	for i := range list {
		l.last().note(&list[i], sizes[i])
		l.counts.Entries++
		l.syslog.Send(&list[i])
	}
	number = l.next - 1
	if l.last().size >= l.limits.Segment {
		l.rotate()
	}
	return number
}

// encode returns the line of an entry. It cuts long texts.
func encode(e *web.AuditEntry) []byte {
	for _, text := range []*string{&e.Token, &e.Actor, &e.Role, &e.Session, &e.From, &e.Operation, &e.Object, &e.Code} {
		if len(*text) > maxText {
			*text = strings.ToValidUTF8((*text)[:maxText], "")
		}
	}
	line, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("audit: %+v cannot be encoded: %v", e, err))
	}
	return append(line, '\n')
}

// append writes to the last segment, or leaves it unchanged on failure.
func (l *Log) append(text []byte) error {
	if l.torn {
		if err := l.mend(); err != nil {
			return err
		}
	}
	if _, err := l.file.Write(text); err != nil {
		return errors.Join(err, l.mend())
	}
	return nil
}

// mend cuts off what an unsuccessful write left behind.
func (l *Log) mend() error {
	err := l.file.Truncate(l.last().size)
	l.torn = err != nil
	return err
}

// flush returns when the entry of that number is on disk. Callers that come while it flushes share the next flush.
func (l *Log) flush(number uint64) {
	l.flushing.Lock()
	defer l.flushing.Unlock()
	l.mu.Lock()
	file, upTo, done := l.file, l.next-1, l.synced >= number
	l.mu.Unlock()
	if done {
		return
	}
	err := file.Sync()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.synced = max(l.synced, upTo)
	case l.synced < number: // otherwise the segment was flushed and closed meanwhile
		l.log.Error().Err(err).Msg("cannot flush the audit log to disk; its last entries are lost if this machine fails now")
	}
}

// rotate starts a new segment and drops entries beyond the limits.
func (l *Log) rotate() {
	full := l.file
	if err := l.start(); err != nil {
		l.log.Error().Err(err).Msg("cannot start a new segment of the audit log; the old one keeps growing")
		return
	}
	if err := full.Sync(); err != nil {
		l.log.Error().Err(err).Msg("cannot flush a segment of the audit log; its last entries may be lost")
	} else {
		l.synced = l.next - 1
	}
	if err := full.Close(); err != nil {
		l.log.Warn().Err(err).Msg("cannot close a segment of the audit log")
	}
	l.expire()
}

// expire removes old segments, and then entries of the heaviest senders if the log is still too large.
func (l *Log) expire() {
	for len(l.segments) > 1 && l.now().Sub(l.segments[0].end) > l.limits.Age {
		if err := os.Remove(l.segments[0].path); err != nil {
			l.log.Error().Err(err).Msg("cannot remove old entries of the audit log; they use disk space")
			return
		}
		l.segments = l.segments[1:]
	}
	if l.bytes() > l.limits.Bytes-l.limits.Segment { // the last segment grows until the next time
		l.thin()
	}
}

func (l *Log) bytes() (sum int64) {
	for _, s := range l.segments {
		sum += s.size
	}
	return sum
}

// Counts returns the numbers of entries since the start, and the size of the log.
func (l *Log) Counts() web.AuditCounts {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := l.counts
	counts.Bytes, counts.Unsent = l.bytes(), l.syslog.Dropped()
	return counts
}

// Run writes the counts of repeated requests and removes old entries in time, until ctx ends.
func (l *Log) Run(ctx context.Context) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			l.tidy()
		}
	}
}

func (l *Log) tidy() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writeAll(l.sums.due(l.time()))
	if l.last().old(l.now()) {
		l.rotate()
		return
	}
	l.expire()
}

// Close writes the counts of repeated requests and closes the log, which must not be used afterwards.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writeAll(l.sums.all())
	return errors.Join(l.file.Sync(), l.file.Close())
}
