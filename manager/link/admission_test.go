package link

import (
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
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
