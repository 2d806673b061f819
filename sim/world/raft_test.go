package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"aliquot/cluster"
)

// raft is the modelled replicated log: what a majority has, in order. Its truth is the state after all of it.
type raft struct {
	world *world

	mu        sync.Mutex
	log       []entry // of revision 1, 2, …
	truth     *cluster.State
	snapshots []snapshot
	term      uint64
	leader    uint64 // that a majority follows
	replicas  map[uint64]*replica
	grown     chan struct{} // closed when the log grows
	since     time.Time     // of the last election, or of its last try
	late      bool          // some commands are committed long after they were proposed
}

type entry struct{ command []byte }

// snapshot is the state of a revision, as written to a disk.
type snapshot struct {
	revision uint64
	state    []byte
}

const (
	snapshotEvery = 40
	electionTime  = time.Second
)

func newRaft(w *world, initial *cluster.State) *raft {
	r := &raft{world: w, truth: initial, replicas: map[uint64]*replica{}, grown: make(chan struct{})}
	r.save()
	return r
}

func (r *raft) save() {
	var b bytes.Buffer
	if err := r.truth.Encode(&b); err != nil {
		panic(err)
	}
	r.snapshots = append(r.snapshots, snapshot{r.truth.Revision, b.Bytes()})
}

// majority reports whether the replica exchanges messages with more than half of the managers.
func (r *raft) majority(id uint64) bool {
	n := 0
	for other := range r.replicas {
		if r.world.network.both(machine(id), machine(other)) {
			n++
		}
	}
	return r.replicas[id] != nil && 2*n > len(r.world.managers)
}

func machine(id uint64) string { return fmt.Sprintf("m%d", id) }

// reaches reports whether the replica gets commands to a leader with a majority, and the answers back.
func (r *raft) reaches(id uint64) (term uint64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ok = r.leader != 0 && r.replicas[id] != nil && r.majority(r.leader) &&
		r.world.network.both(machine(id), machine(r.leader))
	return r.term, ok
}

// elect makes another replica the leader, if one has a majority.
func (r *raft) elect(exclude uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var able []uint64
	for id := range r.replicas {
		if id != exclude && r.majority(id) {
			able = append(able, id)
		}
	}
	if len(able) == 0 {
		return false
	}
	slices.Sort(able)
	r.term++
	r.since = time.Now()
	r.leader = pick(r.world.chance, "election", able...)
	r.world.note("raft: m%d leads in term %d", r.leader, r.term)
	return true
}

// keep holds elections until ctx ends.
func (r *raft) keep(ctx context.Context) {
	lost := time.Time{}
	for rest(ctx, r.world.chance.between("raft tick", 90*time.Millisecond, 110*time.Millisecond)) {
		r.mu.Lock()
		led := r.leader != 0 && r.majority(r.leader)
		all := r.running()
		r.mu.Unlock()
		switch now := time.Now(); {
		case led:
			lost = time.Time{}
		case lost.IsZero():
			lost = now.Add(r.world.chance.between("election time", electionTime, 2*electionTime))
		case now.After(lost) && r.elect(0):
			lost = time.Time{}
		}
		for _, replica := range all {
			replica.hear()
		}
	}
}

func (r *raft) running() []*replica {
	var all []*replica
	for id := range r.replicas {
		all = append(all, r.replicas[id])
	}
	slices.SortFunc(all, func(a, b *replica) int { return int(a.id) - int(b.id) })
	return all
}

// commit appends the command if the leader of the term still leads.
func (r *raft) commit(from, term uint64, command []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.term != term || r.leader == 0 || !r.majority(r.leader) {
		return
	}
	c, err := cluster.DecodeCommand(command)
	if err != nil {
		panic(err)
	}
	r.log = append(r.log, entry{command})
	result := r.truth.Apply(uint64(len(r.log)), c)
	if len(r.log)%snapshotEvery == 0 {
		r.save()
	}
	close(r.grown)
	r.grown = make(chan struct{})
	r.world.checks.committed(from, c, result, r.truth)
}

// steady returns how long the same replica has led without interruption.
func (r *raft) steady() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.leader == 0 || !r.majority(r.leader) {
		return 0
	}
	return time.Since(r.since)
}

// leads returns the leader that a majority follows; 0: none.
func (r *raft) leads() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.leader
}

// state returns a clone of the truth.
func (r *raft) state() *cluster.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.truth.Clone()
}

// next returns the commands after the revision, and a channel for more.
func (r *raft) next(revision uint64) ([]entry, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log[revision:len(r.log):len(r.log)], r.grown
}

// end returns the revision of the last command.
func (r *raft) end() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return uint64(len(r.log))
}

// recover returns the state of a replica that had applied the given revision when it crashed: of its last snapshot.
func (r *raft) recover(applied uint64) *cluster.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.snapshots[0]
	for _, s := range r.snapshots {
		if s.revision <= applied {
			last = s
		}
	}
	state, err := cluster.Decode(bytes.NewReader(last.state))
	if err != nil {
		panic(errors.Join(errors.New("a snapshot cannot be read"), err))
	}
	return state
}
