package document

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"aliquot/packing"
	"aliquot/packing/pace"
)

// ErrSpent reports that the stop function ended the reading.
var ErrSpent = errors.New("reading used up the time limit")

// Read parses the text of the file at path; "-" is standard input. A text that begins with a brace is JSON, any other
// is CSV. Read calls stop now and then, unless it is nil, and returns ErrSpent once stop returns true. Other errors
// name the file and the line.
func Read(path string, text []byte, stop func() bool) (*Instance, error) {
	name := path
	if name == "-" {
		name = "standard input"
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if start := bytes.TrimLeft(text, " \t\r\n"); len(start) > 0 && start[0] == '{' {
		return readJSON(name, text, &pace.Pace{Stop: stop})
	}
	return readCSV(name, text, &pace.Pace{Stop: stop})
}

var columns = []string{"id", "count", "cpu", "mem"}

func readCSV(name string, text []byte, asks *pace.Pace) (*Instance, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = -1, true, true
	if err := readHeader(name, r); err != nil {
		return nil, err
	}
	in := &Instance{unit: packing.Node{CPU: Unit, Rigid: []float64{Unit}}}
	rows := min(bytes.Count(text, []byte("\n")), MostTasks) // or some more
	in.expect(rows)
	seen, memory := newLines(rows), make([]float64, 0, rows)
	for !asks.Seen(1) {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return in, nil
		}
		if err != nil {
			return nil, csvError(name, err)
		}
		line, _ := r.FieldPos(0)
		trim(row)
		it, mem, err := parseRow(row)
		memory = append(memory, mem)
		it.Rigid = memory[len(memory)-1 : len(memory) : len(memory)]
		if err == nil {
			err = seen.add(row[0], line)
		}
		if err == nil {
			err = in.add(row[0], it)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	return nil, ErrSpent
}

// readHeader reads the header and refuses any other.
func readHeader(name string, r *csv.Reader) error {
	header, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s:1: there is nothing in it: the first line must be %s", name, strings.Join(columns, ","))
	case err != nil:
		return csvError(name, err)
	}
	if trim(header); !slices.Equal(header, columns) {
		line, _ := r.FieldPos(0)
		return fmt.Errorf("%s:%d: the first line must be %s, not %.60q", name, line, strings.Join(columns, ","),
			strings.Join(header, ","))
	}
	return nil
}

// trim removes the spaces around fields.
func trim(row []string) {
	for i, field := range row {
		row[i] = strings.TrimSpace(field)
	}
}

func csvError(name string, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func parseRow(row []string) (it packing.Item, mem float64, err error) {
	if len(row) != len(columns) {
		return it, 0, fmt.Errorf("has %d fields, must have %d: %s", len(row), len(columns), strings.Join(columns, ","))
	}
	if it.Count, err = strconv.Atoi(row[1]); err != nil || it.Count < 1 || it.Count > MostTasks {
		return it, 0, fmt.Errorf("count is %q, must be a whole number from 1 to %d", row[1], MostTasks)
	}
	if it.Need, err = parseNumber("cpu", row[2]); err != nil {
		return it, 0, err
	}
	mem, err = parseNumber("mem", row[3])
	return it, mem, err
}

func parseNumber(what, text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.IndexByte(text, 'x') >= 0 || strings.IndexByte(text, 'X') >= 0 ||
		strings.IndexByte(text, '_') >= 0 {
		return 0, fmt.Errorf("%s is %q, must be a number from 0 to %g, in unit nodes", what, text, float64(MostSize))
	}
	return checkSize(what, x)
}

func checkSize(what string, x float64) (float64, error) {
	if !(x >= 0 && x <= MostSize) {
		return 0, fmt.Errorf("%s is %v, must be a number from 0 to %g, in unit nodes", what, x, float64(MostSize))
	}
	return math.Abs(amount(x)), nil // no negative zero
}

// lines maps the ids that have been read to their lines.
type lines map[string]int

func newLines(most int) lines { return make(lines, most) }

func (n lines) add(id string, line int) error {
	if id == "" {
		return errors.New("the id is empty")
	}
	if before, ok := n[id]; ok {
		return fmt.Errorf("the id %q is that of line %d too", id, before)
	}
	n[id] = line
	return nil
}
