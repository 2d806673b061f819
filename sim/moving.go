package sim

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/scheduler"
	"aliquot/workload"
)

// PlannedMoves is the cost model in which moves take time. Pausing a task writes its memory, resuming reads it, and
// migrating copies it, with the given bandwidth in GB/s; a node has 8 GB. All other moves take no time. Moves are
// planned as in a live cluster. They overlap with each other and with decisions. A migrating task continues on its old
// node until it has arrived; a task that is being paused or resumed stands still. There are no other penalties.
type PlannedMoves float64

// Resume returns the time to pause and resume a job whose tasks move at the same time.
func (m PlannedMoves) Resume(j *workload.Job) cluster.Time {
	return m.Takes(cluster.Pause, j) + m.Takes(cluster.Resume, j)
}

// Move returns the time to migrate tasks of the job at the same time.
func (m PlannedMoves) Move(j *workload.Job, _ int) cluster.Time { return m.Takes(cluster.Migrate, j) }

// Takes returns the time that a move of one of the job's tasks takes.
func (m PlannedMoves) Takes(kind cluster.MoveKind, j *workload.Job) cluster.Time {
	switch kind {
	case cluster.Pause, cluster.Resume, cluster.Migrate:
		return max(1, cluster.Time(gigabytes(j, 1)/float64(m)*float64(cluster.Second)))
	}
	return 0
}

// arrival is a move under way and the time of its completion.
type arrival struct {
	at   cluster.Time
	move *cluster.Move
}

func (a arrival) compare(b arrival) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.move.ID, b.move.ID))
}

// unlimited allows any number of moves at once.
var unlimited = migrate.Limits{PerNode: math.MaxInt, Total: math.MaxInt, Store: math.MaxInt}

// move starts the moves towards the target that may start now, and completes those that take no time, until none is
// left.
func (m *simulation) move() error {
	for range mostRounds {
		ready, some := scheduler.Moves(m.view, unlimited).(cluster.StartMoves)
		if !some {
			return nil
		}
		for _, move := range ready.Moves {
			r := m.runs[move.Task.Job-1]
			a := arrival{m.now + m.moves.Takes(move.Kind, &r.Job), m.model.Start(move)}
			m.touch(r)
			if m.Start != nil {
				m.Start(Moved{r.ID, *a.move})
			}
			if a.at == m.now {
				m.model.Complete(a.move)
				continue
			}
			place, _ := slices.BinarySearchFunc(m.arrivals, a, arrival.compare)
			m.arrivals = slices.Insert(m.arrivals, place, a)
		}
	}
	return errors.New("the plan never comes to rest")
}

// arrive completes the moves that are due.
func (m *simulation) arrive() {
	for len(m.arrivals) > 0 && m.arrivals[0].at <= m.now {
		move := m.arrivals[0].move
		m.arrivals = m.arrivals[1:]
		if m.model.Complete(move) {
			m.touch(m.runs[move.Task.Job-1])
		}
	}
}

// actual returns the placement that the job really has: the nodes of its tasks, and the least share of them. It is nil
// unless all tasks run. It is the same pointer as before if nothing changed.
func (m *simulation) actual(r *run) *cluster.Placement {
	p := &cluster.Placement{Nodes: make([]cluster.NodeID, len(r.job.Tasks))}
	share, tier := r.Need, cluster.Foreground
	for i := range r.job.Tasks {
		t := &r.job.Tasks[i]
		if t.Phase != cluster.Running {
			return nil
		}
		p.Nodes[i], share, tier = t.Node, min(share, t.Observed), max(tier, t.Tier)
	}
	p.Grant = tier.Grant(share)
	if p.Equal(r.held) {
		return r.held
	}
	return p
}
