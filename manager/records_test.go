package manager

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/manager/past"
	"aliquot/web"
	"aliquot/wire"
)

// column returns a column of the cluster's series over some minutes.
func column(m *Manager, c web.ClusterColumn, from cluster.Time, minutes int) []float64 {
	return m.Series(from, from+cluster.Time(minutes)*cluster.Minute, 1000).Columns[c]
}

func known(row []float64) (n int) {
	for _, x := range row {
		if !math.IsNaN(x) {
			n++
		}
	}
	return n
}

// sampleFor lets minutes pass in each of which the manager samples, and one more.
func sampleFor(minutes int, m *Manager, pass func(time.Duration)) (from cluster.Time) {
	from = m.Latest().At / cluster.Minute * cluster.Minute
	for range minutes {
		m.sample(m.Latest())
		pass(time.Minute)
	}
	m.sample(m.Latest())
	return from
}

func TestChartsSurviveARestart(t *testing.T) {
	kept := PastLimits{Folder: t.TempDir(), Bytes: 1 << 20}
	w := newWorld(t)
	run := cluster.RunID{Job: 1, Number: 1}
	w.past.used(w.now(), []wire.Usage{{Run: run, At: w.clock(), CPU: 250}})
	from := sampleFor(5, w.Manager, func(d time.Duration) { w.ahead.Add(int64(d)) })
	r := w.openRecords(kept)
	r.step(t.Context())
	r.close()
	w.past.forget()
	w.openRecords(kept).close()
	if n := known(column(w.Manager, web.CapacityCPU, from, 5)); n != 5 {
		t.Errorf("%d minutes of 5 after a restart", n)
	}
	if use := w.UsageOver(t.Context(), run, from, from+5*cluster.Minute, 10).Columns[0]; use[0] != 250 {
		t.Errorf("the use of a run is %v", use)
	}
}

func TestAnUnusableDiskCostsTheChartsOnly(t *testing.T) {
	dir, text := filepath.Join(t.TempDir(), "past"), &strings.Builder{}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorldAfter(t, "FCFS", zerolog.New(zerolog.SyncWriter(text)), func(m *Manager) {
		m.cfg.Past = PastLimits{Folder: dir, Bytes: 1 << 20}
	})
	from := sampleFor(2, w.Manager, func(d time.Duration) { w.ahead.Add(int64(d)) })
	r := w.openRecords(w.cfg.Past)
	r.step(t.Context())
	if !r.failing || known(column(w.Manager, web.CapacityCPU, from, 2)) == 0 {
		t.Error("charts need the disk, or its failure is not noticed")
	}
}

