package main

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

// errSpent is that the time limit ended while the file was read.
var errSpent = errors.New("reading used up the time limit")

// readPacking reads an instance; a file that begins with a brace is JSON. Errors name file and line. It is errSpent if the
// function that it asks now and then, unless that is nil, says that there is to be an end.
func readPacking(path string, text []byte, stop func() bool) (*packInstance, error) {
	name := path
	if name == "-" {
		name = "standard input"
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if start := bytes.TrimLeft(text, " \t\r\n"); len(start) > 0 && start[0] == '{' {
		return readPackJSON(name, text, &pace.Pace{Stop: stop})
	}
	return readPackCSV(name, text, &pace.Pace{Stop: stop})
}

var packHeader = []string{"id", "count", "cpu", "mem"}

func readPackCSV(name string, text []byte, asks *pace.Pace) (*packInstance, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = -1, true, true
	if err := packTitles(name, r); err != nil {
		return nil, err
	}
	in := &packInstance{unit: packing.Node{CPU: packUnit, Rigid: []float64{packUnit}}}
	rows := min(bytes.Count(text, []byte("\n")), mostPacked) // or some more
	in.expect(rows)
	seen, memory := newNames(rows), make([]float64, 0, rows)
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
		it, mem, err := packRow(row)
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
	return nil, errSpent
}

// packTitles reads the header.
func packTitles(name string, r *csv.Reader) error {
	header, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s:1: there is nothing in it: the first line must be %s", name, strings.Join(packHeader, ","))
	case err != nil:
		return csvError(name, err)
	}
	if trim(header); !slices.Equal(header, packHeader) {
		line, _ := r.FieldPos(0)
		return fmt.Errorf("%s:%d: the first line must be %s, not %.60q", name, line, strings.Join(packHeader, ","), strings.Join(header, ","))
	}
	return nil
}

// trim takes the spaces around fields away.
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

func packRow(row []string) (it packing.Item, mem float64, err error) {
	if len(row) != len(packHeader) {
		return it, 0, fmt.Errorf("has %d fields, must have %d: %s", len(row), len(packHeader), strings.Join(packHeader, ","))
	}
	if it.Count, err = strconv.Atoi(row[1]); err != nil || it.Count < 1 || it.Count > mostPacked {
		return it, 0, fmt.Errorf("count is %q, must be a whole number from 1 to %d", row[1], mostPacked)
	}
	if it.Need, err = packNumber("cpu", row[2]); err != nil {
		return it, 0, err
	}
	mem, err = packNumber("mem", row[3])
	return it, mem, err
}

// mostSize is the largest size that is taken, in unit nodes.
const mostSize = 1e9

func packNumber(what, text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.IndexByte(text, 'x') >= 0 || strings.IndexByte(text, 'X') >= 0 || strings.IndexByte(text, '_') >= 0 {
		return 0, fmt.Errorf("%s is %q, must be a number from 0 to %g, in unit nodes", what, text, float64(mostSize))
	}
	return packSize(what, x)
}

func packSize(what string, x float64) (float64, error) {
	if !(x >= 0 && x <= mostSize) {
		return 0, fmt.Errorf("%s is %v, must be a number from 0 to %g, in unit nodes", what, x, float64(mostSize))
	}
	return math.Abs(amount(x)), nil // no negative zero
}

// expect makes room for so many items.
func (in *packInstance) expect(items int) {
	in.ids, in.problem.Items = make([]string, 0, items), make([]packing.Item, 0, items)
}

// add takes an item; the earlier one comes, the earlier it was submitted.
func (in *packInstance) add(id string, it packing.Item) error {
	if in.tasks += it.Count; in.tasks > mostPacked {
		return fmt.Errorf("with its tasks there are %d, must be at most %d", in.tasks, mostPacked)
	}
	it.Label = uint64(len(in.ids))
	in.ids, in.problem.Items = append(in.ids, id), append(in.problem.Items, it)
	return nil
}

// names are the ids that have been seen, and where.
type names map[string]int

func newNames(most int) names { return make(names, most) }

func (n names) add(id string, line int) error {
	if id == "" {
		return errors.New("the id is empty")
	}
	if before, ok := n[id]; ok {
		return fmt.Errorf("the id %q is that of line %d too", id, before)
	}
	n[id] = line
	return nil
}
