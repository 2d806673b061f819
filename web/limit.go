package web

import (
	"sync"
	"time"
)

// Limits that protect the manager; far above what one well-behaved client needs.
const (
	requestsPerSecond = 5000 // per token
	guessesPerSecond  = 5    // unknown tokens from one address
	streamsInAll      = 1024 // open event streams and followed logs
	streamsPerOwner   = 128  // with all tokens of the owner
	uploadsInAll      = 8    // images that are being pushed
	uploadsPerOwner   = 2
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

// slots counts what goes on at the same time, such as open streams.
type slots struct {
	inAll, perOwner int // limits

	mu    sync.Mutex
	all   int
	taken map[string]int // by owner
}

func newSlots(inAll, perOwner int) *slots {
	return &slots{inAll: inAll, perOwner: perOwner, taken: map[string]int{}}
}

// enter reserves a slot for the owner; leave releases it.
func (s *slots) enter(owner string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= s.inAll || s.taken[owner] >= s.perOwner {
		return false
	}
	s.all++
	s.taken[owner]++
	return true
}

func (s *slots) leave(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.taken[owner]--; s.taken[owner] == 0 {
		delete(s.taken, owner)
	}
}
