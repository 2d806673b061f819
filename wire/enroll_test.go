package wire_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/manager/ca"
	"aliquot/manager/link"
	"aliquot/wire"
	"aliquot/wire/join"
)

// newManager serves links on loopback and returns its address and join token.
func newManager(t *testing.T) (address string, token join.Token) {
	t.Helper()
	authority, err := ca.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	token = authority.NewToken()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	hub := link.NewHub(link.Options{Leader: door{hash: token.Hash()}, Issuer: authority, Log: zerolog.Nop()})
	go func() { ended <- hub.Serve(ctx, l, authority.LinkTLS()) }()
	t.Cleanup(func() { cancel(); <-ended })
	return l.Addr().String(), token
}

// door is a manager that only admits nodes.
type door struct {
	link.Leader
	hash [32]byte
}

func (d door) Admit(_ context.Context, a cluster.Admit) (uint64, error) {
	if a.Hash != d.hash {
		return 0, &cluster.Rejection{Code: cluster.CodeForbidden}
	}
	return 1, nil
}

// dialler fails in its first calls.
func dialler(failures int32) func(context.Context, string) (net.Conn, error) {
	var calls atomic.Int32
	return func(ctx context.Context, address string) (net.Conn, error) {
		if calls.Add(1) <= failures {
			return nil, errors.New("connection refused")
		}
		return new(net.Dialer).DialContext(ctx, "tcp", address)
	}
}

func TestANodeJoinsWhenItsManagerComesUpLater(t *testing.T) {
	address, token := newManager(t)
	path := filepath.Join(t.TempDir(), "node.pem")
	var log strings.Builder
	e := wire.Enrollment{Managers: []string{address}, Token: token, Node: "n1", Path: path, Dial: dialler(3)}
	if err := e.Persist(t.Context(), zerolog.New(&log)); err != nil {
		t.Fatal(err)
	}
	if c, err := join.Load(path); err != nil || c.Node != "n1" {
		t.Errorf("credentials: %v, %v", c, err)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "connection refused") {
		t.Errorf("three equal failures were told as:\n%s", log.String())
	}
}

func TestARefusedNodeDoesNotTryAgain(t *testing.T) {
	address, token := newManager(t)
	token.Secret = "guess"
	dial := dialler(1)
	e := wire.Enrollment{Managers: []string{"gone:1", address}, Token: token, Node: "n1",
		Path: filepath.Join(t.TempDir(), "node.pem"), Dial: dial}
	err := e.Persist(t.Context(), zerolog.Nop())
	if err == nil || !strings.Contains(err.Error(), codes.PermissionDenied.String()) {
		t.Errorf("got %v", err)
	}
	e.Managers = nil
	if err := e.Persist(t.Context(), zerolog.Nop()); err == nil {
		t.Error("no manager at all is no error")
	}
}

func TestATokenOfAnotherClusterIsToldAtOnce(t *testing.T) {
	address, token := newManager(t)
	token.Authority[0]++
	e := wire.Enrollment{Managers: []string{address}, Token: token, Node: "n1",
		Path: filepath.Join(t.TempDir(), "node.pem")}
	if err := e.Persist(t.Context(), zerolog.Nop()); !errors.Is(err, join.ErrOtherCluster) ||
		!strings.Contains(err.Error(), "aliquot node invite") {
		t.Errorf("got %v", err)
	}
}

func TestTryingToJoinEndsWithItsContext(t *testing.T) {
	_, token := newManager(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	e := wire.Enrollment{Managers: []string{"gone:1"}, Token: token, Node: "n1",
		Path: filepath.Join(t.TempDir(), "node.pem"), Dial: dialler(1 << 30)}
	if err := e.Persist(ctx, zerolog.Nop()); !errors.Is(err, context.DeadlineExceeded) &&
		status.Code(err) != codes.DeadlineExceeded && status.Code(err) != codes.Unavailable {
		t.Errorf("got %v", err)
	}
}
