package link

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"aliquot/wire/wirepb"
)

func TestAStrangerWhoSaysNothingIsDisconnected(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		node := w.as("n1")
		idle, err := w.dial(t.Context(), "m1")
		if err != nil {
			t.Fatal(err)
		}
		defer idle.Close()
		renewed := make(chan error, 1)
		go func() {
			time.Sleep(2 * strangers.Life) // in the bubble's time
			_, err := node.Renew(t.Context(), &wirepb.RenewRequest{})
			renewed <- err
		}()
		began := time.Now()
		if _, err := io.ReadAll(idle); err != nil || time.Since(began) > strangers.Life {
			t.Errorf("it ended after %v: %v", time.Since(began), err)
		}
		if err := <-renewed; status.Code(err) != codes.InvalidArgument {
			t.Errorf("a node with a certificate: %v", err)
		}
	})
}

func TestAStrangerSendsNoMoreThanJoiningTakes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.manager("m1")
		token := w.ca.NewToken()
		stranger := w.raw(credentials.NewTLS(token.TLS()))
		_, err := stranger.Enroll(t.Context(), &wirepb.EnrollRequest{Node: "n1", Csr: make([]byte, strangers.Bytes)})
		if status.Code(err) != codes.Unavailable {
			t.Errorf("a large request: %v", err)
		}
	})
}

func TestRefusalsFillNoLog(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		var log bytes.Buffer
		h.refused = refusals(zerolog.New(&log))
		token := w.ca.NewToken()
		stranger := w.raw(credentials.NewTLS(token.TLS()))
		for range 100 {
			if _, err := stranger.Enroll(t.Context(), &wirepb.EnrollRequest{Node: "n1", Secret: "wrong"}); status.Code(
				err) != codes.PermissionDenied {
				t.Fatal(err)
			}
		}
		if _, err := stranger.Enroll(t.Context(), &wirepb.EnrollRequest{Node: strings.Repeat("x", 10_000)}); status.Code(
			err) != codes.InvalidArgument {
			t.Errorf("a name that is none: %v", err)
		}
		synctest.Wait()
		if lines := strings.Count(log.String(), "\n"); lines == 0 || lines > 10 {
			t.Errorf("%d lines", lines)
		}
	})
}
