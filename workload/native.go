package workload

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
)

// header names the columns of the native format, in their order.
var header = []string{"id", "submit", "tasks", "cpu", "mem", "runtime"}

// Limits of what a stream may say; far above any real one, far below overflow.
const (
	maxTasks   = 10_000
	maxSeconds = 10_000_000_000
)

// Read reads a stream in the native format: CSV with the header
// id,submit,tasks,cpu,mem,runtime. Times are seconds with up to six decimals, cpu and mem
// fractions of a node per task with up to five. Errors name the line.
func Read(r io.Reader) ([]Job, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord, c.ReuseRecord = len(header), true
	if first, err := c.Read(); err != nil || !slices.Equal(first, header) {
		return nil, fmt.Errorf("line 1: the header must be %s", strings.Join(header, ","))
	}
	var jobs []Job
	lines := map[int64]int{}
	for {
		fields, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the stream: %w", err)
		}
		line, _ := c.FieldPos(0)
		j, err := parse(fields)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if first, twice := lines[j.ID]; twice {
			return nil, fmt.Errorf("line %d: id %d is also on line %d", line, j.ID, first)
		}
		lines[j.ID] = line
		jobs = append(jobs, j)
	}
	slices.SortFunc(jobs, Job.Compare)
	return jobs, nil
}

func parse(fields []string) (Job, error) {
	var j Job
	for i, column := range []struct {
		decimals int
		low      int64
		high     int64
		set      func(int64)
	}{
		{0, 1, 1 << 53, func(n int64) { j.ID = n }},
		{6, 0, maxSeconds * 1_000_000, func(n int64) { j.Submit = cluster.Time(n) }},
		{0, 1, maxTasks, func(n int64) { j.Tasks = int(n) }},
		{5, 1, 100_000, func(n int64) { j.Need = cluster.CPU(n) * UnitCPU / 100_000 }},
		{5, 1, 100_000, func(n int64) { j.Memory = cluster.Bytes(n) * UnitMemory / 100_000 }},
		{6, 1, maxSeconds * 1_000_000, func(n int64) { j.Runtime = cluster.Time(n) }},
	} {
		n, err := fixed(fields[i], column.decimals)
		if err != nil || n < column.low || n > column.high {
			unit := pow10(column.decimals)
			return Job{}, fmt.Errorf("%s: %q is not a number from %v to %v with at most %d decimals",
				header[i], fields[i], decimal(column.low, unit), decimal(column.high, unit), column.decimals)
		}
		column.set(n)
	}
	return j, nil
}

// fixed reads a decimal number without sign or exponent as a multiple of 10^-decimals.
func fixed(s string, decimals int) (int64, error) {
	whole, part, point := strings.Cut(s, ".")
	if whole == "" || point && part == "" || len(part) > decimals || strings.Trim(whole+part, "0123456789") != "" {
		return 0, errors.New("digits expected")
	}
	return strconv.ParseInt(whole+part+strings.Repeat("0", decimals-len(part)), 10, 64)
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

func decimal(n, unit int64) string { return strconv.FormatFloat(float64(n)/float64(unit), 'f', -1, 64) }
