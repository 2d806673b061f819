package store

import (
	"context"
	"sync"
)

// signal wakes all watchers. A busy watcher is woken once, when it looks again.
type signal struct {
	mu       sync.Mutex
	watchers map[chan struct{}]bool
}

func (s *signal) fire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// watch returns a channel that is fed until ctx ends.
func (s *signal) watch(ctx context.Context) <-chan struct{} {
	w := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers == nil {
		s.watchers = map[chan struct{}]bool{}
	}
	s.watchers[w] = true
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, w)
	})
	return w
}
