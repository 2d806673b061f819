package link

import (
	"context"
	"maps"
	"sync"
	"time"

	"aliquot/cluster"
)

// term is one leadership of this replica: its leases and its nodes' links.
type term struct {
	since  time.Time
	over   context.Context // done when the term has ended
	finish context.CancelFunc

	mu       sync.Mutex
	next     string // leader after this term, once it is over
	renewed  map[cluster.NodeID]time.Time
	blocked  map[cluster.NodeID]bool // being declared down; their leases are not renewed
	sessions map[cluster.NodeID]*session
	broken   map[cluster.NodeID]time.Time // when the node's last lasting link ended
}

// newTerm begins a term. Leases that this replica renewed in its directly preceding term stay renewed.
func newTerm(at time.Time, before *term) *term {
	t := &term{since: at, renewed: map[cluster.NodeID]time.Time{}, blocked: map[cluster.NodeID]bool{},
		sessions: map[cluster.NodeID]*session{}, broken: map[cluster.NodeID]time.Time{}}
	if before != nil {
		t.renewed = before.renewals()
	}
	t.over, t.finish = context.WithCancel(context.Background())
	return t
}

// end makes the term renew no more leases and ends its links.
func (t *term) end(leader string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = leader
	t.finish()
}

func (t *term) successor() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.next
}

// attach makes the session the node's only session.
func (t *term) attach(s *session) {
	t.mu.Lock()
	before := t.sessions[s.node]
	t.sessions[s.node] = s
	t.mu.Unlock()
	if before != nil {
		before.replace()
	}
}

func (t *term) detach(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sessions[s.node] == s {
		delete(t.sessions, s.node)
		if now := time.Now(); t.broken[s.node].IsZero() || now.Sub(s.since) >= lasting {
			t.broken[s.node] = now
		}
	}
}

// linkless returns when the node's last lasting link ended, or the zero time while it has one. A node that has not
// connected in this term counts as linked for as long as arrival, and lost its link when the term began.
func (t *term) linkless(node cluster.NodeID, now time.Time) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, broken := t.sessions[node], t.broken[node]
	switch {
	case s != nil && (broken.IsZero() || now.Sub(s.since) >= lasting):
		return time.Time{}
	case !broken.IsZero():
		return broken
	case now.Sub(t.since) < arrival:
		return time.Time{}
	}
	return t.since
}

func (t *term) push(nodes []cluster.NodeID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, node := range nodes {
		if s := t.sessions[node]; s != nil {
			s.wake()
		}
	}
}

// block blocks the renewal of the node's lease if the last renewal was before the given time. It reports whether it is
// blocked.
func (t *term) block(node cluster.NodeID, since time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last(node).Before(since) {
		t.blocked[node] = true
	}
	return t.blocked[node]
}

func (t *term) allow(node cluster.NodeID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.blocked, node)
}

func (t *term) recall(node cluster.NodeID, before uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.sessions[node]; s != nil && s.joined < before {
		s.cancel(errRecalled)
	}
}

// renew counts the node's lease from the given time; ok is false if the term is over or the node is blocked. late
// reports whether the lease had already expired.
func (t *term) renew(node cluster.NodeID, at, now time.Time, lease time.Duration) (late, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over.Err() != nil || t.blocked[node] {
		return false, false
	}
	before := t.last(node)
	if !at.Before(before) {
		t.renewed[node] = at
	}
	return now.Sub(before) > lease, true
}

// renewal returns when the node's lease was last renewed. The claim renewed all leases.
func (t *term) renewal(node cluster.NodeID) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last(node)
}

func (t *term) last(node cluster.NodeID) time.Time {
	if at := t.renewed[node]; at.After(t.since) {
		return at
	}
	return t.since
}

// renewedAt returns when this replica itself last renewed the node's lease; zero if it never did.
func (t *term) renewedAt(node cluster.NodeID) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.renewed[node]
}

func (t *term) renewals() map[cluster.NodeID]time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.renewed)
}
