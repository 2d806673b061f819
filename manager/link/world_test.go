package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"
	"google.golang.org/grpc/test/bufconn"

	"aliquot/cluster"
	"aliquot/manager/ca"
	"aliquot/manager/images"
	"aliquot/wire"
	"aliquot/wire/join"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const lease = 80 * time.Second // a heartbeat every 10 s

var clusterID = [16]byte{1, 2, 3}

// world is a cluster's links without a network: each manager has a hub, and a leader whose answers the test sets.
type world struct {
	t         *testing.T
	ca        *ca.Authority
	mu        sync.Mutex
	listeners map[string]*bufconn.Listener
	leaders   map[string]*leader
	dials     []string
}

// inWorld runs a story in a bubble with its own time. Everything that the story started ends with it.
func inWorld(t *testing.T, story func(t *testing.T, w *world)) {
	dir := t.TempDir()
	// One thread: with several, the race detector of Go 1.26 crashes now and then inside a bubble, in the runtime's own
	// code (golang.org/issue/78156).
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) {
		authority, err := ca.Open(filepath.Join(dir, "ca"))
		if err != nil {
			t.Fatal(err)
		}
		story(t, &world{t: t, ca: authority, listeners: map[string]*bufconn.Listener{},
			leaders: map[string]*leader{}})
	})
}

// manager starts a manager at the address.
func (w *world) manager(address string) (*Hub, *leader) {
	w.t.Helper()
	folder, err := images.Open(w.t.TempDir(), images.Limit)
	if err != nil {
		w.t.Fatal(err)
	}
	l := &leader{images: folder, orders: map[cluster.NodeID]cluster.Orders{}, invited: map[string][32]byte{},
		barred: map[string]bool{}}
	h := NewHub(Options{Leader: l, Issuer: w.ca, Images: folder, Past: l, Lease: lease, Log: zerolog.Nop()})
	listener := bufconn.Listen(64 << 10)
	w.mu.Lock()
	w.listeners[address], w.leaders[address] = listener, l
	w.mu.Unlock()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() { defer close(served); _ = h.Serve(ctx, listener, w.ca.LinkTLS()) }()
	w.t.Cleanup(func() { stop(); <-served })
	return h, l
}

func (w *world) dial(ctx context.Context, address string) (net.Conn, error) {
	w.mu.Lock()
	l := w.listeners[address]
	w.dials = append(w.dials, address)
	w.mu.Unlock()
	if l == nil {
		return nil, fmt.Errorf("nobody listens at %s", address)
	}
	return l.DialContext(ctx)
}

func (w *world) tried() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.dials, " ")
}

