package wording

import (
	"math"
	"testing"
)

func same[T comparable](t *testing.T, write func(T) string, wanted map[T]string) {
	t.Helper()
	for x, want := range wanted {
		if got := write(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}

func TestNumbersAreShort(t *testing.T) {
	same(t, Number, map[float64]string{
		0: "0", 0.344: "0.344", 6.94: "6.94", 13.8: "13.8", 3578.5: "3,578", 12345678: "12,345,678", -1234: "-1,234",
		0.00001: "1e-05", -1.1e-16: "0", math.Inf(1): "–",
	})
}

func TestSpansHaveTwoUnits(t *testing.T) {
	same(t, Span, map[float64]string{
		0: "0s", 0.25: "0.25s", 9.99: "10s", 41: "41s", 59.6: "1m", 119: "1m59s", 730: "12m10s", 3600: "1h", 12000: "3h20m",
		100000: "27h46m", 187200: "2d4h",
	})
}

func TestClocksCountDaysFromTheTracesZero(t *testing.T) {
	same(t, Clock, map[float64]string{0: "00:00:00.0", 500: "00:08:20.0", 86399.96: "1d 00:00:00.0",
		97965.5: "1d 03:12:45.5"})
}

func TestThingsAreCountedInWords(t *testing.T) {
	jobs := func(n int) string { return Count(n, "job") }
	same(t, jobs, map[int]string{0: "no jobs", 1: "1 job", 2: "2 jobs"})
	policies := func(n int) string { return Count(n, "policy", "policies") }
	same(t, policies, map[int]string{0: "no policies", 1: "1 policy", 2: "2 policies"})
}

func TestLongListsAreCutShort(t *testing.T) {
	ids := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
	if got := Few(ids[:2], 2); got != "1, 2" {
		t.Error(got)
	}
	if got := Few(ids[:2], 9); got != "1, 2 and 7 more" {
		t.Error(got)
	}
	if got := Few(ids, len(ids)); got != "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 1 more" {
		t.Error(got)
	}
}
