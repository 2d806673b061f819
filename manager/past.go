package manager

import (
	"context"
	"math"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/manager/events"
	"aliquot/manager/past"
	"aliquot/web"
	"aliquot/wire"
)

// Sizes of the history kept in memory, about 100 MB when all of it is in use.
const (
	spansKept  = 200_000
	weekKept   = 7 * 24 * 60 // minutes of the cluster's series
	dayKept    = 24 * 60     // minutes of each node's and each run's, if there are few
	valuesKept = 6_000_000   // of all nodes, and of all runs
	sampleTime = 10 * time.Second

	longestBooked = 30 * cluster.Second // without a sample, what jobs had is unknown
)

// history is the recent past as seen by this replica.
type history struct {
	mu     sync.Mutex
	spans  *past.Spans
	charts *past.Charts
	tally  *past.Tally // since this manager's start
	uses   uses        // of ended jobs
	ledger *past.Ledger
	total  past.Total   // since this manager's start, while it led
	booked cluster.Time // until when the ledger has what jobs had; 0: this manager does not lead
}

func newHistory() *history {
	return &history{
		spans: past.NewSpans(spansKept),
		charts: past.NewCharts(past.NewSeries(int(web.ClusterColumns), int(web.YieldLeast)), weekKept,
			past.NewCollection[cluster.NodeID](int(web.NodeColumns), dayKept, valuesKept),
			past.NewCollection[cluster.RunID](web.UsageColumns, dayKept, valuesKept)),
		tally: past.NewTally(), ledger: past.NewLedger(), total: past.Total{},
	}
}

// keepSpans builds spans from the kept events and then from new ones, until ctx ends. If it falls behind the kept
// events it starts over.
func (m *Manager) keepSpans(ctx context.Context) {
	for ctx.Err() == nil {
		list, err := m.events.Follow(ctx, m.events.Oldest())
		for first := true; err == nil; first = false {
			e, more := <-list
			if !more {
				break
			}
			m.past.mu.Lock()
			if first {
				m.past.spans = past.NewSpans(spansKept)
			}
			m.past.spans.Add(&e)
			m.past.mu.Unlock()
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// keepTally counts new events until ctx ends.
func (m *Manager) keepTally(ctx context.Context) {
	for after := events.End; ctx.Err() == nil; {
		list, err := m.events.Follow(ctx, after)
		if err != nil {
			after = events.End // the next one is no longer kept
		}
		for err == nil {
			e, more := <-list
			if !more {
				break
			}
			m.past.mu.Lock()
			m.past.tally.Add(&e)
			m.past.mu.Unlock()
			after = events.Cursor{Revision: e.Revision, Index: e.Index}
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// Tally returns what was counted since this manager started.
func (m *Manager) Tally() map[past.Counted]uint64 {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.tally.Counts()
}

// keepSeries samples the state for the series until ctx ends.
func (m *Manager) keepSeries(ctx context.Context) {
	every(ctx, sampleTime, func() { m.sample(m.Latest()) })
}

// sample adds a row to the series of the cluster and of each node. Only the leader knows the usage.
func (m *Manager) sample(v *cluster.Snapshot) {
	row, used, leads := web.ClusterRow(v), map[cluster.NodeID]float64{}, m.epoch.Load() != 0
	if leads {
		m.usage.drop(func(id cluster.NodeID) bool { n := v.Node(id); return n == nil || n.Absent })
		used = m.usage.byNode(m.elapsed())
	}
	rows := map[cluster.NodeID][web.NodeColumns]float64{}
	for n := range v.Nodes() {
		of := web.NodeRow(n)
		if u, ok := used[n.ID]; ok {
			of[web.NodeUsed] = u
			if math.IsNaN(row[web.UsedCPU]) {
				row[web.UsedCPU] = 0
			}
			row[web.UsedCPU] += u
		}
		rows[n.ID] = of
	}
	var rates map[past.Holder]past.Amounts
	epoch := m.epoch.Load()
	if epoch != 0 {
		now := m.elapsed()
		rates = web.Rates(v, func(run cluster.RunID) (web.Usage, bool) { return m.usage.recent(run, now) })
	}
	h := m.past
	h.mu.Lock()
	defer h.mu.Unlock()
	h.book(v.At, epoch, rates)
	h.charts.Cluster.Put(v.At, weekKept, row[:]...)
	for id, of := range rows {
		h.charts.Nodes.Put(id, v.At, of[:]...)
	}
	if leads {
		h.charts.Led(v.At)
	}
	h.charts.Forget(v.At)
}

// book adds to the ledger what jobs had since the time before, at the present rates. A longer time than two samples' is
// not known.
func (h *history) book(now cluster.Time, epoch uint64, rates map[past.Holder]past.Amounts) {
	before := h.booked
	h.booked = 0
	if epoch == 0 {
		return
	}
	h.booked = now
	if since := now - before; before != 0 && since > 0 && since <= longestBooked {
		for who, rate := range rates {
			had := past.Amounts{}.Plus(rate, since.Seconds())
			h.ledger.Add(now, epoch, who, had)
			h.total.Add(who.Owner, had)
		}
	}
}

// Accounts returns what the jobs of each holder had in each hour.
func (m *Manager) Accounts(from, to cluster.Time) past.Accounts {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.ledger.Accounts(from, to)
}

// Totals returns what the jobs of each owner had since this manager's start, while it led.
func (m *Manager) Totals() past.Total {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.total.Clone()
}

// used adds a node's samples, which arrived at the given time.
func (h *history) used(now cluster.Time, samples []wire.Usage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range samples {
		resident := float64(s.Memory)
		if s.Memory == 0 {
			resident = math.NaN() // the hypervisor does not report it
		}
		h.charts.Runs.Put(s.Run, now, float64(s.CPU), resident)
	}
}

// Series returns the cluster's series.
func (m *Manager) Series(from, to cluster.Time, rows int) past.Table {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.charts.Cluster.Between(from, to, rows)
}

// NodeSeries returns a node's series.
func (m *Manager) NodeSeries(node cluster.NodeID, from, to cluster.Time, rows int) past.Table {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.charts.Nodes.Get(node).Between(from, to, rows)
}

// UsageOver returns the usage of a run over time. That of an ended job may be on the store.
func (m *Manager) UsageOver(ctx context.Context, run cluster.RunID, from, to cluster.Time, rows int) past.Table {
	m.past.mu.Lock()
	live := m.past.charts.Runs.Has(run)
	m.past.mu.Unlock()
	if !live && m.store.Latest().Ended(run.Job) != nil {
		if kept := m.keptUse(ctx, run); kept != nil {
			return kept.Between(from, to, rows)
		}
	}
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.charts.Runs.Get(run).Between(from, to, rows)
}

// Waits returns since when jobs have waited for a placement.
func (m *Manager) Waits() map[cluster.JobID]cluster.Time {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.spans.Waits()
}

// Starts returns since when runs that have not started have been starting.
func (m *Manager) Starts() map[cluster.TaskID]cluster.Time {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.spans.Starts()
}

// Losses returns the kept losses of runs since a time.
func (m *Manager) Losses(since cluster.Time) []past.Loss {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.spans.Losses(since)
}

// Spans returns the spans that the query selects.
func (m *Manager) Spans(q past.Query) (past.Page, error) {
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.spans.Find(q)
}