// enroll enrolls a node and returns the file with its credentials.
func (w *world) enroll(node string) string {
	w.t.Helper()
	token := w.invite("m1", node)
	path := filepath.Join(w.t.TempDir(), node+".pem")
	request := wire.Enrollment{Managers: []string{"m1"}, Token: token, Node: node, Path: path, Dial: w.dial}
	if err := request.Persist(w.t.Context(), zerolog.Nop()); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// invite makes a token with which the node may join by that manager.
func (w *world) invite(manager, node string) join.Token {
	w.t.Helper()
	token := w.ca.NewToken()
	w.leaders[manager].set(func(l *leader) { l.invited[node] = token.Hash() })
	return token
}

func (w *world) client(credentials string, managers ...string) *wire.Client {
	w.t.Helper()
	start := time.Now()
	c, err := wire.NewClient(wire.Options{
		Managers: managers, Credentials: credentials, Images: w.t.TempDir(), Shared: w.t.TempDir(),
		Dial: w.dial, Log: zerolog.Nop(),
		Boottime: func() time.Duration { return time.Since(start) },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) connect(c *wire.Client) *wire.Session {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	s, err := c.Connect(ctx, func() cluster.Join { return cluster.Join{Name: c.Node(), Boot: "boot"} })
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(s.Close)
	go live(ctx, s)
	return s
}

// live runs the loop of a working node.
func live(ctx context.Context, s *wire.Session) {
	for tick := time.NewTicker(100 * time.Millisecond); ctx.Err() == nil; {
		s.Alive()
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
		}
	}
}

// leader is a manager's core whose answers the test sets.
type leader struct {
	images *images.Folder

	mu        sync.Mutex
	proposals []cluster.Action
	samples   map[cluster.NodeID][]wire.Usage
	host      wire.Host
	orders    map[cluster.NodeID]cluster.Orders
	asked     map[cluster.NodeID]int                           // number of requests for its orders
	names     []string                                         // of nodes; the first is node 1
	refuse    func(cluster.Action) (*cluster.Rejection, error) // nil: nothing
	hold      chan struct{}                                    // if not nil, proposals wait for it
	lost      bool                                             // leadership is not confirmed
	slow      time.Duration                                    // time that the confirmation takes
	invited   map[string][32]byte                              // hashes of the secrets of nodes
	barred    map[string]bool                                  // nodes whose certificates were withdrawn
}

func (l *leader) Admit(_ context.Context, a cluster.Admit) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if hash, ok := l.invited[a.Node]; !ok || hash != a.Hash {
		return 0, &cluster.Rejection{Code: cluster.CodeForbidden, Detail: "not invited"}
	}
	return 1, nil
}

func (l *leader) Admits(node string, _ uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.barred[node]
}

func (l *leader) Propose(ctx context.Context, a cluster.Action) (cluster.Result, error) {
	l.mu.Lock()
	hold := l.hold
	l.mu.Unlock()
	if _, joins := a.(cluster.Join); hold != nil && !joins {
		select {
		case <-hold:
		case <-ctx.Done():
			return cluster.Result{}, ctx.Err()
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.proposals = append(l.proposals, a)
	if l.refuse != nil {
		if r, err := l.refuse(a); r != nil || err != nil {
			return cluster.Result{Rejection: r}, err
		}
	}
	if j, ok := a.(cluster.Join); ok {
		return cluster.Result{Node: l.join(j.Name)}, nil
	}
	return cluster.Result{}, nil
}

func (l *leader) join(name string) cluster.NodeID {
	for i, known := range l.names {
		if known == name {
			return cluster.NodeID(i + 1)
		}
	}
	l.names = append(l.names, name)
	id := cluster.NodeID(len(l.names))
	l.orders[id] = cluster.Orders{Cluster: clusterID, Node: id, Epoch: 1, Generation: 1}
	return id
}

func (l *leader) ConfirmLeadership(context.Context) error {
	l.mu.Lock()
	slow := l.slow
	l.mu.Unlock()
	time.Sleep(slow)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost {
		return errors.New("no majority")
	}
	return nil
}

func (l *leader) Orders(node cluster.NodeID) (cluster.Orders, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.asked == nil {
		l.asked = map[cluster.NodeID]int{}
	}
	l.asked[node]++
	o, ok := l.orders[node]
	return o, ok
}

func (l *leader) Usage(node cluster.NodeID, samples []wire.Usage, host wire.Host) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.samples == nil {
		l.samples = map[cluster.NodeID][]wire.Usage{}
	}
	l.samples[node], l.host = append(l.samples[node], samples...), host
}

func (l *leader) set(change func(l *leader)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(l)
}

// reports returns the proposed reports, refused ones included.
func (l *leader) reports() (list []cluster.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range l.proposals {
		if r, ok := a.(cluster.Report); ok {
			list = append(list, r)
		}
	}
	return list
}

// seen returns a report of one run.
func seen(job cluster.JobID) cluster.Report {
	return cluster.Report{StoreFree: cluster.Bytes(job),
		Observations: []cluster.Observation{{Run: cluster.RunID{Job: job, Number: 1}, Seen: cluster.SeenRunning}}}
}
