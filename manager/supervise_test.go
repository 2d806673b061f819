package manager

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"aliquot/cluster"
	"aliquot/manager/link"
	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

// assent is a leader that agrees to all that node 1 says.
type assent struct{ link.Leader }

func (assent) Propose(context.Context, cluster.Action) (cluster.Result, error) {
	return cluster.Result{Node: 1}, nil
}
func (assent) ConfirmLeadership(context.Context) error      { return nil }
func (assent) Orders(cluster.NodeID) (cluster.Orders, bool) { return cluster.Orders{}, true }
func (assent) Admits(node string, admission uint64) bool    { return true }

// line is a node's end of a link.
type line struct {
	grpc.ServerStream
	ctx context.Context
	up  chan *wirepb.FromNode
}

func (l line) Context() context.Context  { return l.ctx }
func (l line) Send(*wirepb.ToNode) error { return nil }
func (l line) Recv() (*wirepb.FromNode, error) {
	select {
	case m := <-l.up:
		return m, nil
	case <-l.ctx.Done():
		return nil, io.EOF
	}
}

// connect links node n1 to the hub, and returns its line and the end of the link.
func connect(t *testing.T, h *link.Hub) (line, <-chan error) {
	certificate := &x509.Certificate{Subject: join.Identity{Node: "n1"}.Subject()}
	proof := credentials.TLSInfo{State: tls.ConnectionState{VerifiedChains: [][]*x509.Certificate{{certificate}}}}
	l := line{ctx: peer.NewContext(t.Context(), &peer.Peer{AuthInfo: proof}), up: make(chan *wirepb.FromNode)}
	ended := make(chan error, 1)
	go func() { ended <- h.Connect(l) }()
	l.up <- &wirepb.FromNode{Message: &wirepb.FromNode_Hello{Hello: &wirepb.Hello{Node: "n1", Boot: "b",
		Description: &wirepb.Description{}}}}
	return l, ended
}

func TestASilentNodeThatIsHeardAgainIsReadyAndReportsEverythingAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := link.NewHub(link.Options{Leader: assent{}, Lease: 10 * time.Second, Log: zerolog.Nop()})
		h.Claimed(time.Now())
		began := time.Now()
		m := &Manager{clock: time.Now, elapsed: func() time.Duration { return time.Since(began) }, link: h,
			watch: newWatch()}
		silent := &cluster.Node{ID: 1, Health: cluster.Silent}
		l, ended := connect(t, h)
		if a := m.superviseNode(silent); a != nil {
			t.Fatalf("before it is heard it shall get %+v", a)
		}
		l.up <- &wirepb.FromNode{Message: &wirepb.FromNode_Heartbeat{Heartbeat: &wirepb.Heartbeat{}}}
		synctest.Wait()
		if a := m.superviseNode(silent); a != (cluster.SetHealth{Node: 1, Health: cluster.Ready}) {
			t.Errorf("it gets %+v", a)
		}
		synctest.Wait()
		select {
		case <-ended:
		default:
			t.Error("its link goes on, so it reports only what changes")
		}
	})
}

func TestANodeWithoutALinkIsUnreachableAfterASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := link.NewHub(link.Options{Leader: assent{}, Lease: 10 * time.Second, Log: zerolog.Nop()})
		began := time.Now()
		h.Claimed(began)
		m := &Manager{clock: time.Now, elapsed: func() time.Duration { return time.Since(began) }, link: h}
		m.time.lead(0)
		node := &cluster.Node{ID: 1}
		shall := func(want cluster.Action) {
			t.Helper()
			synctest.Wait()
			if got := m.superviseLink(node); got != want {
				t.Errorf("after %v: %+v, want %+v", time.Since(began), got, want)
			}
		}
		l, ended := connect(t, h)
		shall(nil)
		close(l.up)
		<-ended
		shall(nil)
		time.Sleep(unlinkedAfter)
		broke := max(1, m.now()-cluster.Second)
		shall(cluster.SetLink{Node: 1, Broken: broke})
		node.Unlinked = broke
		shall(nil)
		_, _ = connect(t, h)
		shall(nil)
		time.Sleep(2 * time.Second)
		shall(cluster.SetLink{Node: 1})
		node.Unlinked, node.Health = 0, cluster.Silent
		shall(nil)
	})
}

func TestANodeWhoseLinkIsOlderThanItsLastJoinConnectsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := link.NewHub(link.Options{Leader: assent{}, Lease: 10 * time.Second, Log: zerolog.Nop()})
		began := time.Now()
		h.Claimed(began)
		m := &Manager{clock: time.Now, elapsed: func() time.Duration { return time.Since(began) }, link: h, watch: newWatch()}
		_, ended := connect(t, h)
		synctest.Wait()
		if a := m.superviseNode(&cluster.Node{ID: 1, Joined: math.MaxUint64}); a != nil {
			t.Errorf("it gets %+v", a)
		}
		synctest.Wait()
		select {
		case <-ended:
		default:
			t.Error("its link goes on, and all its reports are refused")
		}
	})
}
