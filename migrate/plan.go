package migrate

import "aliquot/cluster"

// Plan leads from the actual to the target allocation.
type Plan struct {
	Steps   []Step
	Blocked []Blocked
}

// Step is a move, with the steps and moves that must end before it may start.
type Step struct {
	cluster.Move                  // its ID is 0 because it has not started
	After        []int            // indices of earlier steps of the plan
	Await        []cluster.MoveID // moves under way
}

// Blocked is a task that should move but cannot for now.
type Blocked struct {
	Task cluster.TaskID
	Why  Obstacle
}

// Obstacle is the reason why a task cannot be moved.
type Obstacle string

// The obstacles.
const (
	NodeUnreachable Obstacle = "a node that takes part is not ready"
	BacksOff        Obstacle = "earlier attempts failed, the next one is not due yet"
	StillBooting    Obstacle = "its guest has not started yet"
	StillStopping   Obstacle = "its job starts anew once all its earlier runs have stopped"
	NoStoreRoom     Obstacle = "the store of saved images has no room, or there is none"
	NoMemory        Obstacle = "the memory that it needs does not become free"
)

// Awaits returns the obstacle of a task if the named node may still have a copy of its VM.
func Awaits(node string) Obstacle {
	return Obstacle("it waits until " + node + " has destroyed its copy of the VM or is known to be down")
}

// Clings returns the obstacle of a task if the named node has a copy of its VM and failed to destroy it.
func Clings(node string) Obstacle {
	return Obstacle(node +
		" has a copy of its VM and fails to destroy it: see its monitor's log and end that QEMU there, or switch " +
		node + " off and confirm that it is down")
}

// Limits bounds the number of moves under way at once. Resizes and stops do not count.
type Limits struct {
	PerNode int
	Total   int
	Store   int // of those that write memory to the store or read it
}

// Ready returns the moves that may start now, within the limits, in the order of the plan. All of them may be under
// way at once.
func (p Plan) Ready(v *cluster.View, l Limits) []cluster.Move {
	use := traffic{node: map[cluster.NodeID]int{}}
	for m := range v.Moves() {
		use.add(m)
	}
	var ready []cluster.Move
	for _, s := range p.Steps {
		if len(s.After)+len(s.Await) > 0 {
			continue
		}
		if use.allows(&s.Move, l) {
			use.add(&s.Move)
			ready = append(ready, s.Move)
		}
	}
	return ready
}

// traffic counts the moves under way that load nodes and the store.
type traffic struct {
	node         map[cluster.NodeID]int
	total, store int
}

func (t *traffic) add(m *cluster.Move) {
	if !heavy(m.Kind) {
		return
	}
	t.node[m.From]++
	t.node[m.To]++
	t.total++
	if stored(m.Kind) {
		t.store++
	}
}

// allows reports whether the move may start, too.
func (t *traffic) allows(m *cluster.Move, l Limits) bool {
	full := func(id cluster.NodeID) bool { return id != 0 && t.node[id] >= l.PerNode }
	return !heavy(m.Kind) || t.total < l.Total && !full(m.From) && !full(m.To) && (!stored(m.Kind) || t.store < l.Store)
}

// stored reports whether moves of the kind use the store.
func stored(k cluster.MoveKind) bool { return k == cluster.Pause || k == cluster.Resume }

// heavy reports whether moves of the kind load their nodes.
func heavy(k cluster.MoveKind) bool { return k.Fills() || k == cluster.Pause }
