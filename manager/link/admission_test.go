package link

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

func TestAWithdrawnCertificateIsRefusedAtOnceEverywhere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		path := w.enroll("n1")
		c := w.client(path, "m1")
		s := w.connect(c)
		<-s.Orders()
		i := pushed(t, l, "own")
		l.set(func(l *leader) { l.barred["n1"] = true })
		h.Push(s.Node())
		if _, open := <-s.Orders(); open {
			t.Error("the link goes on")
		}
		if _, err := c.Connect(t.Context(), func() cluster.Join { return cluster.Join{Name: "n1"} }); status.Code(
			err) != codes.PermissionDenied {
			t.Errorf("connect: %v", err)
		}
		if err := c.Ensure(t.Context(), i.Digest); err == nil || !strings.Contains(err.Error(), "withdrawn") {
			t.Errorf("fetch an image: %v", err)
		}
		request, err := join.NewRequest("n1")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.as("n1").Renew(t.Context(), &wirepb.RenewRequest{Csr: request.CSR}); status.Code(
			err) != codes.PermissionDenied {
			t.Errorf("renew: %v", err)
		}
	})
}

// deaf is a connection on which every call fails.
type deaf struct {
	wire.Connection
	code codes.Code
}

func (d deaf) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, status.Error(d.code, "refused")
}

func (deaf) Close() error { return nil }

func TestOnlyAWithdrawnOrExpiredCertificateIsReplaced(t *testing.T) {
	const remedy = "invite it again"
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		path := w.enroll("n1")
		var refusals []error
		o := wire.Options{Managers: []string{"m1"}, Credentials: path, Dial: w.dial, Log: zerolog.Nop(), Remedy: remedy,
			Rejoin: func(ctx context.Context, refusal error) error {
				refusals = append(refusals, refusal)
				return wire.Enrollment{Managers: []string{"m1"}, Token: w.invite("m1", "n1"), Node: "n1", Path: path,
					Dial: w.dial}.Persist(ctx, zerolog.Nop())
			}}
		connect := func() error {
			c, err := wire.NewClient(o)
			if err != nil {
				return err
			}
			s, err := c.Connect(t.Context(), func() cluster.Join { return cluster.Join{Name: "n1"} })
			if err == nil {
				s.Close()
			}
			return err
		}
		l.set(func(l *leader) { l.barred["n1"] = true })
		if err := connect(); len(refusals) != 1 || status.Code(refusals[0]) != codes.PermissionDenied ||
			!strings.Contains(err.Error(), "withdrawn") || !strings.Contains(err.Error(), remedy) {
			t.Errorf("withdrawn, and again: %v, after %v", err, refusals)
		}
		l.set(func(l *leader) { l.barred["n1"] = false })
		time.Sleep(91 * 24 * time.Hour)
		if err := connect(); err != nil || len(refusals) != 2 || !errors.Is(refusals[1], wire.ErrExpired) {
			t.Errorf("expired: %v, after %v", err, refusals)
		}
		o.Open = func(string) (wire.Connection, error) { return deaf{code: codes.Unauthenticated}, nil }
		if err := connect(); len(refusals) != 2 || !strings.Contains(err.Error(), remedy) {
			t.Errorf("refused for another reason: %v, after %v", err, refusals)
		}
	})
}

func TestAMachineKeepsTryingWhileItsNameIsConnected(t *testing.T) {
	for refusal, want := range map[error]codes.Code{
		&cluster.Rejection{Code: cluster.CodeConflict}:  codes.Unavailable,
		&cluster.Rejection{Code: cluster.CodeForbidden}: codes.PermissionDenied,
		errors.New("no manager leads"):                  codes.Unavailable,
	} {
		if got := refusalCode(refusal); got != want {
			t.Errorf("%v: %v, want %v", refusal, got, want)
		}
	}
}
