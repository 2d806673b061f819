package link

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/net/netutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/internal/unproven"
	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

// Limits of the server.
const (
	maxConnections = 16384   // one per node, 10,000 nodes, and those that are being replaced
	maxStreams     = 8       // per connection
	maxMessage     = 4 << 20 // bytes from a node
	chunk          = 256 << 10
)

// strangers limits connections without a node's certificate. They may only enroll, which takes few bytes. A thousand
// nodes may join at once.
var strangers = unproven.Limit{Total: 1024, PerHost: 64, Life: 20 * time.Second, Bytes: 64 << 10}

// refusals are logged at a bounded rate, because a refused node may retry as often as the network allows.
func refusals(log zerolog.Logger) zerolog.Logger {
	return log.Sample(&zerolog.BurstSampler{Burst: 10, Period: time.Minute})
}

// proving wraps credentials and records that a peer has shown a node's certificate.
type proving struct {
	credentials.TransportCredentials
}

// ServerHandshake performs the credentials' handshake and records a proven peer.
func (p proving) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	conn, info, err := p.TransportCredentials.ServerHandshake(raw)
	shown, _ := info.(credentials.TLSInfo)
	if stranger, ok := raw.(*unproven.Conn); ok && err == nil && len(shown.State.VerifiedChains) > 0 {
		stranger.Proven()
	}
	return conn, info, err
}

// Serve accepts nodes until ctx ends, then closes the listener and all links.
func (h *Hub) Serve(ctx context.Context, l net.Listener, settings *tls.Config) error {
	server := grpc.NewServer(
		grpc.Creds(proving{credentials.NewTLS(settings)}),
		grpc.MaxRecvMsgSize(maxMessage),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.ConnectionTimeout(greetingTime),
		grpc.WaitForHandlers(true),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: 2 * time.Second, Timeout: 4 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second}),
	)
	wirepb.RegisterManagerServer(server, h)
	stop := context.AfterFunc(ctx, server.Stop)
	defer stop()
	limited := unproven.New(strangers).Listener(netutil.LimitListener(l, maxConnections))
	if err := server.Serve(limited); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve the nodes' links at %v: %w", l.Addr(), err)
	}
	server.Stop() // waits for the handlers
	return ctx.Err()
}

// Enroll admits a machine that shows the secret of the node's invitation.
func (h *Hub) Enroll(ctx context.Context, m *wirepb.EnrollRequest) (*wirepb.EnrollAnswer, error) {
	if err := cluster.CheckNodeName(m.GetNode()); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	admission, err := h.options.Leader.Admit(ctx, cluster.Admit{Node: m.GetNode(),
		Hash: join.Token{Secret: m.GetSecret()}.Hash(), Request: sha256.Sum256(m.GetCsr())})
	if err != nil {
		h.refused.Warn().Str("node", m.GetNode()).Err(err).Msg("a node was not admitted")
		return nil, status.Error(refusalCode(err), err.Error())
	}
	h.options.Log.Info().Str("node", m.GetNode()).Msg("node admitted")
	return h.certify(join.Identity{Node: m.GetNode(), Admission: admission}, m.GetCsr())
}

// refusalCode tells a joining machine whether it should try again: while the name is in use, or no manager leads.
func refusalCode(err error) codes.Code {
	var refused *cluster.Rejection
	if !errors.As(err, &refused) || refused.Code == cluster.CodeConflict {
		return codes.Unavailable
	}
	return codes.PermissionDenied
}

// Renew issues the next certificate to a node, under the same name.
func (h *Hub) Renew(ctx context.Context, m *wirepb.RenewRequest) (*wirepb.EnrollAnswer, error) {
	node, err := certified(ctx)
	if err == nil {
		err = h.admitted(node)
	}
	if err != nil {
		return nil, err
	}
	return h.certify(node, m.GetCsr())
}

func (h *Hub) certify(node join.Identity, csr []byte) (*wirepb.EnrollAnswer, error) {
	certificate, err := h.options.Issuer.Certify(node, csr)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &wirepb.EnrollAnswer{Certificate: certificate, Authority: h.options.Issuer.Certificate()}, nil
}

// Fetch sends an image to a node or to another manager.
func (h *Hub) Fetch(m *wirepb.FetchRequest, stream wirepb.Manager_FetchServer) error {
	node, err := certified(stream.Context())
	if err == nil {
		err = h.admitted(node)
	}
	if err != nil && !fromManager(stream.Context()) {
		return err
	}
	manifest, err := h.options.Images.Open(m.GetDigest())
	if errors.Is(err, fs.ErrNotExist) {
		return status.Errorf(codes.NotFound, "this manager does not have the image %s", m.GetDigest())
	}
	if err != nil {
		return status.Error(codes.InvalidArgument, err.Error())
	}
	first := &wirepb.Chunk{Content: &wirepb.Chunk_Manifest{Manifest: manifest.Canonical()}}
	if err := stream.Send(first); err != nil {
		return err
	}
	for _, f := range manifest.Files {
		if err := h.sendFile(stream, m.GetDigest(), f.Name); err != nil {
			return err
		}
	}
	return nil
}

func (h *Hub) sendFile(stream wirepb.Manager_FetchServer, digest, file string) error {
	from, err := h.options.Images.File(digest, file)
	if err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	defer from.Close()
	buffer := make([]byte, chunk)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if err := stream.Send(&wirepb.Chunk{Content: &wirepb.Chunk_Data{Data: buffer[:n]}}); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return status.Error(codes.Internal, err.Error())
		}
	}
}
