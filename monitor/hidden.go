package monitor

import (
	"fmt"
	"maps"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// hiddenLimit is how long the store may be unreadable for a run that is to begin or to come back here. It is longer
// than an outage of the store itself, because another node would not help then.
const hiddenLimit = time.Minute

// tried holds the runs whose VM may have been requested on this node. A run is added before its VM is requested.
type tried struct {
	mu   sync.Mutex
	runs map[cluster.RunID]bool
}

func newTried(runs []cluster.RunID) *tried {
	t := &tried{runs: map[cluster.RunID]bool{}}
	for _, run := range runs {
		t.runs[run] = true
	}
	return t
}

// put adds the run, and reports whether it is new.
func (t *tried) put(run cluster.RunID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.runs[run]
	t.runs[run] = true
	return !known
}

// drop forgets a run whose VM was certainly not requested after all.
func (t *tried) drop(run cluster.RunID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.runs, run)
}

func (t *tried) has(run cluster.RunID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.runs[run]
}

// keep forgets runs that are neither ordered nor busy.
func (t *tried) keep(orders cluster.Orders, busy map[cluster.RunID]reconcile.Action) {
	concerned := make(map[cluster.RunID]bool, len(orders.Runs))
	for _, o := range orders.Runs {
		concerned[o.Run] = true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.runs, func(run cluster.RunID, _ bool) bool {
		_, active := busy[run]
		return !concerned[run] && !active
	})
}

// untried reports, for each run with unreadable files, whether its VM was never requested here.
func (t *tried) untried(unread map[cluster.RunID]bool) map[cluster.RunID]bool {
	all := map[cluster.RunID]bool{}
	for run := range unread {
		all[run] = !t.has(run)
	}
	return all
}

// giveUpHidden gives up runs that should begin here but cannot, because the store has been unreadable for too long.
func (w *work) giveUpHidden(s *snapshot, untried map[cluster.RunID]bool, now time.Time) {
	hidden := map[cluster.RunID]time.Time{}
	for _, o := range s.orders.Runs {
		if !s.unread[o.Run] || o.Want != cluster.Begin && o.Want != cluster.Restore {
			continue
		}
		hidden[o.Run] = now
		if since, known := w.hidden[o.Run]; known {
			hidden[o.Run] = since
		}
		_, busy := w.busy[o.Run]
		_, here := s.Domains[o.Run]
		_, failed := w.failed[o.Run]
		if now.Sub(hidden[o.Run]) > hiddenLimit && untried[o.Run] && !busy && !here && !failed {
			cause := fmt.Sprintf("its files on the store are unreadable on this node: %v", s.why)
			w.failed[o.Run] = reconcile.Failure{Move: o.Move, Cause: cause}
		}
	}
	w.hidden = hidden
}
