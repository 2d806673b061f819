package link

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

// raw connects to m1 with the given transport and without our client, so a test may break its rules.
func (w *world) raw(transport credentials.TransportCredentials) wirepb.ManagerClient {
	w.t.Helper()
	conn, err := grpc.NewClient("passthrough:///m1", grpc.WithTransportCredentials(transport),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return w.dial(ctx, "m1") }))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { conn.Close() })
	return wirepb.NewManagerClient(conn)
}

// as returns a transport with the node's certificate.
func (w *world) as(node string) wirepb.ManagerClient {
	w.t.Helper()
	c, err := join.Load(w.enroll(node))
	if err != nil {
		w.t.Fatal(err)
	}
	return w.raw(credentials.NewTLS(c.TLS()))
}

var (
	hello = &wirepb.FromNode{Message: &wirepb.FromNode_Hello{Hello: &wirepb.Hello{Node: "n1",
		Description: &wirepb.Description{}}}}
	heartbeat = &wirepb.FromNode{Message: &wirepb.FromNode_Heartbeat{Heartbeat: &wirepb.Heartbeat{Number: 1}}}
)

func report(r *wirepb.Report) *wirepb.FromNode {
	return &wirepb.FromNode{Message: &wirepb.FromNode_Report{Report: r}}
}

// end sends the messages and receives until the manager ends the link.
func end(t *testing.T, m wirepb.ManagerClient, messages ...*wirepb.FromNode) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := m.Connect(ctx)
	if err != nil {
		return err
	}
	for _, message := range messages {
		_ = s.Send(message) // Recv returns the reason why it could not be sent
	}
	for {
		if _, err := s.Recv(); err != nil {
			return err
		}
	}
}

func TestWhoeverDoesNotKeepToTheProtocolIsCutOff(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		node := w.as("n1")
		bad := &wirepb.FromNode{Message: &wirepb.FromNode_Hello{Hello: &wirepb.Hello{Node: "n1",
			Description: &wirepb.Description{Cpu: -1}}}}
		for name, c := range map[string]struct {
			messages []*wirepb.FromNode
			code     codes.Code
		}{
			"no greeting":            {nil, codes.DeadlineExceeded},
			"a heartbeat first":      {[]*wirepb.FromNode{heartbeat}, codes.InvalidArgument},
			"an empty message first": {[]*wirepb.FromNode{{}}, codes.InvalidArgument},
			"another name": {[]*wirepb.FromNode{{Message: &wirepb.FromNode_Hello{Hello: &wirepb.Hello{Node: "n2"}}}},
				codes.Unauthenticated},
			"a negative capacity": {[]*wirepb.FromNode{bad}, codes.InvalidArgument},
			"a second greeting":   {[]*wirepb.FromNode{hello, hello}, codes.InvalidArgument},
			"an empty message":    {[]*wirepb.FromNode{hello, {}}, codes.InvalidArgument},
			"a report of no run": {[]*wirepb.FromNode{hello,
				report(&wirepb.Report{Observations: []*wirepb.Observation{{Seen: 1}}})}, codes.InvalidArgument},
			"a report of no sight": {[]*wirepb.FromNode{hello,
				report(&wirepb.Report{Observations: []*wirepb.Observation{{Run: &wirepb.Run{Job: 1, Number: 1}}}})},
				codes.InvalidArgument},
			"usage of no run": {[]*wirepb.FromNode{hello,
				{Message: &wirepb.FromNode_Usage{Usage: &wirepb.Usage{Samples: []*wirepb.Sample{{}}}}}}, codes.InvalidArgument},
			"more than a message is": {[]*wirepb.FromNode{hello,
				report(&wirepb.Report{Observations: []*wirepb.Observation{{Cause: strings.Repeat("x", 5<<20)}}})},
				codes.ResourceExhausted},
			"a huge name": {[]*wirepb.FromNode{{Message: &wirepb.FromNode_Hello{Hello: &wirepb.Hello{Node: strings.Repeat("n",
				5<<20)}}}}, codes.ResourceExhausted},
			"a boot that is no text": {[]*wirepb.FromNode{{Message: &wirepb.FromNode_Hello{Hello: &wirepb.Hello{Node: "n1",
				Boot: "\xff"}}}}, codes.Internal},
			"usage that is no greeting": {[]*wirepb.FromNode{{Message: &wirepb.FromNode_Usage{Usage: &wirepb.Usage{}}}},
				codes.InvalidArgument},
		} {
			if err := end(t, node, c.messages...); status.Code(err) != c.code {
				t.Errorf("%s: %v; want %v", name, err, c.code)
			}
		}
		if r := l.reports(); len(r) > 0 {
			t.Errorf("reported all the same: %+v", r)
		}
	})
}

