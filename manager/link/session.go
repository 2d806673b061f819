package link

import (
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

// Limits of one link.
const (
	maxReports     = 64 // most reports that wait to be proposed
	maxBatch       = 16 // reports in one proposal
	beatsPerLease  = 8
	confirmTimeout = 5 * time.Second
)

// session is one link of one node.
type session struct {
	hub     *Hub
	term    *term
	node    cluster.NodeID
	joined  uint64        // revision of its Join
	since   time.Time     // when it began
	proof   join.Identity // of its certificate
	streams bool          // its monitor understands Open
	log     zerolog.Logger
	stream  stream
	cancel  context.CancelCauseFunc

	stale   chan struct{}       // the orders may have changed
	reports chan numbered       // to be proposed
	beats   chan heard          // the newest heartbeat that is not answered
	answers chan *wirepb.ToNode // to be sent
	sent    *cluster.Orders     // last orders sent to the node
}

type numbered struct {
	sequence uint64
	report   cluster.Report
}

func newSession(h *Hub, t *term, joined cluster.Result, proof join.Identity) *session {
	return &session{
		hub: h, term: t, node: joined.Node, joined: joined.Revision, since: time.Now(), proof: proof,
		log:   h.options.Log.With().Str("node", proof.Node).Logger(),
		stale: make(chan struct{}, 1), reports: make(chan numbered, maxReports),
		beats: make(chan heard, 1), answers: make(chan *wirepb.ToNode, maxReports),
	}
}

func (s *session) replace() { s.cancel(errReplaced) }

func (s *session) wake() {
	select {
	case s.stale <- struct{}{}:
	default:
	}
}

// run serves the link. It is the only sender on the stream.
func (s *session) run(ctx context.Context, inbox <-chan heard) error {
	var helpers sync.WaitGroup
	ctx, cancel := context.WithCancelCause(ctx)
	defer helpers.Wait()
	defer cancel(nil)
	if err := s.welcome(); err != nil {
		return err
	}
	helpers.Go(func() { cancel(s.propose(ctx)) })
	helpers.Go(func() { s.renew(ctx) })
	for {
		var err error
		select {
		case h := <-inbox:
			err = s.hear(h)
		case m := <-s.answers:
			err = s.stream.Send(m)
		case <-s.stale:
			err = s.order()
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
}

func (s *session) welcome() error {
	orders, err := s.orders()
	if err != nil {
		return err
	}
	lease := s.hub.options.Lease
	m := &wirepb.Welcome{Node: uint32(s.node), Cluster: orders.Cluster[:], Lease: lease.Microseconds(),
		Heartbeat: (lease / beatsPerLease).Microseconds()}
	if err := s.stream.Send(&wirepb.ToNode{Message: &wirepb.ToNode_Welcome{Welcome: m}}); err != nil {
		return err
	}
	return s.order()
}

func (s *session) orders() (cluster.Orders, error) {
	if err := s.hub.admitted(s.proof); err != nil {
		return cluster.Orders{}, err
	}
	orders, ok := s.hub.options.Leader.Orders(s.node)
	if !ok {
		return orders, status.Error(codes.Unavailable, "the cluster does not know the node")
	}
	return orders, nil
}

// order sends the present orders unless the node has the same.
func (s *session) order() error {
	orders, err := s.orders()
	if err != nil {
		return err
	}
	if s.sent != nil {
		old := *s.sent
		old.Revision = orders.Revision // a new revision alone changes nothing for the node
		if reflect.DeepEqual(old, orders) {
			return nil
		}
	}
	s.sent = &orders
	return s.stream.Send(&wirepb.ToNode{Message: &wirepb.ToNode_Orders{Orders: wire.PackOrders(orders)}})
}

func (s *session) hear(h heard) error {
	if h.err != nil {
		return h.err
	}
	if err := s.hub.admitted(s.proof); err != nil {
		return err
	}
	switch m := h.message.GetMessage().(type) {
	case *wirepb.FromNode_Heartbeat:
		select {
		case <-s.beats: // an older heartbeat needs no answer
		default:
		}
		s.beats <- h
	case *wirepb.FromNode_Report:
		return s.queue(m.Report)
	case *wirepb.FromNode_Usage:
		samples, host, err := wire.UnpackUsage(m.Usage)
		if err != nil {
			return status.Error(codes.InvalidArgument, err.Error())
		}
		s.hub.options.Leader.Usage(s.node, samples, host)
	default:
		return status.Errorf(codes.InvalidArgument, "unexpected message %T from a node", m)
	}
	return nil
}

func (s *session) queue(m *wirepb.Report) error {
	report, err := wire.UnpackReport(s.node, m)
	if err != nil {
		return status.Error(codes.InvalidArgument, err.Error())
	}
	report.Joined = s.joined
	select {
	case s.reports <- numbered{m.GetSequence(), report}:
		return nil
	default:
		return status.Errorf(codes.ResourceExhausted, "%d reports are waiting already", maxReports)
	}
}

// renew answers heartbeats until ctx ends.
func (s *session) renew(ctx context.Context) {
	for {
		select {
		case h := <-s.beats:
			s.renewOnce(ctx, h)
		case <-ctx.Done():
			return
		}
	}
}

// renewOnce renews the lease if this replica still leads. Otherwise it stays silent, and the node tries
// another manager.
func (s *session) renewOnce(ctx context.Context, h heard) {
	limited, cancel := context.WithTimeout(ctx, confirmTimeout)
	defer cancel()
	if err := s.hub.options.Leader.ConfirmLeadership(limited); err != nil {
		if ctx.Err() == nil {
			s.log.Warn().Err(err).Msg("cannot confirm leadership; the heartbeat stays unanswered")
		}
		return
	}
	// The lease is renewed here before the node learns of it, so the node never relies on an uncounted lease.
	late, ok := s.term.renew(s.node, h.at, time.Now(), s.hub.options.Lease)
	if !ok {
		return
	}
	if late {
		s.hub.announce()
	}
	s.answer(ctx, &wirepb.ToNode{Message: &wirepb.ToNode_Heartbeat{Heartbeat: h.message.GetHeartbeat()}})
}

func (s *session) answer(ctx context.Context, m *wirepb.ToNode) {
	select {
	case s.answers <- m:
	case <-ctx.Done():
	}
}
