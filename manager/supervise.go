package manager

import (
	"math"
	"time"

	"aliquot/cluster"
)

// patience is how long a move may go without progress before it is aborted.
var patience = map[cluster.MoveKind]time.Duration{
	cluster.Start:   5 * time.Minute, // the image may have to be fetched
	cluster.Stop:    2 * time.Minute,
	cluster.Pause:   5 * time.Minute,
	cluster.Resume:  5 * time.Minute,
	cluster.Migrate: 10 * time.Minute,
	cluster.Resize:  2 * time.Minute,
}

// How long a node may have no link before it counts as unreachable, and how long its next link must last before it
// does no longer.
const (
	unlinkedAfter = time.Second
	lastingLink   = 2 * time.Second
)

// slowest is the rate, in bytes per second, below which memory counts as not moving at all.
const slowest = 10 << 20

// longest returns how long a move of that much memory may take in all. A live migration may make progress forever.
func longest(kind cluster.MoveKind, memory cluster.Bytes) time.Duration {
	return 2*patience[kind] + time.Duration(memory/slowest)*time.Second
}

// watch holds when this leader first saw the moves and nodes that it supervises, since its machine's boot. Times in
// the state cannot measure these durations, because the cluster's clock can be set.
type watch struct {
	moves map[cluster.MoveID]time.Duration // those under way
	nodes map[cluster.NodeID]sighting
}

// sighting records when a node was first seen with its present health.
type sighting struct {
	since cluster.Time // Node.Since
	at    time.Duration
}

// move returns when the move was first seen.
func (w *watch) move(id cluster.MoveID, at time.Duration) time.Duration {
	if since, known := w.moves[id]; known {
		return since
	}
	return at
}

// node returns when the node was first seen with its present health.
func (w *watch) node(n *cluster.Node, at time.Duration) time.Duration {
	seen, known := w.nodes[n.ID]
	if !known || seen.since != n.Since {
		seen = sighting{n.Since, at}
		w.nodes[n.ID] = seen
	}
	return seen.at
}

func newWatch() watch { return watch{nodes: map[cluster.NodeID]sighting{}} }

// supervise returns the next overdue action, or nil: for a node whose lease has expired or is valid again, a move that
// takes too long, or a job beyond its limit.
func (m *Manager) supervise(v *cluster.Snapshot) cluster.Action {
	for n := range v.Nodes() {
		if a := m.superviseNode(n); a != nil {
			return a
		}
		if a := m.superviseLink(n); a != nil && v.Unready(a) == nil {
			return a
		}
	}
	if a := m.superviseMoves(v); a != nil {
		return a
	}
	for j := range v.Overrun(v.At) {
		limit := int64(j.Spec.Limits.Runtime / cluster.Second)
		return cluster.Cancel{Job: j.ID, Cause: cluster.Because(cluster.WhyOverran, limit)}
	}
	return nil
}

// superviseMoves returns the action that aborts a move that makes no progress or takes too long in all, or nil.
func (m *Manager) superviseMoves(v *cluster.Snapshot) (overdue cluster.Action) {
	now, moves := m.elapsed(), map[cluster.MoveID]time.Duration{}
	for move := range v.Moves() {
		run := cluster.RunID{Job: move.Task.Job, Index: move.Task.Index, Number: move.Run}
		seen := m.watch.move(move.ID, now)
		moves[move.ID] = seen
		if overdue != nil || move.Aborted {
			continue
		}
		most := longest(move.Kind, v.Charge(v.Job(move.Task.Job).Spec))
		if limit := patience[move.Kind]; now-max(seen, m.usage.advanced(run)) > limit {
			overdue = abort(move, cluster.WhyNoProgress, limit)
		} else if now-seen > most {
			overdue = abort(move, cluster.WhyTooSlow, most)
		}
	}
	m.watch.moves = moves
	return overdue
}

func abort(m *cluster.Move, why cluster.ReasonCode, limit time.Duration) cluster.Action {
	return cluster.AbortMove{Task: m.Task, Move: m.ID, Cause: cluster.Because(why, int64(limit/time.Second))}
}

// superviseNode compares a node's health with its lease. A node that has just joined gets time for its first heartbeat.
// Once lease and margin are over, its fence, if alive, has acted, and its tasks may start elsewhere. From then on its
// lease is not renewed until its health has changed.
func (m *Manager) superviseNode(n *cluster.Node) cluster.Action {
	expired := m.link.Expired(n.ID, m.clock())
	now := m.elapsed()
	fresh := now-m.watch.node(n, now) <= m.link.Lease()
	switch {
	case n.Health == cluster.Ready && expired > 0 && !fresh:
		return cluster.SetHealth{Node: n.ID, Health: cluster.Silent}
	case n.Health != cluster.Ready && m.link.Renewed(n.ID, m.clock()):
		m.link.Recall(n.ID, math.MaxUint64) // all its runs count as frozen until it reports them again
		return cluster.SetHealth{Node: n.ID, Health: cluster.Ready}
	case n.Health == cluster.Silent && n.FenceAlive && m.link.BlockRenewal(n.ID, m.clock(), m.cfg.FenceMargin):
		return cluster.SetHealth{Node: n.ID, Health: cluster.Down}
	}
	m.link.AllowRenewal(n.ID)
	m.link.Recall(n.ID, n.Joined) // a link that a late Join overtook: the state refuses its reports
	return nil
}

// superviseLink compares the state's knowledge of a node's link with the link. A link that does not last is none: a
// node whose links break again and again stays unreachable.
func (m *Manager) superviseLink(n *cluster.Node) cluster.Action {
	linked, linkless := m.link.Link(n.ID, m.clock())
	switch {
	case n.Unlinked != 0 && linked >= lastingLink:
		return cluster.SetLink{Node: n.ID}
	case n.Unlinked == 0 && n.Health == cluster.Ready && linkless >= unlinkedAfter:
		return cluster.SetLink{Node: n.ID, Broken: max(1, m.now()-cluster.Time(linkless/time.Microsecond))}
	}
	return nil
}
