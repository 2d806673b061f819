package past_test

import (
	"bytes"
	"math"
	"testing"

	"aliquot/cluster"
	"aliquot/manager/past"
)

func newCharts() *past.Charts {
	return past.NewCharts(past.NewSeries(2), 1000, past.NewCollection[cluster.NodeID](1, 100, 10_000),
		past.NewCollection[cluster.RunID](2, 100, 10_000))
}

var run = cluster.RunID{Job: 7, Number: 1}

// led returns the charts of a leader that sampled some minutes.
func led(from, to int) *past.Charts {
	c := newCharts()
	for m := from; m < to; m++ {
		c.Cluster.Put(minutes(m), 1000, float64(m), math.NaN())
		c.Nodes.Put(1, minutes(m), float64(10*m))
		c.Runs.Put(run, minutes(m), float64(100*m), 5)
		c.Led(minutes(m))
	}
	return c
}

func TestChartsThatAreFilledFromRecordsAreTheSame(t *testing.T) {
	from, to := led(0, 5), newCharts()
	records := from.Finish(minutes(5))
	if len(records) != 5 || len(from.Finish(minutes(5))) != 0 {
		t.Fatalf("%d records of 5 minutes", len(records))
	}
	for _, r := range records {
		text, err := past.Decode(r.Encode())
		if err != nil || !to.Fill(&text, minutes(5)) || to.Fill(&text, minutes(5)) {
			t.Fatalf("%s: %v", r.Encode(), err)
		}
	}
	for m := range 5 {
		r, known := to.Record(minutes(m))
		if !known || !bytes.Equal(r.Encode(), records[m].Encode()) {
			t.Errorf("minute %d: %s, want %s", m, r.Encode(), records[m].Encode())
		}
	}
	if got := to.Recorded(minutes(2)); len(got) != 2 || got[0] != minutes(3) {
		t.Errorf("recorded after minute 2: %v", got)
	}
}

func TestAMinuteIsRecordedOnceItIsOver(t *testing.T) {
	if list := led(0, 3).Finish(minutes(2)); len(list) != 2 {
		t.Errorf("%d records, while the third minute lasts", len(list))
	}
}

func TestARecordThatCouldNotBeSavedIsReturnedAgain(t *testing.T) {
	c := led(0, 200)
	first := c.Finish(minutes(200))
	for i := range first {
		c.Retry(&first[i])
	}
	again, rest := c.Finish(minutes(200)), c.Finish(minutes(200))
	if len(again) != 120 || again[0].At != minutes(0) || len(rest) != 80 {
		t.Errorf("%d records again, and %d more", len(again), len(rest))
	}
	c.Retry(&first[0])
	c.Forget(minutes(2000))
	if list := c.Finish(minutes(2000)); len(list) != 0 {
		t.Errorf("%d records are returned that are too old", len(list))
	}
}

func TestOlderRecordsFillTheGapsOfNewerCharts(t *testing.T) {
	c := led(6, 8)
	for _, r := range led(0, 5).Finish(minutes(5)) {
		c.Fill(&r, minutes(9))
	}
	got := c.Cluster.Between(minutes(0), minutes(7), 100).Columns[0]
	for m, want := range []float64{0, 1, 2, 3, 4, math.NaN(), 6} {
		if got[m] != want && !(math.IsNaN(got[m]) && math.IsNaN(want)) {
			t.Errorf("minute %d: %v, want %v", m, got[m], want)
		}
	}
}

func TestKnownValuesAreNotReplaced(t *testing.T) {
	c := led(0, 3)
	c.Fill(&past.Record{At: minutes(1), Cluster: []past.Value{99, 98}}, minutes(3))
	if got := c.Cluster.Between(minutes(1), minutes(2), 1).Columns; got[0][0] != 1 || got[1][0] != 98 {
		t.Errorf("%v, want the known 1 and the new 98", got)
	}
}

func TestRecordsOfTheFutureAndOfLongAgoAreRefused(t *testing.T) {
	c := newCharts()
	for _, at := range []cluster.Time{minutes(2000), minutes(2001), minutes(1 << 40), minutes(999)} {
		if c.Fill(&past.Record{At: at, Cluster: []past.Value{1, 1}}, minutes(2000)) {
			t.Errorf("minute %d is taken in minute 2000", at/cluster.Minute)
		}
	}
}

