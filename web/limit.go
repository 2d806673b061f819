package web

import (
	"sync"
	"time"
)

// Limits that protect the manager; far above what one well-behaved client needs.
const (
	requestsPerSecond = 5000   // per token
	guessesPerSecond  = 5      // unknown tokens from one address
	streamsInAll      = 1024   // open event streams and followed logs
	streamsPerOwner   = 128    // with all tokens of the owner
	maxKeys           = 10_000 // most keys in one limiter
)

// limiter allows each key rate actions per second, and the same number at once after a pause.
type limiter struct {
	rate int
	mu   sync.Mutex
	left map[string]allowance
}

type allowance struct {
	left float64
	at   time.Time
}

func newLimiter(rate int) *limiter { return &limiter{rate: rate, left: map[string]allowance{}} }

// take reports whether the key may act once more now, and counts the action.
func (l *limiter) take(key string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.left) >= maxKeys {
		clear(l.left)
	}
	a, known := l.left[key]
	if !known {
		a = allowance{float64(l.rate), now}
	}
	a.left = min(float64(l.rate), a.left+max(0, now.Sub(a.at).Seconds())*float64(l.rate))
	a.at = now
	granted := a.left >= 1
	if granted {
		a.left--
	}
	l.left[key] = a
	return granted
}

// streams counts open streams.
type streams struct {
	mu   sync.Mutex
	all  int
	open map[string]int // by owner
}

// enter reserves a stream for the owner; leave releases it.
func (s *streams) enter(owner string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= streamsInAll || s.open[owner] >= streamsPerOwner {
		return false
	}
	s.all++
	s.open[owner]++
	return true
}

func (s *streams) leave(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.open[owner]--; s.open[owner] == 0 {
		delete(s.open, owner)
	}
}
