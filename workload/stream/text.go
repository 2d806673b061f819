package stream

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"aliquot/wording"
	"aliquot/workload"
	"aliquot/workload/prepare"
	"aliquot/workload/swf"
)

// Stream is a stream of jobs read from a file.
type Stream struct {
	Path  string
	Jobs  []workload.Job
	Tally *prepare.Tally // counts of a log's records; nil: the file was a stream
	Notes []string       // repairs, skips and ignored columns, one sentence each
}

// Text is the plain text of a stream or a log.
type Text struct {
	*bufio.Reader
	Path  string
	IsLog bool
}

// Open reads the beginning of a file, plain or gzip, to determine whether it is a stream or a log.
func Open(path string, in io.Reader) (*Text, error) {
	t := &Text{Path: path}
	plain, err := workload.Gunzip(in)
	if err != nil {
		return nil, blame(path, err)
	}
	t.Reader = bufio.NewReaderSize(plain, 64<<10)
	start, _ := t.Peek(1 << 10) // a stream begins with a letter of its header
	first := bytes.TrimLeftFunc(start, unicode.IsSpace)
	t.IsLog = len(first) > 0 && strings.ContainsRune(";-0123456789", rune(first[0]))
	return t, nil
}

// blame returns an error about the content of a file.
func blame(path string, err error) error { return fmt.Errorf("%s: %w", path, err) }

// Stream reads the stream. The rules turn a log into one.
func (t *Text) Stream(rules Rules) (*Stream, error) {
	s := &Stream{Path: t.Path}
	read := s.readNative
	if t.IsLog {
		read = func(r io.Reader) error { return s.readLog(r, rules) }
	}
	if err := read(t); err != nil {
		return nil, blame(t.Path, err)
	}
	return s, nil
}

func (s *Stream) readLog(text io.Reader, asked Rules) error {
	r, err := swf.NewReader(text)
	if err != nil {
		return err
	}
	rules, err := asked.For(r.Header)
	if err != nil {
		return err
	}
	jobs, tally, err := prepare.Jobs(r, rules)
	s.Jobs, s.Tally = jobs, &tally
	for _, n := range tally.Notes {
		s.Notes = append(s.Notes, fmt.Sprintf("%v (jobs %s)", n, wording.Few(n.First, n.Count)))
	}
	if r.Negative > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("repaired %d: a negative value; taken as unknown", r.Negative))
	}
	return err
}

func (s *Stream) readNative(text io.Reader) error {
	r, err := workload.NewReader(text)
	if err != nil {
		return err
	}
	if len(r.Ignored) > 0 {
		s.Notes = append(s.Notes, "ignored: the columns "+strings.Join(r.Ignored, ", "))
	}
	s.Jobs, err = r.All()
	return err
}

// ReadNative reads a stream in the native format, plain or gzip, for a simulation. It refuses a log.
func ReadNative(path string, in io.Reader) ([]workload.Job, error) {
	plain, err := workload.Gunzip(in)
	if err != nil {
		return nil, blame(path, err)
	}
	text := bufio.NewReader(plain)
	if start, _ := text.Peek(1); len(start) == 1 && start[0] == ';' {
		return nil, fmt.Errorf("%s is a log in the Standard Workload Format: convert it with aliquot workload prepare", path)
	}
	jobs, err := workload.Read(text)
	if err != nil {
		return nil, blame(path, err)
	}
	return jobs, nil
}

// ReadEvents reads what happens to the nodes and jobs of a simulation, plain or gzip.
func ReadEvents(path string, in io.Reader) ([]workload.Event, error) {
	events, err := workload.ReadEvents(in)
	if err != nil {
		return nil, blame(path, err)
	}
	return events, nil
}
