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
	broken   map[cluster.NodeID]time.Time // when the node's last link ended
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
		t.broken[s.node] = time.Now()
	}
}

// session returns the node's link; nil: it has none.
func (t *term) session(node cluster.NodeID) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sessions[node]
}

// link returns when the node's present link began, or else when the last one ended. A node that has not connected in
// this term had a link until the term began; it is not missed for as long as arrival: both are zero.
func (t *term) link(node cluster.NodeID, now time.Time) (began, broke time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.sessions[node]; s != nil {
		return s.since, broke
	}
	if broke = t.broken[node]; broke.IsZero() && now.Sub(t.since) >= arrival {
		broke = t.since
	}
	return began, broke
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
