package workload

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"aliquot/cluster"
)

// Reader reads a stream in the native format job by job, in the order of its lines.
type Reader struct {
	Ignored []string // unknown columns of the header

	csv     *csv.Reader
	columns []*column // nil: ignored
}

// NewReader reads the header of a stream in the native format, plain or gzip. The header names the
// columns in any order. The columns id, submit, tasks, cpu, mem and runtime are required; estimate,
// user, priority, on_loss, class, bgrate, eff, ready, deadline and loss are optional; others are ignored.
func NewReader(r io.Reader) (*Reader, error) {
	plain, err := Gunzip(r)
	if err != nil {
		return nil, err
	}
	c := csv.NewReader(plain)
	header, err := c.Read()
	if err != nil {
		return nil, headerError(err)
	}
	c.ReuseRecord = true
	reader := &Reader{csv: c}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // some spreadsheets write a byte order mark
	for i, name := range header {
		if slices.Contains(header[:i], name) {
			return nil, fmt.Errorf("line 1: column %s is there twice", name)
		}
		known := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
		if known < 0 {
			reader.Ignored = append(reader.Ignored, name)
			reader.columns = append(reader.columns, nil)
			continue
		}
		reader.columns = append(reader.columns, &columns[known])
	}
	for _, c := range columns[:required] {
		if !slices.Contains(header, c.name) {
			return nil, fmt.Errorf("line 1: the header must name the columns %s; %s is missing", headerText(), c.name)
		}
	}
	return reader, nil
}

// headerText returns the shortest valid header.
func headerText() []byte { return bytes.TrimSpace(appendNames(nil, columns[:required])) }

func headerError(err error) error {
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the stream: %w", err)
	}
	return fmt.Errorf("line 1: the header must be %s", headerText())
}

// Next returns the next job, or io.EOF after the last. Any other error names the line, the column and
// the expected value.
func (r *Reader) Next() (Job, error) {
	fields, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		return Job{}, io.EOF
	}
	if err != nil {
		return Job{}, fmt.Errorf("read the stream: %w", err)
	}
	var j Job
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		if !c.set(&j, fields[i]) {
			return Job{}, fmt.Errorf("line %d: %s: %q is not %s", r.line(), c.name, fields[i], c.expected)
		}
	}
	if err := j.clash(); err != nil {
		return Job{}, fmt.Errorf("line %d: %w", r.line(), err)
	}
	return j, nil
}

// line returns the number of the line that Next returned last.
func (r *Reader) line() int {
	line, _ := r.csv.FieldPos(0)
	return line
}

// Read reads a whole stream in the native format, plain or gzip. See [Reader.All].
func Read(r io.Reader) ([]Job, error) {
	reader, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	return reader.All()
}

// All reads the rest of a stream and orders it by submission, then id. Numbers with more decimals than
// the grid (a microsecond, 0.00001 of a node) are rounded. Errors name the line.
func (r *Reader) All() ([]Job, error) {
	var jobs []Job
	lines := map[int64]int{}
	for {
		j, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if first, twice := lines[j.ID]; twice {
			return nil, fmt.Errorf("line %d: id %d is also on line %d", r.line(), j.ID, first)
		}
		lines[j.ID] = r.line()
		jobs = append(jobs, j)
	}
	slices.SortFunc(jobs, Job.Compare)
	return jobs, nil
}

// Write writes a stream in the native format. An optional column is written if any job has a value for
// it. Write refuses a job that Read would not return unchanged.
func Write(w io.Writer, jobs []Job) error {
	used := slices.Clone(columns[:required])
	for _, c := range columns[required:] {
		if slices.ContainsFunc(jobs, func(j Job) bool { return len(c.append(nil, j)) > 0 }) {
			used = append(used, c)
		}
	}
	b := bufio.NewWriterSize(w, 64<<10)
	line := appendNames(nil, used)
	for _, j := range jobs {
		b.Write(line) // the error is kept until Flush
		var err error
		if line, err = appendJob(line[:0], j, used); err != nil {
			return fmt.Errorf("job %d: %w", j.ID, err)
		}
	}
	b.Write(line)
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write the stream: %w", err)
	}
	return nil
}

func appendNames(line []byte, used []column) []byte {
	for _, c := range used {
		line = append(append(line, c.name...), ',')
	}
	line[len(line)-1] = '\n'
	return line
}

func appendJob(line []byte, j Job, used []column) ([]byte, error) {
	var again Job
	for _, c := range used {
		start := len(line)
		line = c.append(line, j)
		text := string(line[start:])
		if !c.set(&again, text) {
			return nil, fmt.Errorf("%s: %q is not %s", c.name, text, c.expected)
		}
		if strings.ContainsAny(text, `," `) {
			line = append(append(append(line[:start], '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
		}
		line = append(line, ',')
	}
	if err := j.clash(); err != nil {
		return nil, err
	}
	if again != j {
		return nil, fmt.Errorf("the format cannot represent %+v exactly, only %+v", j, again)
	}
	line[len(line)-1] = '\n'
	return line, nil
}

// text formats a time as the format does.
func text(t cluster.Time) []byte { return appendFixed(nil, int64(t), 6) }

// clash returns why columns of the job exclude each other, or nil.
func (j Job) clash() error {
	if j.Rate > 0 && j.Efficiency > 0 {
		return errors.New("bgrate and eff are both given, but the rate follows from eff")
	}
	if j.Deadline != 0 && j.Class == cluster.BackgroundClass {
		return errors.New("class is background and a deadline is given, but such a job has CPU only where others leave some")
	}
	if j.Ready != 0 && j.Ready < j.Submit {
		return fmt.Errorf("ready: %s is before submit, %s", text(j.Ready), text(j.Submit))
	}
	if end := j.ReadyAt() + j.Reserved(); j.Deadline != 0 && j.Deadline < end {
		return fmt.Errorf("deadline: %s is before %s, the ready time and the reserved duration of %s", text(j.Deadline),
			text(end), text(j.Reserved()))
	}
	return nil
}

// Check returns why the native format cannot represent the job, or nil.
func (j Job) Check() error {
	_, err := appendJob(nil, j, columns)
	return err
}

// Limits of the values in a stream: far above any real one, far below overflow.
const (
	maxTasks    = 10_000 // the limit of a job in a cluster
	maxSeconds  = 10_000_000_000
	maxID       = 1 << 53
	maxPriority = 1_000_000_000
	maxUser     = 256 // bytes
)
