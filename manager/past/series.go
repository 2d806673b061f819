package past

import (
	"math"
	"slices"

	"aliquot/cluster"
)

// minute is a minute's number since the epoch.
type minute int64

func minuteOf(t cluster.Time) minute { return minute(t / cluster.Minute) }

// Series is rows of numbers, one for each minute: the mean of what was sampled in it, or the least. The zero Series is not usable.
type Series struct {
	columns int
	least   []int // columns of which the least counts
	first   minute
	rows    []float32 // of minutes that have passed, row after row; NaN: a gap
	minute  minute    // that is being sampled
	sums    []float64
	counts  []int
}

// NewSeries returns an empty series with so many columns; of some the least of a minute counts and not the mean.
func NewSeries(columns int, least ...int) *Series {
	return &Series{columns: columns, least: least, sums: make([]float64, columns), counts: make([]int, columns)}
}

// Put samples a row, in which NaN is what is not known. Rows come in the order of time; horizon bounds the minutes that are kept.
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

// close turns the samples of the minute into a row, and begins with the next, leaving a gap between if there is one.
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

// Len is how many minutes are kept.
func (s *Series) Len() int { return len(s.rows) / s.columns }

// Last is when the minute began that was sampled last; 0: none was.
func (s *Series) Last() cluster.Time { return cluster.Time(s.minute) * cluster.Minute }

// Table is a part of a series, made coarser if need be: a row per step, by columns. NaN is a gap.
type Table struct {
	Start   cluster.Time // of the first row
	Step    cluster.Time // whole minutes
	Columns [][]float64
}

// Between returns the minutes from the one of from to before the one of to, in at most so many rows. Minutes that are not
// kept, or that have not passed, are gaps.
func (s *Series) Between(from, to cluster.Time, rows int) Table {
	first, last := minuteOf(from), minuteOf(to+cluster.Minute-1)
	length := max(0, int(last-first))
	step := max(1, (length+rows-1)/rows)
	t := Table{Start: cluster.Time(first) * cluster.Minute, Step: cluster.Time(step) * cluster.Minute, Columns: make([][]float64, s.columns)}
	for i := range t.Columns {
		t.Columns[i] = make([]float64, (length+step-1)/step)
		for row := range t.Columns[i] {
			t.Columns[i][row] = s.over(i, first+minute(row*step), min(step, length-row*step))
		}
	}
	return t
}

// over is the mean, or the least, of some minutes of one column.
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

// Collection is series of one kind that share a bound on what they keep together.
type Collection[K comparable] struct {
	columns int
	values  int // that all of them keep together
	longest int // minutes
	series  map[K]*Series
}

// shortest is how many minutes are kept of each, however many there are.
const shortest = 60

// NewCollection returns an empty collection of series with that many columns, each of at most longest minutes, which keep
// at most that many values together.
func NewCollection[K comparable](columns, longest, values int) *Collection[K] {
	return &Collection[K]{columns: columns, values: values, longest: longest, series: map[K]*Series{}}
}

// horizon is how many minutes may be kept of each.
func (h *Collection[K]) horizon() int {
	return min(h.longest, max(shortest, h.values/(h.columns*max(1, len(h.series)))))
}

// makeRoom drops what was not sampled lately, if there is any.
func (h *Collection[K]) makeRoom(now cluster.Time) bool {
	before := len(h.series)
	for key, s := range h.series {
		if s.Last() < now-2*cluster.Minute {
			delete(h.series, key)
		}
	}
	return len(h.series) < before
}

// Put samples a row of one of the series; a new one for which there is no room is left out.
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

// Has tells whether there is a series of that key.
func (h *Collection[K]) Has(key K) bool { return h.series[key] != nil }

// Get returns the series, an empty one if there is none.
func (h *Collection[K]) Get(key K) *Series {
	if s := h.series[key]; s != nil {
		return s
	}
	return NewSeries(h.columns)
}

// Forget drops those that were not sampled for as long as a series is kept.
func (h *Collection[K]) Forget(now cluster.Time) {
	oldest := now - cluster.Time(h.horizon())*cluster.Minute
	for key, s := range h.series {
		if s.Last() < oldest {
			delete(h.series, key)
		}
	}
}
