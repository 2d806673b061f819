package monitor

import (
	"context"
	"slices"
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
	next  cluster.RunID // the first that the last call waited for in vain

	mu   sync.Mutex
	busy map[cluster.RunID]bool
}

func newReader(read func(cluster.RunID) files) *reader {
	return &reader{read: read, slots: make(chan struct{}, mostReads), busy: map[cluster.RunID]bool{}}
}

// all reads the files of the runs, which are in order. What is not there within the limit is missing from the result; the
// next call begins with it, so that a store that is only slow tells of every run in its turn.
func (r *reader) all(runs []cluster.RunID, limit time.Duration) map[cluster.RunID]files {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	at, _ := slices.BinarySearchFunc(runs, r.next, cluster.RunID.Compare)
	turn := slices.DeleteFunc(slices.Concat(runs[at:], runs[:at]), r.isBusy)
	results, begun := make(chan files, len(turn)), 0
	for _, run := range turn {
		if !r.begin(ctx, run, results) {
			break
		}
		begun++
	}
	got := collect(ctx, results, begun)
	if late := slices.IndexFunc(turn, func(run cluster.RunID) bool { _, there := got[run]; return !there }); late >= 0 {
		r.next = turn[late]
	}
	return got
}

// collect waits for n results, or takes those that are there when the time is over.
func collect(ctx context.Context, results <-chan files, n int) map[cluster.RunID]files {
	got := make(map[cluster.RunID]files, n)
	for len(got) < n {
		select {
		case f := <-results:
			got[f.run] = f
			continue
		default:
		}
		select {
		case f := <-results:
			got[f.run] = f
		case <-ctx.Done():
			return got
		}
	}
	return got
}

// begin begins to read the files of a run, unless no goroutine is free in time.
func (r *reader) begin(ctx context.Context, run cluster.RunID, results chan<- files) bool {
	if ctx.Err() != nil {
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
