package manager

import (
	"math"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web"
	"aliquot/wire"
)

func TestSpansAreToldFromTheEventsThatAreKeptAndThoseThatCome(t *testing.T) {
	w := newWorld(t)
	id := w.run(w.spec(), w.node("n1"))
	var told []string
	w.until("the job runs in the spans", func() bool {
		page, err := w.Spans(past.Query{Job: id, Limit: 100})
		w.ok(err)
		told = told[:0]
		for _, s := range page.Spans {
			told = append(told, s.State)
		}
		return len(told) > 0 && told[0] == "running"
	})
	if _, err := w.Spans(past.Query{After: "x", Limit: 1}); err == nil {
		t.Error("a cursor that no page gave is taken")
	}
}

func TestWhatHappensWhileTheManagerRunsIsCounted(t *testing.T) {
	w := newWorld(t)
	w.run(w.spec(), w.node("n1"))
	w.until("the start is counted", func() bool { return past.Completed(w.Tally(), cluster.Start) == 1 })
}

func TestUseIsKeptAsMeansOfMinutesWithGapsWhereNobodyTold(t *testing.T) {
	w := newWorld(t)
	run := cluster.RunID{Job: 7, Number: 1}
	begin := w.now() / cluster.Minute * cluster.Minute
	tell := func(minute int, cpu cluster.CPU) {
		w.ahead.Store(
			int64(time.Duration(begin+cluster.Time(minute)*cluster.Minute-w.now())*time.Microsecond) + w.ahead.Load() + int64(
				time.Second))
		w.past.used(w.now(), []wire.Usage{{Run: run, At: w.clock(), CPU: cpu}})
	}
	tell(1, 100)
	tell(1, 300)
	tell(3, 400)
	tell(4, 500)
	got := w.UsageOver(t.Context(), run, begin, begin+4*cluster.Minute, 100)
	want := []float64{math.NaN(), 200, math.NaN(), 400}
	for i, x := range got.Columns[0] {
		if x != want[i] && !(math.IsNaN(x) && math.IsNaN(want[i])) {
			t.Errorf("minute %d: %v, want %v", i, x, want[i])
		}
		if !math.IsNaN(got.Columns[1][i]) {
			t.Errorf("minute %d: memory %v that nobody told", i, got.Columns[1][i])
		}
	}
	w.sample(w.Latest())
	w.ahead.Add(int64(time.Minute))
	w.sample(w.Latest())
	now := w.Latest().At
	table := w.Series(now-3*cluster.Minute, now, 10)
	seen := false
	for _, x := range table.Columns[web.CapacityCPU] {
		seen = seen || x == 0 // no node has joined
	}
	if !seen {
		t.Errorf("the cluster's series is %v", table.Columns[web.CapacityCPU])
	}
	for range 2 {
		if of := w.NodeSeries(9, now-cluster.Minute, now, 10); len(of.Columns) != int(web.NodeColumns) ||
			!math.IsNaN(of.Columns[0][0]) {
			t.Errorf("of a node that is not there: %v", of)
		}
	}
}
