package site

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"

	"aliquot/policy/hetero"
)

var experienceColumns = []string{"type", "kind", "resource", "count", "sum", "squares"}

// ReadExperience adds the histories of a file to the experience: of one that WriteExperience wrote, or of the times of
// a site, each of which counts as one run. The name of the file is for errors.
func ReadExperience(in io.Reader, name string, e *hetero.Experience) error {
	return read(in, name, func(t *text) error {
		if !t.has(experienceColumns) {
			one, err := readEntry(t)
			if err != nil {
				return err
			}
			return e.Observe(one.Pair, one.ticks)
		}
		p, err := readPair(t)
		if err != nil {
			return err
		}
		c, err := readCell(t)
		if err != nil {
			return err
		}
		return e.Add(p, c)
	}, experienceColumns, timesColumns)
}

func readCell(t *text) (c hetero.Cell, err error) {
	if c.Count, err = strconv.ParseInt(t.field(3), 10, 64); err != nil {
		return c, fmt.Errorf("count: %.60q is not a whole number", t.field(3))
	}
	sum, err := strconv.ParseInt(t.field(4), 10, 64)
	if err != nil {
		return c, fmt.Errorf("sum: %.60q is not a whole number", t.field(4))
	}
	squares, ok := new(big.Int), len(t.field(5)) <= 40
	if ok {
		squares, ok = squares.SetString(t.field(5), 10)
	}
	if !ok {
		return c, fmt.Errorf("squares: %.60q is not a whole number of at most 40 digits", t.field(5))
	}
	c.Sum, c.Squares = hetero.Ticks(sum), squares
	return c, nil
}

// WriteExperience writes the history of each pair as CSV: the number of runs, the sum of their times in milliseconds,
// and the sum of the squares of those.
func WriteExperience(w io.Writer, e *hetero.Experience) error {
	out := csv.NewWriter(w)
	err := out.Write(experienceColumns)
	for _, p := range e.Pairs() {
		c, _ := e.Of(p)
		err = errors.Join(err, out.Write([]string{p.Type, p.Kind(), p.Resource, strconv.FormatInt(c.Count, 10),
			strconv.FormatInt(int64(c.Sum), 10), c.Squares.String()}))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}
