package world

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// network carries messages between machines, named m1, m2, … and n1, n2, …
type network struct {
	chance *chance

	mu      sync.Mutex
	cut     map[way]int // number of faults that cut this way
	slow    time.Duration
	changed chan struct{} // closed at the next change
}

// way is one direction between two machines.
type way struct{ from, to string }

func newNetwork(c *chance) *network {
	return &network{chance: c, cut: map[way]int{}, changed: make(chan struct{})}
}

// change cuts (by 1) or mends (by -1) the ways.
func (n *network) change(by int, ways ...way) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range ways {
		n.cut[w] += by
	}
	close(n.changed)
	n.changed = make(chan struct{})
}

// setSlow adds a delay to every message.
func (n *network) setSlow(by time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.slow = by
}

// open reports whether messages get through. A machine always reaches itself.
func (n *network) open(from, to string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return from == to || n.cut[way{from, to}] == 0
}

func (n *network) both(a, b string) bool { return n.open(a, b) && n.open(b, a) }

// delay is the time that a message takes. All that are sent at one instant take the same.
func (n *network) delay(from, to string, sent time.Time) time.Duration {
	n.mu.Lock()
	slow := n.slow
	n.mu.Unlock()
	name := fmt.Sprint(from, " to ", to, " at ", sent.UnixNano())
	return n.chance.between(name, 300*time.Microsecond, 4*time.Millisecond+slow)
}

// pass returns when a message that was sent at that time has got through, or false if it cannot within the patience.
func (n *network) pass(ctx context.Context, from, to string, sent time.Time, patience time.Duration) bool {
	if !rest(ctx, time.Until(sent.Add(n.delay(from, to, sent)))) {
		return false
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		n.mu.Lock()
		open, changed := from == to || n.cut[way{from, to}] == 0, n.changed
		n.mu.Unlock()
		if open {
			return true
		}
		select {
		case <-changed:
		case <-timeout.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// rest sleeps and reports whether ctx is not over.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
