package store

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lni/dragonboat/v4/config"
	"github.com/lni/dragonboat/v4/plugin/chan"
	"github.com/lni/dragonboat/v4/raftio"
	"github.com/lni/dragonboat/v4/raftpb"
	"github.com/lni/vfs"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"aliquot/cluster"
	"aliquot/internal/freeport"
)

func TestMain(m *testing.M) {
	if os.Getenv(memberVariable) != "" {
		beMember()
		return
	}
	goleak.VerifyTestMain(m)
}

// patience is how long a test waits for something that must happen.
const patience = 20 * time.Second

var root = cluster.Actor{Name: "root", Owner: "root", Project: "default", Role: cluster.System}

func initial() *cluster.State {
	return cluster.Newest([16]byte{7}, cluster.PolicyChoice{Name: "first", Period: cluster.Minute})
}

// trio is three members in one process, on memory and a network that can be cut.
type trio struct {
	*testing.T
	network *network
	disks   [4]vfs.FS
	stores  [4]*Store // by replica
	sinks   [4]*sink
}

var trios atomic.Int64

func newTrio(t *testing.T) *trio {
	t.Helper()
	c := &trio{T: t, network: &network{cut: map[string]bool{}, prefix: fmt.Sprintf("trio-%d", trios.Add(1))}}
	t.Cleanup(c.close)
	var starting sync.WaitGroup
	for id := uint64(1); id <= 3; id++ {
		c.disks[id], c.sinks[id] = vfs.NewMem(), new(sink)
		starting.Go(func() { c.start(id) })
	}
	starting.Wait()
	return c
}

func (c *trio) close() {
	for id := range c.stores {
		if c.stores[id] != nil {
			c.stores[id].Close()
		}
	}
}

func (c *trio) member(id uint64) Member {
	return Member{Name: fmt.Sprint("m", id), Address: fmt.Sprintf("%s-%d:1", c.network.prefix, id)}
}

func (c *trio) config(id uint64) Config {
	return Config{
		Dir: "/data", Replica: id, Members: map[uint64]Member{1: c.member(1), 2: c.member(2), 3: c.member(3)},
		Cluster: [16]byte{7}, Initial: initial, Events: c.sinks[id], Log: quiet(), RTT: 5 * time.Millisecond,
		expert: inMemory(c.disks[id], c.network),
	}
}

func (c *trio) start(id uint64) {
	s, err := Open(c.config(id))
	if err != nil {
		c.Error(err)
		return
	}
	c.stores[id] = s
}

func (c *trio) stop(id uint64) { c.stores[id].Close() }

// leader waits for a leader that is not cut off, and returns it.
func (c *trio) leader() (id uint64) {
	c.Helper()
	eventually(c.T, "a leader", func() bool {
		for i := uint64(1); i <= 3; i++ {
			if s := c.stores[i]; s.open.Err() == nil && !c.network.isCut(c.member(i).Address) {
				if id, _ = s.Leader(); id == i {
					return true
				}
			}
		}
		return false
	})
	return id
}

// agree waits until the replicas have the same revision, and demands that they have the same hash.
func (c *trio) agree(ids ...uint64) {
	c.Helper()
	eventually(c.T, "the same revision everywhere", func() bool {
		first := c.stores[ids[0]].Latest()
		for _, id := range ids[1:] {
			s := c.stores[id].Latest()
			if s.Revision != first.Revision {
				return false
			}
			if s.Hash() != first.Hash() {
				c.Fatalf("replicas %d and %d differ at revision %d", ids[0], id, s.Revision)
			}
		}
		return true
	})
}

func quiet() zerolog.Logger { return zerolog.New(io.Discard).Level(zerolog.Disabled) }

func inMemory(disk vfs.FS, n *network) func(*config.NodeHostConfig) {
	return func(h *config.NodeHostConfig) {
		h.Expert.FS, h.Expert.LogDB.KVWriteBufferSize = disk, 1<<20
		if n != nil {
			h.Expert.TransportFactory = n
		}
	}
}

// alone opens a single replica in dir.
func alone(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(aloneIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func aloneIn(dir string) Config {
	return Config{
		Dir: dir, Replica: 1, Members: map[uint64]Member{1: {"m1", freeport.Take()}}, Cluster: [16]byte{7},
		Initial: initial, Log: quiet(),
	}
}

func setPolicy(name string) cluster.Command {
	return cluster.Command{At: 1, Actor: root, Action: cluster.SetPolicy{Name: name, Period: cluster.Minute}}
}

func putToken(id string) cluster.Command {
	return cluster.Command{At: 1, Actor: root, Request: id, Action: cluster.PutToken{Token: cluster.Token{
		ID: id, Name: "token", Actor: cluster.Actor{Name: "u", Owner: "u", Project: "p", Role: cluster.User},
	}}}
}

func bounded(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// propose proposes the command and fails the test unless it is done.
func propose(t testing.TB, s *Store, c cluster.Command) cluster.Result {
	t.Helper()
	r, err := s.Propose(bounded(t), c)
	if err == nil && r.Rejection != nil {
		err = r.Rejection
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t testing.TB, s *Store) *cluster.State {
	t.Helper()
	state, err := s.Read(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func tokens(s *cluster.State) map[string]bool {
	out := map[string]bool{}
	for t := range s.Tokens() {
		out[t.ID] = true
	}
	return out
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain for %s", patience, what)
		}
	}
}

// sink records the events that it receives.
type sink struct {
	mu      sync.Mutex
	events  []cluster.Event
	skipped uint64
}

func (s *sink) Append(e []cluster.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e...)
}

func (s *sink) Missing(revision uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skipped = revision
}

func (s *sink) seen() (events []cluster.Event, skipped uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]cluster.Event(nil), s.events...), s.skipped
}

// network is a transport within the process from which members can be cut off.
type network struct {
	prefix string
	mu     sync.Mutex
	cut    map[string]bool
}

func (n *network) setCut(address string, cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut[address] = cut
}

func (n *network) isCut(address string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cut[address]
}

// Create creates the transport of one member.
func (n *network) Create(h config.NodeHostConfig, messages raftio.MessageHandler,
	chunks raftio.ChunkHandler) raftio.ITransport {
	return &line{transport.NewChanTransport(h, messages, chunks), n, h.RaftAddress}
}

// Validate accepts every address.
func (n *network) Validate(string) bool { return true }

// line is the sending side of one member.
type line struct {
	raftio.ITransport
	network *network
	from    string
}

func (l *line) broken(to string) error {
	if l.network.isCut(l.from) || l.network.isCut(to) {
		return fmt.Errorf("%s does not reach %s", l.from, to)
	}
	return nil
}

func (l *line) GetConnection(ctx context.Context, to string) (raftio.IConnection, error) {
	if err := l.broken(to); err != nil {
		return nil, err
	}
	c, err := l.ITransport.GetConnection(ctx, to)
	return &connection{c, l, to}, err
}

func (l *line) GetSnapshotConnection(ctx context.Context, to string) (raftio.ISnapshotConnection, error) {
	if err := l.broken(to); err != nil {
		return nil, err
	}
	return l.ITransport.GetSnapshotConnection(ctx, to)
}

type connection struct {
	raftio.IConnection
	line *line
	to   string
}

func (c *connection) SendMessageBatch(b raftpb.MessageBatch) error {
	if err := c.line.broken(c.to); err != nil {
		return err
	}
	return c.IConnection.SendMessageBatch(b)
}

func sortedTokens(s *cluster.State) []string { return slices.Sorted(maps.Keys(tokens(s))) }