func TestAMinuteAndAnHourThatCouldNotBeWrittenAreWrittenLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "past")
	w := newWorld(t)
	kept := PastLimits{Folder: dir, Bytes: 1 << 20}
	from := sampleFor(2, w.Manager, func(d time.Duration) { w.ahead.Add(int64(d)) })
	long := w.now() - 2*cluster.Hour // of an hour that is over
	w.past.mu.Lock()
	w.past.ledger = past.NewLedger()
	w.past.ledger.Add(long, 1, rootInDefault, past.Amounts{Waited: 7})
	w.past.mu.Unlock()
	w.ok(os.WriteFile(dir, nil, 0o600))
	r := w.openRecords(kept)
	r.step(t.Context())
	if !r.failing {
		t.Error("records are written into a folder that is a file")
	}
	w.ok(os.Remove(dir))
	w.ok(os.MkdirAll(filepath.Join(dir, "week"), 0o700))
	for _, name := range []string{"day", "hour", "year"} {
		w.ok(os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	r.booked -= bookEvery
	r.step(t.Context())
	r.close()
	w.ok(os.RemoveAll(filepath.Join(dir, "hour"))) // the account is in the file of final ones too
	w.past.forget()
	w.openRecords(kept).close()
	if n := known(column(w.Manager, web.CapacityCPU, from, 2)); n != 2 {
		t.Errorf("%d minutes of 2 are written", n)
	}
	if got := total(w.Manager); got.Waited != 7 {
		t.Errorf("the account that is written is %+v", got)
	}
}

func TestANewLeaderHasTheChartsOfTheOneBefore(t *testing.T) {
	c := newTrio(t)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	first := c.leader()
	from := sampleFor(3, first, func(d time.Duration) { c.passed.Add(int64(d)) })
	first.openRecords(PastLimits{}).step(t.Context())
	for id, m := range c.all {
		if m != first {
			m.openRecords(PastLimits{}).step(t.Context())
		}
		if n := known(column(m, web.CapacityCPU, from, 3)); n != 3 {
			t.Errorf("manager %d knows %d minutes of 3", id, n)
		}
	}
	late := uint64(1) + first.cfg.Replica%3
	c.stop[late]()
	c.stop[first.cfg.Replica]()
	begun := c.start(late, 0) // with nothing on disk; the third manager alone has the past
	delete(c.peers.managers, first.cfg.Links[first.cfg.Replica])
	begun.openRecords(PastLimits{}).step(t.Context())
	if n := known(column(begun, web.CapacityCPU, from, 3)); n != 3 {
		t.Errorf("a manager that starts anew knows %d minutes of 3", n)
	}
}

func TestAManagerThatDoesNotAnswerIsAskedForEverythingAgain(t *testing.T) {
	c := newTrio(t)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	leader := c.leader()
	other := c.all[1+leader.cfg.Replica%3]
	r := other.openRecords(PastLimits{})
	r.step(t.Context())
	c.peers.cut.Store(true)
	from := sampleFor(70, leader, func(d time.Duration) { c.passed.Add(int64(d)) })
	leader.openRecords(PastLimits{}).step(t.Context())
	r.step(t.Context())
	c.peers.cut.Store(false)
	c.passed.Add(int64(copyRecords))
	r.step(t.Context())
	if n := known(column(other, web.CapacityCPU, from, 70)); n != 70 {
		t.Errorf("it knows %d minutes of 70", n)
	}
}

func TestTheUseOfAnEndedJobIsKeptBesideItsOutput(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	job := w.run(w.spec(), n1)
	run := cluster.RunID{Job: job, Number: 1}
	w.ok(os.MkdirAll(string(folder.Of(w.cfg.StorePath, run)), 0o755))
	from := w.now() / cluster.Minute * cluster.Minute
	w.past.used(w.now(), []wire.Usage{{Run: run, At: w.clock(), CPU: 250}})
	_, err := w.Do(t.Context(), admin, "", cluster.Cancel{Job: job})
	w.ok(err)
	w.until("the job has ended", func() bool { w.obey(n1); return w.Latest().Ended(job) != nil })
	w.ok(w.writeUses(t.Context()))
	if _, err := os.Stat(folder.Use(w.cfg.StorePath, job)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its last samples may be on their way: %v", err)
	}
	w.ahead.Add(int64(3 * time.Minute))
	w.ok(w.writeUses(t.Context()))
	w.past.mu.Lock()
	w.past.charts = newHistory().charts
	w.past.mu.Unlock()
	if use := w.UsageOver(t.Context(), run, from, from+cluster.Minute, 1).Columns[0]; use[0] != 250 {
		t.Errorf("its use is %v", use)
	}
	w.ok(os.RemoveAll(filepath.Join(w.cfg.StorePath, "runs")))
	w.ahead.Add(int64(2 * useLife))
	if use := w.UsageOver(t.Context(), run, from, from+cluster.Minute, 1).Columns[0]; !math.IsNaN(use[0]) {
		t.Errorf("without its output, its use is %v", use)
	}
}

// forget empties the history, as a restart does.
func (h *history) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	empty := newHistory()
	h.charts, h.ledger, h.total = empty.charts, empty.ledger, empty.total
}
