package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/lni/dragonboat/v4"
	"github.com/lni/dragonboat/v4/raftio"
	"github.com/lni/dragonboat/v4/statemachine"

	"aliquot/cluster"
)

// Store is one replica of the state. All methods may be called concurrently.
type Store struct {
	cfg      Config
	host     *dragonboat.NodeHost
	registry *registry
	machine  *machine
	answers  answers
	leader   atomic.Pointer[raftio.LeaderInfo]
	open     context.Context // ends with Close
	close    context.CancelFunc
	closed   sync.Once
	cutting  sync.WaitGroup
	handed   atomic.Int64 // number of times that the lead was handed over
	change   signal       // of the state
	election signal       // of the leader
	changed  <-chan struct{}
	elected  <-chan struct{}
}

// Open starts the replica and returns when it has applied its own log again. There may be no leader yet. At the first
// start without Join the members form a cluster.
func Open(cfg Config) (*Store, error) {
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("open the replicated store: %w", err)
	}
	setRaftLog(cfg.Log)
	s := &Store{cfg: cfg, registry: newRegistry(&cfg), answers: answers{waiting: map[string][]*expected{}}}
	s.open, s.close = context.WithCancel(context.Background())
	s.changed, s.elected = s.change.watch(s.open), s.election.watch(s.open)
	s.machine = &machine{
		state: cfg.Initial(), events: cfg.Events, answers: &s.answers, changed: &s.change,
		halt: halt{done: make(chan struct{})},
		bugs: cfg.bugs(), cutter: newCutter(cfg.cut()),
	}
	s.leader.Store(new(raftio.LeaderInfo))
	if err := s.start(); err != nil {
		s.Close()
		return nil, fmt.Errorf("open the replicated store in %s: %w", cfg.Dir, err)
	}
	return s, nil
}

func (s *Store) start() error {
	if err := s.cfg.prepare(); err != nil {
		return err
	}
	h := s.cfg.host()
	h.Expert.NodeRegistryFactory, h.RaftEventListener = s.registry, s
	host, err := dragonboat.NewNodeHost(h)
	if err != nil {
		return err
	}
	s.host = host
	members, join := s.cfg.identities(), s.cfg.Join
	if host.HasNodeInfo(shard, s.cfg.Replica) {
		members, join = nil, false // the log on disk knows the members
	} else if join {
		members = nil
	}
	create := func(uint64, uint64) statemachine.IConcurrentStateMachine { return s.machine }
	if err := host.StartConcurrentReplica(members, join, create, s.cfg.replica()); err != nil {
		return err
	}
	s.cutting.Go(func() { s.cutLog(s.open) })
	return nil
}

// prepare makes the directory and assigns it to this machine.
func (c *Config) prepare() error {
	if c.expert != nil {
		return nil
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	return rehome(c.Dir, name)
}

// Close stops the replica. Calls in progress return ErrClosed.
func (s *Store) Close() {
	s.closed.Do(func() {
		s.close()
		s.cutting.Wait()
		if s.host != nil {
			s.host.Close()
		}
	})
}

// Latest returns a clone of the state applied here so far, which may be old.
func (s *Store) Latest() *cluster.State { return s.machine.clone() }

// Began returns the generation of the first snapshot of this process, which after a restore is the backup's; 0 if there
// was none.
func (s *Store) Began() uint64 {
	s.machine.mu.Lock()
	defer s.machine.mu.Unlock()
	return s.machine.first
}

// Changed receives a value after commands were applied; several changes may share one. It is for one reader; see Watch.
func (s *Store) Changed() <-chan struct{} { return s.changed }

// Watch returns a channel like Changed for another reader, until ctx ends.
func (s *Store) Watch(ctx context.Context) <-chan struct{} { return s.change.watch(ctx) }

// Leader returns the leading replica as far as this one knows, zero for none, and the Raft term.
func (s *Store) Leader() (replica, term uint64) {
	l := s.leader.Load()
	return l.LeaderID, l.Term
}

// LeaderChanged receives a value after Leader's result has changed. It is for one reader.
func (s *Store) LeaderChanged() <-chan struct{} { return s.elected }

// LeaderUpdated implements the Raft library's listener.
func (s *Store) LeaderUpdated(l raftio.LeaderInfo) {
	s.leader.Store(&l)
	s.election.fire()
}

// Halted is closed when the replica has halted; Err returns the cause. Close it then, so that another replica leads.
func (s *Store) Halted() <-chan struct{} { return s.machine.halt.done }

// Err returns why the replica has halted, or nil.
func (s *Store) Err() error { return s.machine.halt.err() }

// WriteMetrics writes the Raft library's metrics of this process in Prometheus' text format.
func (s *Store) WriteMetrics(w io.Writer) { dragonboat.WriteHealthMetrics(w) }
