package link

import (
	"context"
	"crypto/x509"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

// greetingTime is the time limit for a node's greeting.
const greetingTime = 10 * time.Second

// maxBoot bounds the identity of a machine's boot, in bytes; Linux's has 36.
const maxBoot = 128

type stream = wirepb.Manager_ConnectServer

// certificate returns the verified certificate of the connection's client.
func certificate(ctx context.Context) (*x509.Certificate, error) {
	p, _ := peer.FromContext(ctx)
	if p == nil {
		return nil, status.Error(codes.Unauthenticated, "no connection")
	}
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok || len(info.State.VerifiedChains) == 0 {
		return nil, status.Error(codes.Unauthenticated, "a node's certificate is needed: join the cluster first")
	}
	return info.State.VerifiedChains[0][0], nil
}

// fromManager reports whether another manager has connected.
func fromManager(ctx context.Context) bool {
	c, err := certificate(ctx)
	return err == nil && join.IsManager(c)
}

// certified returns the node named by the connection's certificate.
func certified(ctx context.Context) (join.Identity, error) {
	c, err := certificate(ctx)
	if err != nil {
		return join.Identity{}, err
	}
	node, err := join.IdentityOf(c)
	if err != nil {
		return node, status.Error(codes.Unauthenticated, err.Error())
	}
	return node, nil
}

// admitted returns nil unless the node's certificate was withdrawn. By this code of Connect, which no other refusal
// there has, the node knows that it needs another certificate.
func (h *Hub) admitted(node join.Identity) error {
	if h.options.Leader.Admits(node.Node, node.Admission) {
		return nil
	}
	return status.Errorf(codes.PermissionDenied,
		"the certificate of node %s was withdrawn: the node was removed, or joined anew; it needs a new join token", node.Node)
}

// Connect serves one link of a node until it breaks, is replaced, or this replica no longer leads.
func (h *Hub) Connect(stream stream) error {
	node, err := certified(stream.Context())
	if err != nil {
		return err
	}
	t, leader := h.present()
	if t == nil {
		return redirect(stream, leader)
	}
	if err := h.admitted(node); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	stop := context.AfterFunc(t.over, func() { cancel(errTermOver) })
	defer stop()
	inbox := listen(ctx, stream)
	hello, err := greeting(ctx, inbox, node.Node)
	if err != nil {
		return err
	}
	s, err := h.admit(ctx, t, node, hello)
	if err != nil {
		return h.farewell(t, stream, err)
	}
	s.stream, s.cancel = stream, cancel
	t.attach(s)
	defer h.announce()
	defer t.detach(s)
	h.announce()
	s.log.Info().Msg("node connected")
	err = s.run(ctx, inbox)
	s.log.Info().Err(err).Msg("node disconnected")
	return h.farewell(t, stream, err)
}

// The normal ends of a link.
var (
	errTermOver = errors.New("this manager no longer leads")
	errReplaced = status.Error(codes.Aborted,
		"a newer link of this node took over; does another machine have the same name?")
	errRecalled = status.Error(codes.Aborted,
		"this link is older than what the cluster knows of the node; it must connect again and report everything")
)

// farewell redirects the node if this replica no longer leads.
func (h *Hub) farewell(t *term, stream stream, err error) error {
	if t.over.Err() != nil {
		return redirect(stream, t.successor())
	}
	return err
}

func redirect(stream stream, leader string) error {
	return stream.Send(&wirepb.ToNode{Message: &wirepb.ToNode_Redirect{Redirect: &wirepb.Redirect{Leader: leader}}})
}

// heard is one message of a node and its arrival time.
type heard struct {
	message *wirepb.FromNode
	at      time.Time
	err     error // end of the stream; set in the last value only
}

// listen receives until the stream or ctx ends. gRPC ends the stream when the handler returns.
func listen(ctx context.Context, stream stream) <-chan heard {
	inbox := make(chan heard)
	go func() {
		for {
			m, err := stream.Recv()
			select {
			case inbox <- heard{m, time.Now(), err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return inbox
}

// greeting returns the first message. It must name the node of the certificate.
func greeting(ctx context.Context, inbox <-chan heard, name string) (*wirepb.Hello, error) {
	timeout := time.NewTimer(greetingTime)
	defer timeout.Stop()
	select {
	case h := <-inbox:
		switch {
		case h.err != nil:
			return nil, h.err
		case h.message.GetHello() == nil:
			return nil, status.Error(codes.InvalidArgument, "the first message must be a greeting")
		case h.message.GetHello().GetNode() != name:
			return nil, status.Errorf(codes.Unauthenticated, "the certificate is for the node %q, not for %q", name,
				h.message.GetHello().GetNode())
		}
		return h.message.GetHello(), nil
	case <-timeout.C:
		return nil, status.Errorf(codes.DeadlineExceeded, "no greeting within %v", greetingTime)
	case <-ctx.Done():
		return nil, status.Error(codes.Unavailable, context.Cause(ctx).Error())
	}
}

// admit registers the node with the cluster.
func (h *Hub) admit(ctx context.Context, t *term, node join.Identity, hello *wirepb.Hello) (*session, error) {
	description, err := wire.UnpackDescription(hello.GetDescription())
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if len(hello.GetBoot()) > maxBoot {
		return nil, status.Errorf(codes.InvalidArgument, "the identity of the machine's boot has %d bytes; at most %d are allowed",
			len(hello.GetBoot()), maxBoot)
	}
	result, err := h.options.Leader.Propose(ctx, cluster.Join{Name: node.Node, Boot: hello.GetBoot(),
		Description: description, Admission: node.Admission})
	if err != nil {
		return nil, status.Errorf(codes.Unavailable, "join the cluster: %v", err)
	}
	if r := result.Rejection; r != nil {
		return nil, status.Errorf(codes.FailedPrecondition, "the cluster refuses the node: %v", r)
	}
	s := newSession(h, t, result, node)
	s.streams = hello.GetStreams()
	return s, nil
}
