package wire

import "sync"

// reports holds the reports of one session that are not acknowledged yet.
type reports struct {
	mu      sync.Mutex
	last    uint64
	waiting map[uint64]chan error
}

// open numbers a new report and returns the channel for its outcome.
func (r *reports) open() (uint64, <-chan error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting == nil {
		r.waiting = map[uint64]chan error{}
	}
	r.last++
	outcome := make(chan error, 1)
	r.waiting[r.last] = outcome
	return r.last, outcome
}

// settle passes the outcome to the caller that waits for the report, if it still does.
func (r *reports) settle(number uint64, outcome error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if waiting, ok := r.waiting[number]; ok {
		waiting <- outcome
		delete(r.waiting, number)
	}
}

func (r *reports) forget(number uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, number)
}
