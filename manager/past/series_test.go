package past_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/manager/past"
)

const start = 1000 * cluster.Minute

func minutes(n int) cluster.Time { return start + cluster.Time(n)*cluster.Minute }

func TestAMinuteIsTheMeanOfItsSamplesOrTheLeast(t *testing.T) {
	s := past.NewSeries(2, 1)
	for i, x := range []float64{1, 3, 2, 10} {
		s.Put(start+cluster.Time(i)*20*cluster.Second, 100, x, x) // three in the first minute
	}
	s.Put(minutes(2), 100, 0, 0)
	got := s.Between(start, minutes(2), 10)
	if fmt.Sprint(got.Columns) != "[[2 10] [1 10]]" || got.Start != start || got.Step != cluster.Minute {
		t.Errorf("%+v", got)
	}
}

func TestMinutesWithoutASampleAreGaps(t *testing.T) {
	s := past.NewSeries(1)
	s.Put(minutes(1), 100, 5)
	s.Put(minutes(4), 100, 7)
	s.Put(minutes(5), 100, math.NaN())
	s.Put(minutes(6), 100, 8)
	if got := fmt.Sprint(s.Between(start, minutes(8), 100).Columns); got != "[[NaN 5 NaN NaN 7 NaN NaN NaN]]" {
		t.Error(got)
	}
	if got := s.Between(start, minutes(8), 4); fmt.Sprint(got.Columns) != "[[5 NaN 7 NaN]]" ||
		got.Step != 2*cluster.Minute {
		t.Errorf("coarser: %+v", got)
	}
	if got := s.Between(minutes(8), start, 4); len(got.Columns[0]) != 0 {
		t.Errorf("backwards: %+v", got)
	}
}

func TestALongAbsenceDoesNotFillTheMemory(t *testing.T) {
	s := past.NewSeries(1)
	s.Put(start, 30, 1)
	s.Put(minutes(1_000_000), 30, 2)
	s.Put(minutes(1_000_001), 30, 3)
	if s.Len() > 30 {
		t.Errorf("%d minutes are kept", s.Len())
	}
	if got := fmt.Sprint(s.Between(minutes(999_999), minutes(1_000_001), 9).Columns); got != "[[NaN 2]]" {
		t.Error(got)
	}
}

func TestManySeriesShareTheRoom(t *testing.T) {
	h := past.NewCollection[int](2, 1440, 24_000)
	for m := range 200 {
		for key := range 50 {
			h.Put(key, minutes(m), 1, 2)
		}
	}
	if n := h.Get(0).Len(); n != 199 {
		t.Errorf("50 series keep %d minutes each", n)
	}
	for m := 200; m < 400; m++ {
		for key := range 300 {
			h.Put(key, minutes(m), 1, 2)
		}
	}
	if n := h.Get(0).Len(); n != 60 {
		t.Errorf("those for whom there was room keep %d minutes each", n)
	}
	held := 0
	for key := range 300 {
		if h.Has(key) {
			held++
		}
	}
	if held != 200 {
		t.Errorf("%d series are held, there is room for 200 of 60 minutes", held)
	}
	for key := 100; key < 300; key++ {
		h.Put(key, minutes(410), 1, 2)
	}
	if h.Has(0) || !h.Has(299) {
		t.Error("what is not sampled any more takes the place of what is")
	}
	h.Forget(minutes(2000))
	if h.Has(299) {
		t.Error("what was not sampled for longer than it is kept is still there")
	}
}

// A series agrees with a dumb one that keeps everything.
func TestASeriesKeepsTheLastMinutesExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const horizon = 10
		s, all, last := past.NewSeries(1), map[int]float64{}, 0
		for m := 1; m < 40; m += rapid.IntRange(1, 4).Draw(t, "skip") {
			all[m] = float64(rapid.IntRange(0, 9).Draw(t, "value"))
			s.Put(minutes(m), horizon, all[m])
			last = m
		}
		got := s.Between(minutes(1), minutes(40), 100).Columns[0]
		for m := 1; m < 40; m++ {
			want, ok := all[m]
			if !ok || m >= last || m < last-horizon {
				want = math.NaN()
			}
			if x := got[m-1]; x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
				t.Fatalf("minute %d is %v, want %v; sampled last at %d", m, x, want, last)
			}
		}
	})
}
