package wire

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// Limits of one connection.
const (
	handshakeTime = 5 * time.Second
	maxFromLeader = 64 << 20 // bytes of one message
)

func (c *Client) connect(address string) (Connection, error) {
	if c.options.Open != nil {
		return c.options.Open(address)
	}
	return connect(address, c.identity().TLS(), c.options.Dial)
}

func connect(address string, settings *tls.Config, dial func(context.Context, string) (net.Conn,
	error)) (*grpc.ClientConn, error) {
	conn, err := grpc.NewClient("passthrough:///"+address,
		grpc.WithTransportCredentials(credentials.NewTLS(settings)),
		grpc.WithContextDialer(dial),
		grpc.WithNoProxy(),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxFromLeader)))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", address, err)
	}
	return conn, nil
}

// open connects to one manager; the session ends with ctx at the latest.
func (c *Client) open(ctx context.Context, address string, join cluster.Join) (*Session, error) {
	conn, err := c.connect(address)
	if err != nil {
		return nil, err
	}
	life := ctx
	ctx, cancel := context.WithCancel(ctx)
	s := &Session{client: c, address: address, life: life,
		conn: conn, cancel: cancel, pulse: pulse{sent: map[uint64]time.Duration{}}}
	if err := s.greet(ctx, join); err != nil {
		cancel()
		conn.Close()
		return nil, err
	}
	c.learn(address, true, nil)
	s.start(ctx)
	return s, nil
}

// greet introduces the node and waits for the manager's first answer, for a limited time.
func (s *Session) greet(ctx context.Context, join cluster.Join) error {
	timeout := time.AfterFunc(handshakeTime, s.cancel)
	defer timeout.Stop()
	var err error
	if s.stream, err = wirepb.NewManagerClient(s.conn).Connect(ctx); err != nil {
		return fmt.Errorf("open the link: %w", err)
	}
	hello := &wirepb.Hello{Node: join.Name, Boot: join.Boot, Description: PackDescription(join.Description),
		Streams: s.client.carrier() != nil}
	// An error of Send means only that the stream has ended. Recv returns the cause.
	_ = s.stream.Send(&wirepb.FromNode{Message: &wirepb.FromNode_Hello{Hello: hello}})
	first, err := s.stream.Recv()
	switch {
	case err != nil:
		return fmt.Errorf("greet the manager: %w", err)
	case first.GetRedirect() != nil:
		return &redirected{first.GetRedirect().GetLeader()}
	case first.GetWelcome() == nil:
		return fmt.Errorf("unexpected answer %T to the greeting", first.GetMessage())
	}
	return s.enter(first.GetWelcome())
}

func (s *Session) enter(w *wirepb.Welcome) (err error) {
	if s.cluster, err = unpackCluster(w.GetCluster()); err != nil {
		return fmt.Errorf("welcome: %w", err)
	}
	s.node, s.lease, s.beat = cluster.NodeID(w.GetNode()), micros(w.GetLease()), micros(w.GetHeartbeat())
	if s.node == 0 || s.beat <= 0 || s.lease < s.beat {
		return fmt.Errorf("welcome: node %d, a lease of %v, a heartbeat every %v", s.node, s.lease, s.beat)
	}
	return nil
}
