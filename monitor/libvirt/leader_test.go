package libvirt

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
)

// leader is the replicated state machine with links instead of a network. The test makes the manager's decisions and
// orders each move.
type leader struct {
	t        testing.TB
	lease    time.Duration
	mu       sync.Mutex
	state    *cluster.State
	revision uint64
	sessions map[cluster.NodeID]*session
	cut      bool // links are down
	usage    map[cluster.RunID]monitor.Usage
}

func newLeader(t testing.TB, of [16]byte, lease time.Duration) *leader {
	l := &leader{
		t: t, lease: lease, state: cluster.Newest(of, cluster.PolicyChoice{Name: "none", Period: cluster.Minute}),
		sessions: map[cluster.NodeID]*session{}, usage: map[cluster.RunID]monitor.Usage{},
	}
	l.apply(cluster.Claim{Replica: 1, Term: 1})
	return l
}

// apply applies a command and sends all nodes their orders.
func (l *leader) apply(action cluster.Action) cluster.Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.revision++
	result := l.state.Apply(l.revision, cluster.Command{
		At: cluster.Time(time.Now().UnixMicro()), Actor: cluster.Actor{Name: "test", Owner: "test", Project: "test",
			Role: cluster.System},
		Epoch: l.state.Epoch, Action: action,
	})
	if result.Rejection != nil {
		l.t.Errorf("%T: %+v", action, result.Rejection)
	}
	for _, e := range result.Events {
		l.t.Logf("event %s %v/%d/%d node %d %v %s", e.Kind, e.Job, e.Task, e.Run, e.Node, e.CPU, e.Text)
	}
	for _, s := range l.sessions {
		s.order()
	}
	return result
}

func (l *leader) task(job cluster.JobID) cluster.Task {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j := l.state.Job(job); j != nil {
		return j.Tasks[0]
	}
	if j := l.state.Ended(job); j != nil {
		return j.Tasks[0]
	}
	return cluster.Task{}
}

func (l *leader) moving(job cluster.JobID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.Move(cluster.TaskID{Job: job}) != nil
}

// move orders the move as soon as no node has a left-over copy of the task's VM.
func (l *leader) move(m cluster.Move) {
	for end := time.Now().Add(10 * time.Second); l.contested(m.Task) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	l.apply(cluster.StartMoves{Moves: []cluster.Move{m}})
}

func (l *leader) contested(task cluster.TaskID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.Contested(task) != 0
}

// sever cuts all links, or restores them.
func (l *leader) sever(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
	for _, s := range l.sessions {
		if cut {
			s.end()
		}
	}
}

// link is one node's.
type link struct{ *leader }

func (l link) Connect(ctx context.Context, describe func() cluster.Join) (monitor.Session, error) {
	for {
		l.mu.Lock()
		cut := l.cut
		l.mu.Unlock()
		if !cut {
			break
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	s := &session{leader: l.leader, orders: make(chan cluster.Orders, 1), leases: make(chan time.Duration, 1),
		over: make(chan struct{})}
	s.node = l.apply(describe()).Node
	l.mu.Lock()
	s.of = l.state.Cluster
	if old := l.sessions[s.node]; old != nil {
		old.end()
	}
	l.sessions[s.node] = s
	s.order()
	l.mu.Unlock()
	go s.renew()
	return s, nil
}

// session drops values that nobody receives. The leader's lock guards its end.
type session struct {
	*leader
	node   cluster.NodeID
	of     [16]byte
	orders chan cluster.Orders
	leases chan time.Duration
	over   chan struct{}
	ended  bool
}

func (s *session) Node() cluster.NodeID          { return s.node }
func (s *session) Cluster() [16]byte             { return s.of }
func (s *session) Orders() <-chan cluster.Orders { return s.orders }
func (s *session) Leases() <-chan time.Duration  { return s.leases }

func (s *session) order() {
	if s.ended {
		return
	}
	select {
	case <-s.orders:
	default:
	}
	s.orders <- s.state.Orders(s.node)
}

func (s *session) renew() {
	for {
		select {
		case s.leases <- monitor.BootTime() + s.lease:
		case <-s.over:
			return
		}
		select {
		case <-time.After(s.lease / 4):
		case <-s.over:
			return
		}
	}
}

func (s *session) Report(_ context.Context, r cluster.Report) error {
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	if ended {
		return errors.New("the link is down")
	}
	s.apply(r)
	return nil
}

func (s *session) Alive() {}

func (s *session) SendUsage(samples []monitor.Usage, _ monitor.Host) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range samples {
		s.usage[u.Run] = u
	}
}

func (s *session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

func (s *session) end() {
	if !s.ended {
		s.ended = true
		close(s.orders)
		close(s.over)
		delete(s.sessions, s.node)
	}
}
