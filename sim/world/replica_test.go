package world

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/manager"
	"aliquot/manager/events"
	"aliquot/manager/store"
)

// replica is one manager's copy of the state, for one life of its process.
type replica struct {
	raft   *raft
	id     uint64
	life   context.Context
	events *events.Log

	mu       sync.Mutex
	state    *cluster.State
	waiting  map[string]chan cluster.Result // by request
	applied  chan struct{}                  // closed when the state changes
	leader   uint64                         // as far as this replica knows
	term     uint64
	heard    time.Time // last sign of the leader
	patience time.Duration

	changed, elected chan struct{}
}

var _ manager.Store = (*replica)(nil)

// join starts a replica from its last snapshot and lets it apply what it missed.
func (r *raft) join(life context.Context, id, applied uint64, log *events.Log) *replica {
	p := &replica{raft: r, id: id, life: life, events: log, state: r.recover(applied),
		waiting: map[string]chan cluster.Result{}, applied: make(chan struct{}),
		changed: make(chan struct{}, 1), elected: make(chan struct{}, 1), heard: time.Now(), patience: electionTime}
	entries, _ := r.next(p.state.Revision)
	p.apply(entries[:max(p.state.Revision, applied)-p.state.Revision]) // its own log survives a crash
	r.mu.Lock()
	r.replicas[id] = p
	r.mu.Unlock()
	return p
}

func (r *raft) leave(id uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.replicas, id)
	if r.leader == id {
		r.leader = 0
	}
}

// follow applies commands as they arrive, until the replica's life ends.
func (p *replica) follow() {
	for p.life.Err() == nil {
		entries, grown := p.raft.next(p.revision())
		_, ok := p.raft.reaches(p.id)
		switch {
		case len(entries) > 0 && ok:
			if rest(p.life, p.raft.world.network.delay("log", machine(p.id), time.Now())) {
				p.apply(entries)
			}
			continue
		case len(entries) > 0:
			rest(p.life, p.raft.world.chance.between("log "+machine(p.id), 50*time.Millisecond, 60*time.Millisecond))
			continue
		}
		select {
		case <-grown:
		case <-p.life.Done():
		}
	}
}

func (p *replica) revision() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state.Revision
}

func (p *replica) apply(entries []entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range entries {
		c, err := cluster.DecodeCommand(e.command)
		if err != nil {
			panic(err)
		}
		result := p.state.Apply(p.state.Revision+1, c)
		if len(result.Events) > 0 {
			p.events.Append(result.Events)
		}
		if answer := p.waiting[c.Request]; answer != nil {
			select {
			case answer <- result:
			default: // the first result counts
			}
		}
	}
	close(p.applied)
	p.applied = make(chan struct{})
	signal(p.changed)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// hear updates the replica's knowledge of the leader. A replica that hears nothing forgets it after a while, and a
// leader without a majority steps down only then.
func (p *replica) hear() {
	p.raft.mu.Lock()
	leader, term := p.raft.leader, p.raft.term
	hears := leader != 0 && p.raft.majority(leader) && p.raft.world.network.open(machine(leader), machine(p.id))
	p.raft.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	before := [2]uint64{p.leader, p.term}
	switch now := time.Now(); {
	case hears:
		p.leader, p.term, p.heard = leader, term, now
		p.patience = 0
	case p.patience == 0:
		p.patience = p.raft.world.chance.between("patience "+machine(p.id), electionTime, 4*electionTime)
	case now.Sub(p.heard) > p.patience:
		p.leader = 0
	}
	if before != [2]uint64{p.leader, p.term} {
		signal(p.elected)
	}
}

// The attempts of the production store.
const (
	firstAttempt   = 300 * time.Millisecond
	longestAttempt = 3 * time.Second
)

// Propose implements manager.Store.
func (p *replica) Propose(ctx context.Context, c cluster.Command) (cluster.Result, error) {
	if r := p.Latest().Unready(c.Action); r != nil { // a manager of an older program could not read it
		return cluster.Result{Rejection: r}, nil
	}
	answer := p.expect(&c)
	defer p.forget(c.Request)
	command, uncertain := cluster.EncodeCommand(c), false
	for length := firstAttempt; ; length = min(2*length, longestAttempt) {
		if p.propose(command, fmt.Sprintf("%T", c.Action)) {
			uncertain = true
		} else {
			length = 10 * time.Millisecond
		}
		timeout := time.NewTimer(length)
		select {
		case result := <-answer:
			timeout.Stop()
			return result, nil
		case <-p.life.Done():
			timeout.Stop()
			return cluster.Result{}, store.ErrClosed
		case <-ctx.Done():
			timeout.Stop()
			if uncertain {
				return cluster.Result{}, fmt.Errorf("%w: %w", store.ErrUncertain, ctx.Err())
			}
			return cluster.Result{}, fmt.Errorf("%w: %w", store.ErrNoLeader, ctx.Err())
		case <-timeout.C:
		}
	}
}

// propose sends the command to the leader once. It returns false if that is certainly in vain.
func (p *replica) propose(command []byte, kind string) bool {
	term, ok := p.raft.reaches(p.id)
	if !ok {
		return false
	}
	w := p.raft.world
	delay := w.network.delay(machine(p.id), "leader "+kind, time.Now())
	if w.raft.lateness() && w.chance.percent("late command "+kind, 5) {
		delay += w.chance.between("lateness "+kind, 0, 5*time.Second)
	}
	go func() {
		if rest(w.ctx, delay) {
			p.raft.commit(p.id, term, command)
		}
	}()
	return true
}

func (r *raft) lateness() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.late
}

