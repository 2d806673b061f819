package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
)

const (
	suffix   = ".lines"
	segments = 16 // a file is closed when it has this part of the log's bytes
)

// Limits bound a log.
type Limits struct {
	Age   cluster.Time // a file whose newest line is older is removed
	Bytes int64
}

// Log is a log of lines, each of which has a time. It is for one caller at a time.
type Log struct {
	dir    string
	limits Limits
	files  []segment // oldest first
	file   *os.File  // of the last segment; nil: the next line opens one
}

// segment is one file. Its name is its number.
type segment struct {
	number uint64
	size   int64
	last   cluster.Time // newest time of its lines
}

// Open opens the log in a folder, which is made if it is missing, and passes all lines to read, which returns a line's
// time; 0: the line is damaged. An error tells what could not be read or kept; the log is usable all the same.
func Open(dir string, limits Limits, read func(line []byte) cluster.Time) (*Log, error) {
	l := &Log{dir: dir, limits: limits}
	failed := []error{os.MkdirAll(dir, 0o700)}
	paths, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	failed = append(failed, err)
	slices.Sort(paths)
	for _, path := range paths {
		number, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(path), suffix), 10, 64)
		if err != nil {
			continue // not ours
		}
		s, err := readSegment(path, read)
		s.number = number
		l.files, failed = append(l.files, s), append(failed, err)
	}
	if err := errors.Join(failed...); err != nil {
		return l, fmt.Errorf("read the lines in %s: %w", dir, err)
	}
	return l, nil
}

// readSegment reads the whole lines of a file. New lines go to another file, so a torn end does no harm.
func readSegment(path string, read func(line []byte) cluster.Time) (s segment, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	s.size = int64(len(text))
	for line := range bytes.Lines(text) {
		if whole, ok := bytes.CutSuffix(line, []byte{'\n'}); ok {
			s.last = max(s.last, read(whole))
		}
	}
	return s, nil
}

func (l *Log) path(s segment) string {
	return filepath.Join(l.dir, fmt.Sprintf("%020d%s", s.number, suffix))
}

// Append writes lines of that time, each without its end. On failure, a part of them may be written.
func (l *Log) Append(at cluster.Time, lines ...[]byte) error {
	if err := l.open(); err != nil {
		return fmt.Errorf("open a file of lines: %w", err)
	}
	n, err := l.file.Write(append(bytes.Join(lines, []byte{'\n'}), '\n'))
	s := &l.files[len(l.files)-1]
	s.size, s.last = s.size+int64(n), max(s.last, at)
	if err != nil || s.size >= l.limits.Bytes/segments {
		err = errors.Join(err, l.Close()) // a line that is torn stays the last one of its file
	}
	if err = errors.Join(err, l.expire(at)); err != nil {
		return fmt.Errorf("write lines: %w", err)
	}
	return nil
}

// open opens a new file if none is open.
func (l *Log) open() (err error) {
	if l.file != nil {
		return nil
	}
	next := segment{number: 1}
	if n := len(l.files); n > 0 {
		next.number = l.files[n-1].number + 1
	}
	if l.file, err = os.OpenFile(l.path(next), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600); err == nil {
		l.files = append(l.files, next)
	}
	return err
}

// expire removes the oldest closed files beyond the limits.
func (l *Log) expire(now cluster.Time) error {
	var sum int64
	for _, s := range l.files {
		sum += s.size
	}
	for len(l.files) > 1 && (sum > l.limits.Bytes || l.files[0].last < now-l.limits.Age) {
		if err := os.Remove(l.path(l.files[0])); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		sum -= l.files[0].size
		l.files = l.files[1:]
	}
	return nil
}

// Close closes the open file. The next line opens another.
func (l *Log) Close() (err error) {
	if l.file != nil {
		err = errors.Join(l.file.Sync(), l.file.Close())
		l.file = nil
	}
	return err
}
