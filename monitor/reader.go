package monitor

import (
	"context"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

const (
	readLimit = 2 * time.Second // for the files of all runs together
	mostReads = 16              // at once; a store that hangs keeps so many goroutines
)

// files is what the store has of a run, or why that is not known.
type files struct {
	run   cluster.RunID
	guest reconcile.Guest
	image reconcile.Image
	err   error
}

// reader reads the files of runs and does not wait for long: where a store hangs, as a hard-mounted network file system does,
// it leaves the goroutine behind, and does not try that run again before the store has answered.
type reader struct {
	read  func(cluster.RunID) files // may never return
	slots chan struct{}

	mu   sync.Mutex
	busy map[cluster.RunID]bool
}

func newReader(read func(cluster.RunID) files) *reader {
	return &reader{read: read, slots: make(chan struct{}, mostReads), busy: map[cluster.RunID]bool{}}
}

// all reads the files of the runs. What is not there within the limit is missing from the result.
func (r *reader) all(runs []cluster.RunID, limit time.Duration) map[cluster.RunID]files {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	results, begun := make(chan files, len(runs)), 0
	for _, run := range runs {
		if r.begin(ctx, run, results) {
			begun++
		}
	}
	got := make(map[cluster.RunID]files, begun)
	for len(got) < begun {
		select {
		case f := <-results:
			got[f.run] = f
		case <-ctx.Done():
			return got
		}
	}
	return got
}

// begin begins to read the files of a run, unless that still goes on or no goroutine is free in time.
func (r *reader) begin(ctx context.Context, run cluster.RunID, results chan<- files) bool {
	if ctx.Err() != nil || r.isBusy(run) {
		return false
	}
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	r.mark(run, true)
	go func() {
		f := r.read(run)
		f.run = run
		r.mark(run, false)
		<-r.slots
		results <- f
	}()
	return true
}

func (r *reader) isBusy(run cluster.RunID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.busy[run]
}

func (r *reader) mark(run cluster.RunID, busy bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if busy {
		r.busy[run] = true
	} else {
		delete(r.busy, run)
	}
}
