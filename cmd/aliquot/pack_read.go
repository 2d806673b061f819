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
)

// readPacking reads an instance; a file that begins with a brace is JSON. Errors name file and line.
func readPacking(path string, text []byte) (*packInstance, error) {
	name := path
	if name == "-" {
		name = "standard input"
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if start := bytes.TrimLeft(text, " \t\r\n"); len(start) > 0 && start[0] == '{' {
		return readPackJSON(name, text)
	}
	return readPackCSV(name, text)
}

var packHeader = []string{"id", "count", "cpu", "mem"}

func readPackCSV(name string, text []byte) (*packInstance, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	header, err := r.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, csvError(name, err)
	}
	if !slices.Equal(header, packHeader) {
		return nil, fmt.Errorf("%s:1: the first line must be %s", name, strings.Join(packHeader, ","))
	}
	in, seen := &packInstance{unit: packing.Node{CPU: packUnit, Rigid: []float64{packUnit}}}, newNames()
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return in, nil
		}
		if err != nil {
			return nil, csvError(name, err)
		}
		line, _ := r.FieldPos(0)
		it, err := packRow(row)
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
}

func csvError(name string, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func packRow(row []string) (it packing.Item, err error) {
	if len(row) != len(packHeader) {
		return it, fmt.Errorf("has %d fields, must have %d: %s", len(row), len(packHeader), strings.Join(packHeader, ","))
	}
	if it.Count, err = strconv.Atoi(row[1]); err != nil || it.Count < 1 || it.Count > mostPacked {
		return it, fmt.Errorf("count is %q, must be a whole number from 1 to %d", row[1], mostPacked)
	}
	it.Rigid = make([]float64, 1)
	if it.Need, err = packNumber("cpu", row[2]); err != nil {
		return it, err
	}
	it.Rigid[0], err = packNumber("mem", row[3])
	return it, err
}

// mostSize is the largest size that is taken, in unit nodes.
const mostSize = 1e9

func packNumber(what, text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "xX_") {
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

func newNames() names { return names{} }

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
