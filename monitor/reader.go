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
	mostReads = 16              // at the same time; a store that hangs blocks at most this many goroutines
)

// files is the content of a run's files on the store, or the reason why it is unknown.
type files struct {
	run   cluster.RunID
	guest reconcile.Guest
	image reconcile.Image
	written
	err error
}

// reader reads the files of runs without waiting for long. If the store hangs, as a hard-mounted network file system
// does, it abandons the goroutine and does not try that run again before the store has answered.
type reader struct {
	read  func(cluster.RunID) files // may never return
	slots chan struct{}
	next  cluster.RunID // the first run that the last call did not get

	mu   sync.Mutex
	busy map[cluster.RunID]bool
}

func newReader(read func(cluster.RunID) files) *reader {
	return &reader{read: read, slots: make(chan struct{}, mostReads), busy: map[cluster.RunID]bool{}}
}

// all reads the files of the runs, which must be in order. Files not read within the limit are missing from the result.
// The next call begins with them, so that every run gets its turn from a store that is only slow.
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

// collect waits for n results, or returns those that have arrived when the time is over.
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

// begin starts to read the files of a run. It returns false if no slot is free in time.
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