func TestMoreReportsThanCanWaitEndTheLink(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		l.set(func(l *leader) { l.hold = make(chan struct{}) })
		messages := []*wirepb.FromNode{hello}
		for i := range uint64(maxReports + maxBatch + 2) {
			messages = append(messages, report(&wirepb.Report{Sequence: i + 1}))
		}
		if err := end(t, w.as("n1"), messages...); status.Code(err) != codes.ResourceExhausted {
			t.Errorf("%v", err)
		}
	})
}

func TestOfManyHeartbeatsTheNewestIsAnswered(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s, err := w.as("n1").Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Send(hello); err != nil {
			t.Fatal(err)
		}
		for n := range uint64(1000) {
			if err := s.Send(
				&wirepb.FromNode{Message: &wirepb.FromNode_Heartbeat{Heartbeat: &wirepb.Heartbeat{Number: n + 1}}}); err != nil {
				t.Fatal(err)
			}
		}
		for last := uint64(0); last < 1000; {
			m, err := s.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if beat := m.GetHeartbeat(); beat != nil && beat.GetNumber() <= last {
				t.Fatalf("%d was answered after %d", beat.GetNumber(), last)
			} else if beat != nil {
				last = beat.GetNumber()
			}
		}
	})
}

func TestStrangersGetNothingButEnrollment(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		token := w.ca.NewToken()
		i := pushed(t, l, "own")
		stranger := w.raw(credentials.NewTLS(token.TLS()))
		if err := end(t, stranger, hello); status.Code(err) != codes.Unauthenticated {
			t.Errorf("connect: %v", err)
		}
		if _, err := stranger.Renew(t.Context(), &wirepb.RenewRequest{}); status.Code(err) != codes.Unauthenticated {
			t.Errorf("renew: %v", err)
		}
		fetch, err := stranger.Fetch(t.Context(), &wirepb.FetchRequest{Digest: i.Digest})
		if err == nil {
			_, err = fetch.Recv()
		}
		if status.Code(err) != codes.Unauthenticated {
			t.Errorf("fetch: %v", err)
		}
		if _, err := stranger.Enroll(t.Context(), &wirepb.EnrollRequest{Secret: "guess", Node: "n1"}); status.Code(
			err) != codes.PermissionDenied {
			t.Errorf("enroll: %v", err)
		}
		if err := end(t, w.raw(insecure.NewCredentials()), hello); status.Code(err) != codes.Unavailable {
			t.Errorf("without TLS: %v", err)
		}
		if l.Orders(1); len(l.names) != 0 {
			t.Errorf("joined: %v", l.names)
		}
	})
}

func TestANodeRenewsForItselfAlone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.manager("m1")
		other, err := join.NewRequest("n2")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.as("n1").Renew(t.Context(),
			&wirepb.RenewRequest{Csr: other.CSR}); status.Code(err) != codes.InvalidArgument {
			t.Errorf("n1 renews the certificate of n2: %v", err)
		}
	})
}

func TestASilentReaderHoldsNobodyUp(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		deaf, err := w.as("n1").Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := deaf.Send(hello); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s := w.connect(w.client(w.enroll("n2"), "m1"))
		big := &cluster.Spec{Name: strings.Repeat("x", 1<<20)}
		for cpu := range cluster.CPU(8) { // more than the deaf one's window takes
			l.set(func(l *leader) {
				for id, o := range l.orders {
					o.Runs = []cluster.Order{{Run: cluster.RunID{Job: 1, Number: 1}, Want: cluster.Stay, CPU: cpu, Spec: big}}
					l.orders[id] = o
				}
			})
			h.Push(1, 2)
			synctest.Wait()
		}
		if o := <-s.Orders(); o.Runs[0].CPU != 7 {
			t.Errorf("the other got %v", o.Runs[0].CPU)
		}
	})
}
