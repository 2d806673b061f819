package past

import (
	"iter"
	"maps"
	"math"
	"slices"

	"aliquot/cluster"
)

// minute is a minute's number since the epoch.
type minute int64

func minuteOf(t cluster.Time) minute { return minute(t / cluster.Minute) }

// Series holds one row of numbers per minute: the mean or the least of its samples. The zero Series is not usable.
type Series struct {
	columns int
	least   []int // columns that keep the least sample instead of the mean
	first   minute
	rows    []float32 // past minutes, row after row; NaN: a gap
	minute  minute    // being sampled
	sums    []float64
	counts  []int
}

// NewSeries returns an empty series with the given number of columns. The columns in least keep the least sample.
func NewSeries(columns int, least ...int) *Series {
	return &Series{columns: columns, least: least, sums: make([]float64, columns), counts: make([]int, columns)}
}

// Put samples a row; NaN means unknown. Rows must come in order of time. horizon is the most minutes kept.
func (s *Series) Put(at cluster.Time, horizon int, row ...float64) {
	m := minuteOf(at)
	if m > s.minute {
		s.close(m, horizon)
	}
	for i, x := range row {
		if math.IsNaN(x) {
			continue
		}
		if slices.Contains(s.least, i) {
			if s.counts[i] == 0 || x < s.sums[i] {
				s.sums[i], s.counts[i] = x, 1
			}
			continue
		}
		s.sums[i] += x
		s.counts[i]++
	}
}

// close turns the samples of the minute into a row and starts the next minute.
func (s *Series) close(next minute, horizon int) {
	if s.minute != 0 {
		s.fill(s.minute, horizon, func(column int) float64 { return s.mean(column) })
		s.forget(next - minute(horizon))
	}
	s.minute = next
	clear(s.sums)
	clear(s.counts)
}

// Fill adds the row of a past minute. Values that are known stay. The minute being sampled is left alone.
func (s *Series) Fill(at cluster.Time, horizon int, row []float64) {
	if m := minuteOf(at); m != s.minute {
		s.fill(m, horizon, func(column int) float64 { return row[column] })
	}
}

func (s *Series) fill(m minute, horizon int, value func(column int) float64) {
	if !s.reach(m, horizon) {
		return
	}
	row := s.rows[int(m-s.first)*s.columns:][:s.columns]
	for i := range row {
		if math.IsNaN(float64(row[i])) {
			row[i] = float32(value(i))
		}
	}
}

// reach makes the rows contain the minute. It reports false if the minute is older than the horizon.
func (s *Series) reach(m minute, horizon int) bool {
	end := s.first + minute(s.Len())
	switch {
	case s.Len() == 0 || m >= end+minute(horizon):
		s.first, s.rows = m, gaps(s.columns)
	case m < end-minute(horizon):
		return false
	case m < s.first:
		s.rows = append(gaps(int(s.first-m)*s.columns), s.rows...)
		s.first = m
	case m >= end:
		s.rows = append(s.rows, gaps(int(m-end+1)*s.columns)...)
		s.forget(m + 1 - minute(horizon))
	}
	return true
}

func gaps(values int) []float32 { return slices.Repeat([]float32{float32(math.NaN())}, values) }

// forget drops the minutes before the given one.
func (s *Series) forget(before minute) {
	if over := min(int(before-s.first), s.Len()); over > 0 {
		s.rows = slices.Delete(s.rows, 0, over*s.columns)
		s.first += minute(over)
	}
}

// row returns the row of a minute, which may be the one being sampled; nil if nothing is known of it.
func (s *Series) row(m minute) []float64 {
	row, known := make([]float64, s.columns), false
	for i := range row {
		if row[i] = s.over(i, m, 1); m == s.minute && math.IsNaN(row[i]) {
			row[i] = s.mean(i)
		}
		known = known || !math.IsNaN(row[i])
	}
	if !known {
		return nil
	}
	return row
}

func (s *Series) mean(column int) float64 {
	if s.counts[column] == 0 {
		return math.NaN()
	}
	return s.sums[column] / float64(s.counts[column])
}

// Len returns the number of minutes kept.
func (s *Series) Len() int { return len(s.rows) / s.columns }

// Last returns the beginning of the last minute with a row or a sample; 0 if there is none.
func (s *Series) Last() cluster.Time {
	last := s.minute
	if s.Len() > 0 {
		last = max(last, s.first+minute(s.Len())-1)
	}
	return cluster.Time(last) * cluster.Minute
}

