package site

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"aliquot/policy/hetero"
	"aliquot/workload"
)

// longestLine is the greatest length of a line in bytes, quoted line breaks included.
const longestLine = 64 << 10

var errLong = fmt.Errorf("a line is longer than %d bytes", longestLine)

// ration reads up to a number of bytes. Parsers of CSV would hold a whole field in memory, however long it is.
type ration struct {
	from io.Reader
	left int
}

func (r *ration) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLong
	}
	n, err := r.from.Read(p)
	r.left -= n
	return n, err
}

// text is a CSV file, read line by line. Its columns may stand in any order.
type text struct {
	in      *ration
	csv     *csv.Reader
	columns []string
	places  []int // of the columns
	fields  []string
	line    int
}

// read reads a file, plain or gzip, and gives each line to take. The file has one of the lists of columns. Lists differ
// in their last column.
func read(in io.Reader, name string, take func(*text) error, lists ...[]string) error {
	t := &text{}
	if err := t.begin(in, lists); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for {
		t.in.left = longestLine
		fields, err := t.csv.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, errLong) {
			return fmt.Errorf("%s: after line %d: %w", name, max(1, t.line), err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		t.fields = fields
		t.line, _ = t.csv.FieldPos(0)
		if err := take(t); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, t.line, err)
		}
	}
}

// readFile is read for a file of a file system.
func readFile(from fs.FS, name string, columns []string, take func(*text) error) error {
	in, err := from.Open(name)
	if err != nil {
		return fmt.Errorf("open the site: %w", err)
	}
	defer in.Close()
	return read(in, name, take, columns)
}

// begin reads the header.
func (t *text) begin(in io.Reader, lists [][]string) error {
	plain, err := workload.Gunzip(in)
	if err != nil {
		return err
	}
	t.in = &ration{plain, longestLine}
	t.csv = csv.NewReader(t.in)
	t.csv.ReuseRecord = true
	header, err := t.csv.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(header) > 0 {
		header[0] = strings.TrimPrefix(header[0], "\ufeff") // some spreadsheets write a byte order mark
	}
	t.columns = lists[0]
	for _, columns := range lists {
		if slices.Contains(header, columns[len(columns)-1]) {
			t.columns = columns
		}
	}
	return t.place(header)
}

// place finds the columns in the header, which has no other ones.
func (t *text) place(header []string) error {
	wanted := strings.Join(t.columns, ",")
	for i, name := range header {
		if !slices.Contains(t.columns, name) {
			return fmt.Errorf("line 1: there is no column %.60q: the header is %s", name, wanted)
		}
		if slices.Contains(header[:i], name) {
			return fmt.Errorf("line 1: column %s is there twice", name)
		}
	}
	for _, name := range t.columns {
		at := slices.Index(header, name)
		if at < 0 {
			return fmt.Errorf("line 1: the header must be %s; %s is missing", wanted, name)
		}
		t.places = append(t.places, at)
	}
	return nil
}

// has reports whether the file has that list of columns.
func (t *text) has(columns []string) bool { return slices.Equal(t.columns, columns) }

// field returns a field of the line by the place of its column in the list of columns.
func (t *text) field(column int) string { return t.fields[t.places[column]] }

// longestName is the greatest length of a name, in bytes.
const longestName = 256

// word returns a field that must not be empty.
func (t *text) word(column int, what string) (string, error) {
	word := strings.Clone(t.field(column))
	if word == "" || len(word) > longestName {
		return "", fmt.Errorf("%s: %.60q is not a name of 1 to %d bytes", what, word, longestName)
	}
	if strings.ContainsRune("=+-@", rune(word[0])) || strings.ContainsFunc(word, unicode.IsControl) {
		return "", fmt.Errorf("%s: %.60q must not begin with =, +, - or @, and must not contain control characters", what, word)
	}
	return word, nil
}

// ticks returns a field that is a number of milliseconds between two limits.
func (t *text) ticks(column int, what string, low, high hetero.Ticks) (hetero.Ticks, error) {
	n, err := strconv.ParseInt(t.field(column), 10, 64)
	if err != nil || hetero.Ticks(n) < low || hetero.Ticks(n) > high {
		return 0, fmt.Errorf("%s: %.60q is not a whole number of milliseconds from %d to %d", what, t.field(column), low, high)
	}
	return hetero.Ticks(n), nil
}
