package manager

import (
	"fmt"

	"aliquot/cluster"
)

// patience is how long a move may go without progress before it is aborted.
var patience = map[cluster.MoveKind]cluster.Time{
	cluster.Start:   5 * cluster.Minute, // the image may have to be fetched
	cluster.Stop:    2 * cluster.Minute,
	cluster.Pause:   5 * cluster.Minute,
	cluster.Resume:  5 * cluster.Minute,
	cluster.Migrate: 10 * cluster.Minute,
	cluster.Resize:  2 * cluster.Minute,
}

// supervise returns the next overdue action, or nil: for a node whose lease has expired or is valid again, a move that
// takes too long, or a job beyond its limit.
func (m *Manager) supervise(v *cluster.Snapshot) cluster.Action {
	for n := range v.Nodes() {
		if a := m.superviseNode(v, n); a != nil {
			return a
		}
	}
	if a := m.superviseMoves(v); a != nil {
		return a
	}
	for j := range v.Limited() {
		if limit := j.Spec.Limits.Runtime; limit > 0 && j.Ending == nil && j.RunningTime(v.At) > limit {
			return cluster.Cancel{Job: j.ID, Cause: fmt.Sprintf("it ran longer than its limit of %.0f s", limit.Seconds())}
		}
	}
	return nil
}

// superviseMoves returns the action that aborts a move without progress, or nil.
func (m *Manager) superviseMoves(v *cluster.Snapshot) cluster.Action {
	for move := range v.Moves() {
		run := cluster.RunID{Job: move.Task.Job, Index: move.Task.Index, Number: move.Run}
		since := max(move.Started, m.usage.advanced(run))
		if limit := patience[move.Kind]; !move.Aborted && v.At-since > limit {
			return cluster.AbortMove{Task: move.Task, Move: move.ID, Cause: fmt.Sprintf("no progress within %.0f s", limit.Seconds())}
		}
	}
	return nil
}

// superviseNode compares a node's health with its lease. A node that has just joined gets time for its first heartbeat.
// Once lease and margin are over, its fence, if alive, has acted, and its tasks may start elsewhere.
func (m *Manager) superviseNode(v *cluster.Snapshot, n *cluster.Node) cluster.Action {
	expired := m.link.Expired(n.ID, m.clock())
	fresh := v.At-n.Since <= cluster.Time(m.link.Lease().Microseconds())
	switch {
	case n.Health == cluster.Ready && expired > 0 && !fresh:
		return cluster.SetHealth{Node: n.ID, Health: cluster.Silent}
	case n.Health != cluster.Ready && m.link.Renewed(n.ID, m.clock()):
		return cluster.SetHealth{Node: n.ID, Health: cluster.Ready}
	case n.Health == cluster.Silent && n.FenceAlive && expired > m.cfg.FenceMargin:
		return cluster.SetHealth{Node: n.ID, Health: cluster.Down}
	}
	return nil
}
