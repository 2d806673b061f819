package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aliquot/web"
)

const (
	suffix           = ".audit"
	unfinishedSuffix = ".new"
	maxText          = 256 // bytes of one text of an entry
)

// segment is one file. Its name is the least number that its entries may have.
type segment struct {
	path       string
	first      uint64 // least number of its entries
	last       uint64 // number of its last entry; 0: it has none
	size       int64  // bytes of whole lines
	begin, end time.Time
	bytes      map[string]int64 // by sender
}

func newSegment(dir string, first uint64) *segment {
	return &segment{path: filepath.Join(dir, fmt.Sprintf("%020d%s", first, suffix)), first: first,
		bytes: map[string]int64{}}
}

// openSegment reads an existing file and cuts off an incomplete last line.
func openSegment(path string) (*segment, error) {
	first, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(path), suffix), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s is not named like a segment of the audit log", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	if whole < len(text) {
		if err := os.Truncate(path, int64(whole)); err != nil {
			return nil, err
		}
	}
	s := newSegment(filepath.Dir(path), first)
	s.path = path
	s.read(text[:whole])
	return s, nil
}

// read takes the entries of a text of whole lines. Damaged lines stay and are skipped.
func (s *segment) read(text []byte) {
	for line, e := range entries(text) {
		s.note(e, len(line))
	}
	s.size = int64(len(text))
}

// note counts an entry that was written to the file.
func (s *segment) note(e *web.AuditEntry, size int) {
	if s.last == 0 || e.At.Before(s.begin) {
		s.begin = e.At
	}
	if e.At.After(s.end) {
		s.end = e.At
	}
	s.last = e.Number
	s.size += int64(size)
	s.bytes[sender(e)] += int64(size)
}

// old reports whether the segment has entries of another day, and should be closed so that age removes them in time.
func (s *segment) old(now time.Time) bool { return s.last != 0 && now.Sub(s.begin) > oneDay }

// sender returns the party whose requests share the log's room with those of others: a token, or all without one.
func sender(e *web.AuditEntry) string {
	if e.Token == "" {
		return e.Actor // root and system
	}
	return e.Token
}

// entries yields the whole lines that are entries.
func entries(text []byte) iter.Seq2[[]byte, *web.AuditEntry] {
	return func(yield func([]byte, *web.AuditEntry) bool) {
		for line := range bytes.Lines(text) {
			e := new(web.AuditEntry)
			if line[len(line)-1] == '\n' && json.Unmarshal(line, e) == nil && e.Number != 0 && !yield(line, e) {
				return
			}
		}
	}
}

// syncFolder makes new and renamed files of the folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// writeFile replaces a file at once and durably.
func writeFile(path string, text []byte) error {
	f, err := os.OpenFile(path+unfinishedSuffix, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}
