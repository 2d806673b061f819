package wire

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Boottime reads CLOCK_BOOTTIME, which also advances while the machine is suspended.
func Boottime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		panic(fmt.Sprintf("wire: read CLOCK_BOOTTIME: %v", err)) // Linux has it since 2.6.39
	}
	return time.Duration(t.Nano())
}

// pulse remembers when each heartbeat of a connection was sent.
type pulse struct {
	mu   sync.Mutex
	last uint64
	sent map[uint64]time.Duration // not yet answered
}

// send numbers the heartbeat that is sent now.
func (p *pulse) send(now time.Duration) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	p.sent[p.last] = now
	return p.last
}

// answered returns the time at which the heartbeat was sent, and forgets it and all earlier ones. It
// returns false if that heartbeat was never sent or is answered already.
func (p *pulse) answered(number uint64) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.sent[number]
	for n := range p.sent {
		if n <= number && ok {
			delete(p.sent, n)
		}
	}
	return at, ok
}

// unanswered returns how long the oldest unanswered heartbeat has been waiting.
func (p *pulse) unanswered(now time.Duration) (longest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range p.sent {
		longest = max(longest, now-at)
	}
	return longest
}