func TestDamagedRecordsAreRefused(t *testing.T) {
	for _, text := range []string{"", "{", "{}", "[]", "null", `{"at":-60000000}`, `{"at":61}`, `{"at":"x"}`,
		`{"at":60000000,"cluster":["a"]}`, `{"at":60000000,"runs":{"j1":[1]}}`, `{"at":60000000,"nodes":{"n":[1]}}`,
		`{"at":60000000,"cluster":[1e99]}`} {
		if r, err := past.Decode([]byte(text)); err == nil {
			t.Errorf("%s is taken as %+v", text, r)
		}
	}
}

func TestTheUseOfAnEndedRunIsReadAsItWasKept(t *testing.T) {
	c := led(0, 20)
	list, err := past.DecodeCourses(past.EncodeCourses(c.Courses(run.Job)), run.Job, 2)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	got := list[run].Between(minutes(0), minutes(20), 100).Columns[0]
	for m := range got {
		if got[m] != float64(100*m) {
			t.Errorf("minute %d: %v", m, got[m])
		}
	}
	if c.Courses(8) != nil {
		t.Error("a job without runs has a use")
	}
}

func TestADamagedUseIsRefused(t *testing.T) {
	for _, text := range []string{"", "{}", `[{"run":"j1/0/1"}]`, `[{"run":"x"}]`,
		`[{"run":"j1/0/1","start":60000000,"step":60000000,"columns":[[1]]}]`,
		`[{"run":"j1/0/1","start":60000000,"step":1,"columns":[[1],[1]]}]`,
		`[{"run":"j1/0/1","start":60000000,"step":9000000060000000,"columns":[[1],[1]]}]`} {
		if list, err := past.DecodeCourses([]byte(text), 1, 2); err == nil {
			t.Errorf("%s is taken as %v", text, list)
		}
	}
}

// courses is a file of many runs of a job, each with one row that lasts the given number of minutes.
func courses(job cluster.JobID, runs, length int) []byte {
	var list []past.Course
	for i := range runs {
		list = append(list, past.Course{Run: past.RunKey{Job: job, Index: i, Number: 1}, Start: cluster.Minute,
			Step: cluster.Time(length) * cluster.Minute, Columns: [][]past.Value{{1}, {1}}})
	}
	return past.EncodeCourses(list)
}

func TestASmallFileCannotDescribeAHugeUse(t *testing.T) {
	if list, err := past.DecodeCourses(courses(7, 200, 100_000), 7, 2); err == nil {
		t.Errorf("%d runs of 100,000 minutes are taken", len(list))
	}
	if list, err := past.DecodeCourses(courses(7, 2000, 1440), 7, 2); err != nil || len(list) != 2000 {
		t.Errorf("%d of 2000 runs of a day are taken: %v", len(list), err)
	}
}

func TestTheUseOfOtherJobsIsSkipped(t *testing.T) {
	if list, err := past.DecodeCourses(courses(8, 200, 100_000), 7, 2); err != nil || len(list) != 0 {
		t.Errorf("%d runs of another job are taken: %v", len(list), err)
	}
}

// Whatever a file contains, what is read can be written and read again, and charts can take it.
func FuzzDecode(f *testing.F) {
	for _, r := range led(0, 3).Finish(minutes(3)) {
		f.Add(r.Encode())
	}
	f.Add(past.EncodeCourses(led(0, 3).Courses(run.Job)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if list, err := past.DecodeCourses(text, run.Job, 2); err == nil {
			for _, s := range list {
				s.Between(minutes(0), minutes(10), 10)
			}
		}
		r, err := past.Decode(text)
		if err != nil {
			return
		}
		again, err := past.Decode(r.Encode())
		if err != nil || !bytes.Equal(again.Encode(), r.Encode()) {
			t.Fatalf("%s became %s, %v", r.Encode(), again.Encode(), err)
		}
		c := led(0, 3)
		c.Fill(&r, r.At+cluster.Minute)
		c.Fill(&r, minutes(4))
		c.Cluster.Between(minutes(0), minutes(5), 5)
	})
}