// Table is a part of a series, coarsened if necessary: one row per step, by columns. NaN is a gap.
type Table struct {
	Start   cluster.Time // of the first row
	Step    cluster.Time // whole minutes
	Columns [][]float64
}

// Between returns the minutes from the one of from to before the one of to, in at most rows rows. Minutes that are not
// kept or have not passed are gaps.
func (s *Series) Between(from, to cluster.Time, rows int) Table {
	first, last := minuteOf(from), minuteOf(to+cluster.Minute-1)
	length := max(0, int(last-first))
	step := max(1, (length+rows-1)/rows)
	t := Table{Start: cluster.Time(first) * cluster.Minute, Step: cluster.Time(step) * cluster.Minute,
		Columns: make([][]float64, s.columns)}
	for i := range t.Columns {
		t.Columns[i] = make([]float64, (length+step-1)/step)
		for row := range t.Columns[i] {
			t.Columns[i][row] = s.over(i, first+minute(row*step), min(step, length-row*step))
		}
	}
	return t
}

// over returns the mean, or the least, of some minutes of one column.
func (s *Series) over(column int, from minute, length int) float64 {
	sum, n := 0.0, 0
	for m := max(from, s.first); m < min(from+minute(length), s.first+minute(s.Len())); m++ {
		x := float64(s.rows[int(m-s.first)*s.columns+column])
		switch {
		case math.IsNaN(x):
		case slices.Contains(s.least, column):
			if n == 0 || x < sum {
				sum, n = x, 1
			}
		default:
			sum += x
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// Collection is a set of series of one kind with a common limit of size.
type Collection[K comparable] struct {
	columns int
	values  int // most values of all series together
	longest int // minutes
	series  map[K]*Series
}

// shortest is the number of minutes kept of each series, however many series there are.
const shortest = 60

// NewCollection returns an empty collection of series with the given number of columns. Each keeps at most longest
// minutes, and all together keep at most the given number of values.
func NewCollection[K comparable](columns, longest, values int) *Collection[K] {
	return &Collection[K]{columns: columns, values: values, longest: longest, series: map[K]*Series{}}
}

// horizon returns the most minutes kept of each series.
func (h *Collection[K]) horizon() int {
	return min(h.longest, max(shortest, h.values/(h.columns*max(1, len(h.series)))))
}

// makeRoom drops series that were not sampled lately. It reports whether there were any.
func (h *Collection[K]) makeRoom(now cluster.Time) bool {
	before := len(h.series)
	for key, s := range h.series {
		if s.Last() < now-2*cluster.Minute {
			delete(h.series, key)
		}
	}
	return len(h.series) < before
}

// Put samples a row of one series. It ignores a new series if there is no room.
func (h *Collection[K]) Put(key K, at cluster.Time, row ...float64) {
	if s := h.find(key, at); s != nil {
		s.Put(at, h.horizon(), row...)
	}
}

// Fill adds the row of a past minute to one series, as [Series.Fill] does.
func (h *Collection[K]) Fill(key K, at cluster.Time, row []float64) {
	if s := h.find(key, at); s != nil {
		s.Fill(at, h.horizon(), row)
	}
}

// find returns the series of the key, a new one if there is none; nil if there is no room for it.
func (h *Collection[K]) find(key K, at cluster.Time) *Series {
	s := h.series[key]
	if s == nil && (len(h.series) < h.values/(h.columns*shortest) || h.makeRoom(at)) {
		s = NewSeries(h.columns)
		h.series[key] = s
	}
	return s
}

// rows returns the rows of a minute of all series that know it.
func (h *Collection[K]) rows(m minute) map[K][]float64 {
	found := map[K][]float64{}
	for key, s := range h.series {
		if row := s.row(m); row != nil {
			found[key] = row
		}
	}
	return found
}

// Keys yields the keys of all series, in any order.
func (h *Collection[K]) Keys() iter.Seq[K] { return maps.Keys(h.series) }

// Has reports whether there is a series of that key.
func (h *Collection[K]) Has(key K) bool { return h.series[key] != nil }

// Get returns the series, or an empty one if there is none.
func (h *Collection[K]) Get(key K) *Series {
	if s := h.series[key]; s != nil {
		return s
	}
	return NewSeries(h.columns)
}

// Forget drops the series without samples for as long as a series is kept.
func (h *Collection[K]) Forget(now cluster.Time) {
	oldest := now - cluster.Time(h.horizon())*cluster.Minute
	for key, s := range h.series {
		if s.Last() < oldest {
			delete(h.series, key)
		}
	}
}
