package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// maxSilence is the number of unanswered heartbeats after which another manager is tried.
const maxSilence = 3

// Session is one connection to one leader. It renews the lease by itself until it is closed or fails, as long as Alive
// is called. Its methods may be called concurrently.
type Session struct {
	client  *Client
	address string
	conn    Connection
	stream  wirepb.Manager_ConnectClient
	cancel  context.CancelFunc
	ended   context.Context // done when the session has failed or was closed
	life    context.Context // of the client's user: streams outlast the session
	work    sync.WaitGroup

	node    cluster.NodeID
	cluster [16]byte
	lease   time.Duration // its length
	beat    time.Duration // from heartbeat to heartbeat
	pulse   pulse
	works   atomic.Bool // the node's loop has said so since the last heartbeat
	orders  chan cluster.Orders
	leases  chan time.Duration

	speaking sync.Mutex // guards Send on the stream
	reports  reports
}

// Node returns the node's id in the cluster.
func (s *Session) Node() cluster.NodeID { return s.node }

// Cluster returns the id of the cluster that the node has joined.
func (s *Session) Cluster() [16]byte { return s.cluster }

// Orders returns a channel with the newest orders. Older ones that were not received are dropped. The
// channel is closed when the session has ended.
func (s *Session) Orders() <-chan cluster.Orders { return s.orders }

// Leases returns a channel with the end of the newest lease on CLOCK_BOOTTIME, counted from the
// sending of the answered heartbeat.
func (s *Session) Leases() <-chan time.Duration { return s.leases }

// Report sends a report to the leader and returns nil when it is durable. The error is a
// *cluster.Rejection if the cluster refuses it. After any other error the report may or may not have
// arrived. Report ignores the report's Node: the certificate identifies the node.
func (s *Session) Report(ctx context.Context, r cluster.Report) error {
	number, outcome := s.reports.open()
	defer s.reports.forget(number)
	m := PackReport(r)
	m.Sequence = number
	if err := s.say(&wirepb.FromNode{Message: &wirepb.FromNode_Report{Report: m}}); err != nil {
		return fmt.Errorf("report to the leader: %w", err)
	}
	select {
	case err := <-outcome:
		return err
	case <-s.ended.Done():
		return errors.New("the link ended before the report was acknowledged")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// SendUsage sends samples if the link is free. Otherwise it drops them.
func (s *Session) SendUsage(samples []Usage, host Host) {
	if s.ended.Err() != nil || !s.speaking.TryLock() {
		return
	}
	defer s.speaking.Unlock()
	// An error means that the session has ended. The listener learns the cause.
	_ = s.stream.Send(&wirepb.FromNode{Message: &wirepb.FromNode_Usage{Usage: PackUsage(samples, host)}})
}

// Alive says that the node's loop works. Without it no heartbeat is sent, so that a lease proves more than a
// connection.
func (s *Session) Alive() { s.works.Store(true) }

// Close ends the session and waits for its goroutines; it may be called more than once.
func (s *Session) Close() {
	s.cancel()
	s.work.Wait()
}

func (s *Session) say(m *wirepb.FromNode) error {
	s.speaking.Lock()
	defer s.speaking.Unlock()
	return s.stream.Send(m)
}

func (s *Session) start(ctx context.Context) {
	s.ended = ctx
	s.Alive()
	s.orders, s.leases = make(chan cluster.Orders, 1), make(chan time.Duration, 1)
	s.client.options.Log.Info().Str("manager", s.address).Uint32("node", uint32(s.node)).Stringer("lease",
		s.lease).Msg("linked to the leader")
	s.work.Go(func() { s.pace(ctx) })
	s.work.Go(func() { s.client.keepCertified(ctx) })
	s.work.Go(func() {
		err := s.listen()
		s.cancel()
		s.conn.Close()
		s.client.learn(s.address, true, err)
		s.client.options.Log.Info().Str("manager", s.address).Err(err).Msg("link ended")
		close(s.orders)
		close(s.leases)
	})
}

func heartbeat(number uint64) *wirepb.FromNode {
	return &wirepb.FromNode{Message: &wirepb.FromNode_Heartbeat{Heartbeat: &wirepb.Heartbeat{Number: number}}}
}

// pace sends heartbeats while the node is alive, until the session ends. It ends the session when they are not
// answered.
func (s *Session) pace(ctx context.Context) {
	defer s.cancel()
	tick := time.NewTicker(s.beat)
	defer tick.Stop()
	for {
		now := s.client.options.Boottime()
		if s.pulse.unanswered(now) > maxSilence*s.beat {
			return
		}
		if s.works.Swap(false) && s.say(heartbeat(s.pulse.send(now))) != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// listen handles the leader's messages until the link breaks.
func (s *Session) listen() error {
	for {
		m, err := s.stream.Recv()
		if err != nil {
			return fmt.Errorf("listen to the leader: %w", err)
		}
		if err := s.hear(m); err != nil {
			return err
		}
	}
}

func (s *Session) hear(m *wirepb.ToNode) error {
	switch m := m.GetMessage().(type) {
	case *wirepb.ToNode_Orders:
		return s.take(m.Orders)
	case *wirepb.ToNode_Ack:
		s.reports.settle(m.Ack.GetSequence(), outcome(m.Ack))
	case *wirepb.ToNode_Heartbeat:
		if sent, ok := s.pulse.answered(m.Heartbeat.GetNumber()); ok {
			newest(s.leases, sent+s.lease)
		}
	case *wirepb.ToNode_Open:
		go s.client.answer(s.life, s.address, m.Open)
	case *wirepb.ToNode_Redirect:
		return &redirected{m.Redirect.GetLeader()}
	default:
		return errors.New("unknown message from the leader; is this node's program older than the manager's?")
	}
	return nil
}

func (s *Session) take(m *wirepb.Orders) error {
	o, err := UnpackOrders(m)
	if err != nil {
		return err
	}
	if o.Node != s.node || o.Cluster != s.cluster {
		return fmt.Errorf("orders for node %d of cluster %x came to node %d of cluster %x", o.Node, o.Cluster,
			s.node, s.cluster)
	}
	newest(s.orders, o)
	return nil
}

// newest replaces the value in a channel of capacity 1. Only one goroutine may fill the channel.
func newest[T any](c chan T, v T) {
	select {
	case <-c:
	default:
	}
	c <- v
}

func outcome(a *wirepb.Ack) error {
	if a.GetCode() == "" {
		return nil
	}
	return &cluster.Rejection{Code: cluster.Code(a.GetCode()), Field: a.GetField(), Detail: a.GetDetail()}
}