func (p *replica) expect(c *cluster.Command) <-chan cluster.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.Request == "" {
		c.Request = fmt.Sprintf("m%d %d %x", p.id, time.Now().UnixNano(), sha256.Sum256(cluster.EncodeCommand(*c)))
	}
	answer := p.waiting[c.Request]
	if answer == nil {
		answer = make(chan cluster.Result, 1)
		p.waiting[c.Request] = answer
	}
	return answer
}

func (p *replica) forget(request string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, request)
}

// Read implements manager.Store.
func (p *replica) Read(ctx context.Context) (*cluster.State, error) {
	if err := p.Barrier(ctx); err != nil {
		return nil, err
	}
	return p.Latest(), nil
}

// Barrier implements manager.Store.
func (p *replica) Barrier(ctx context.Context) error {
	for {
		revision := p.raft.end()
		_, ok := p.raft.reaches(p.id)
		if !rest(ctx, p.raft.world.network.delay(machine(p.id), "read", time.Now())) {
			return errors.Join(store.ErrNoLeader, ctx.Err())
		}
		if _, still := p.raft.reaches(p.id); ok && still {
			return p.await(ctx, revision)
		}
		if p.life.Err() != nil {
			return store.ErrClosed
		}
		rest(ctx, 10*time.Millisecond)
	}
}

// await returns when the replica has applied the revision.
func (p *replica) await(ctx context.Context, revision uint64) error {
	for {
		p.mu.Lock()
		there, applied := p.state.Revision >= revision, p.applied
		p.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-applied:
		case <-p.life.Done():
			return store.ErrClosed
		case <-ctx.Done():
			return errors.Join(store.ErrNoLeader, ctx.Err())
		}
	}
}

// Latest implements manager.Store.
func (p *replica) Latest() *cluster.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state.Clone()
}

// Leader implements manager.Store.
func (p *replica) Leader() (replica, term uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.leader, p.term
}

// HandOver implements manager.Store.
func (p *replica) HandOver(context.Context) error {
	if !p.raft.elect(p.id) {
		return errors.New("there is no other replica that can lead")
	}
	return nil
}

// Checkpoint implements manager.Store. The world compares the replicas itself.
func (p *replica) Checkpoint(ctx context.Context, stamp func(cluster.Checkpoint) cluster.Command) (uint64, error) {
	result, err := p.Propose(ctx, stamp(cluster.Checkpoint{Revision: p.revision()}))
	if err == nil && result.Rejection != nil {
		err = result.Rejection
	}
	return result.Revision, err
}

// Replicas implements manager.Store.
func (p *replica) Replicas(ctx context.Context) ([]uint64, error) { return p.Known(), p.Barrier(ctx) }

// Known implements manager.Store.
func (p *replica) Known() []uint64 {
	var ids []uint64
	for id := range p.raft.world.managers {
		ids = append(ids, uint64(id)+1)
	}
	return ids
}

// Backup implements manager.Store: this world's managers keep none.
func (p *replica) Backup(context.Context, string, time.Time) (string, error) {
	return "", errors.New("this world has no backups")
}

// Began implements manager.Store: no backup is restored.
func (p *replica) Began() uint64                  { return 0 }
func (p *replica) Changed() <-chan struct{}       { return p.changed }
func (p *replica) LeaderChanged() <-chan struct{} { return p.elected }
