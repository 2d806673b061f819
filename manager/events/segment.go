package events

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
)

const suffix = ".events"

// maxLine bounds one event in bytes. A longer line is not an event.
const maxLine = 1 << 20

// segment is one file. Its name is the revision after which its events start.
type segment struct {
	path  string
	after uint64    // events up to this revision are in earlier segments, or dropped
	last  Cursor    // of its last event; zero: it has none
	size  int64     // bytes of whole lines
	long  int       // lines that were too long, when it was opened
	time  time.Time // of its last event
}

func newSegment(dir string, after uint64) *segment {
	return &segment{path: filepath.Join(dir, fmt.Sprintf("%020d%s", after, suffix)), after: after}
}

// openSegment scans an existing file and cuts off an incomplete end.
func openSegment(path string) (*segment, error) {
	after, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(path), suffix), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s is not named like a segment of events", path)
	}
	s := &segment{path: path, after: after}
	file, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, long, err := scan(file, func(e cluster.Event) bool {
		s.note(e)
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	s.size, s.long = size, long
	return s, file.Truncate(size)
}

func (s *segment) note(e cluster.Event) {
	s.last = Cursor{e.Revision, e.Index}
	s.time = time.UnixMicro(int64(e.At))
}

// scan yields whole lines until one is broken or yield returns false, and returns the size of the
// yielded lines. Lines that are too long are skipped and counted, because they are not events.
func scan(r io.Reader, yield func(cluster.Event) bool) (size int64, long int, err error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, length, err := nextLine(lines)
		if err == io.EOF {
			return size, long, nil
		}
		if err != nil {
			return size, long, err
		}
		var e cluster.Event
		if line == nil {
			long++
		} else if json.Unmarshal(bytes.TrimSpace(line), &e) != nil || !yield(e) {
			return size, long, nil
		}
		size += length
	}
}

// nextLine reads a line and returns its length; the line is nil if it is too long.
func nextLine(lines *bufio.Reader) (line []byte, length int64, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		length += int64(len(part))
		if length <= maxLine {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, length, err
		}
	}
}

// read returns up to limit events after the cursor, starting at the offset, and the offset after them.
func (s *segment) read(offset int64, after Cursor, limit int) ([]cluster.Event, int64, error) {
	file, err := os.Open(s.path)
	if err != nil {
		return nil, offset, err
	}
	defer file.Close()
	var list []cluster.Event
	size, _, err := scan(io.NewSectionReader(file, offset, s.size-offset), func(e cluster.Event) bool {
		if len(list) == limit {
			return false
		}
		if after.before(e) {
			list = append(list, e)
		}
		return true
	})
	return list, offset + size, err
}
