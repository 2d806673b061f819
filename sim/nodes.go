package sim

import (
	"maps"
	"slices"

	"aliquot/cluster"
)

// boundless is the free space of the store, which is never short.
const boundless = cluster.Bytes(1) << 60

// obey carries all moves under way out, as the nodes' monitors would.
func (m *simulation) obey() {
	seen, gone := map[cluster.NodeID][]cluster.Observation{}, map[cluster.NodeID][]cluster.Observation{}
	for move := range m.s.Moves() {
		o := cluster.Observation{
			Run:  cluster.RunID{Job: move.Task.Job, Index: move.Task.Index, Number: move.Run},
			Move: move.ID, Cap: move.CPU, Image: move.Image, Seen: cluster.SeenRunning,
		}
		at := move.To
		switch move.Kind {
		case cluster.Pause:
			o.Seen, at = cluster.SeenSaved, move.From
		case cluster.Stop:
			o.Seen, at = cluster.SeenAbsent, move.From
		case cluster.Migrate:
			o.Seen = cluster.SeenArrived
			gone[move.From] = append(gone[move.From], cluster.Observation{Run: o.Run, Seen: cluster.SeenAbsent})
		case cluster.Resize:
			at = move.From
		}
		seen[at] = append(seen[at], o)
	}
	m.report(seen)
	m.report(gone) // what has arrived is to be destroyed where it came from
}

// report sends what was seen, node by node.
func (m *simulation) report(seen map[cluster.NodeID][]cluster.Observation) {
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		m.do(cluster.Report{Node: id, FenceAlive: true, StoreProven: true, StoreFree: boundless, Observations: seen[id]})
	}
}

// each adds the same observation of every task of a running job.
func (m *simulation) each(r *run, seen map[cluster.NodeID][]cluster.Observation, o cluster.Observation) {
	j := m.s.Job(r.id)
	for i := range j.Tasks {
		task := &j.Tasks[i]
		o.Run, o.Cap = cluster.RunID{Job: r.id, Index: i, Number: task.Run}, task.Cap
		seen[task.Node] = append(seen[task.Node], o)
	}
}
