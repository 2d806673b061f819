package past

import (
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

// close turns the samples of the minute into a row and starts the next minute, with a gap in between if minutes were
// skipped.
func (s *Series) close(next minute, horizon int) {
	if s.minute != 0 {
		if len(s.rows) == 0 {
			s.first = s.minute
		}
		for i := range s.columns {
			s.rows = append(s.rows, float32(s.mean(i)))
		}
		gap := min(int(next-s.minute)-1, horizon)
		for range gap * s.columns {
			s.rows = append(s.rows, float32(math.NaN()))
		}
		s.first = next - minute(s.Len())
		if over := s.Len() - horizon; over > 0 {
			s.rows = slices.Delete(s.rows, 0, over*s.columns)
			s.first += minute(over)
		}
	}
	s.minute = next
	clear(s.sums)
	clear(s.counts)
}

func (s *Series) mean(column int) float64 {
	if s.counts[column] == 0 {
		return math.NaN()
	}
	return s.sums[column] / float64(s.counts[column])
}

// Len returns the number of minutes kept.
func (s *Series) Len() int { return len(s.rows) / s.columns }

// Last returns the beginning of the minute sampled last; 0 if there is none.
func (s *Series) Last() cluster.Time { return cluster.Time(s.minute) * cluster.Minute }

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
	s := h.series[key]
	if s == nil {
		if len(h.series) >= h.values/(h.columns*shortest) && !h.makeRoom(at) {
			return
		}
		s = NewSeries(h.columns)
		h.series[key] = s
	}
	s.Put(at, h.horizon(), row...)
}

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
