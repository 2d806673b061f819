package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

const (
	enrollTime  = 10 * time.Second // for one manager
	renewalBeat = time.Minute      // between looks at the certificate
)

// Enrollment makes a machine a node of the token's cluster.
type Enrollment struct {
	Managers []string // host:port of their links
	Token    join.Token
	Node     string
	Path     string                                                      // file for the credentials
	Dial     func(ctx context.Context, address string) (net.Conn, error) // nil: TCP
}

func (e Enrollment) present(ctx context.Context, request *join.Request) error {
	if e.Dial == nil {
		e.Dial = dialTCP
	}
	return inTurn(e.Managers, func(address string) error {
		if err := e.with(ctx, address, request); err != nil {
			return fmt.Errorf("enroll with %s: %w", address, err)
		}
		return nil
	})
}

// Persist presents the token to the managers in turn, obtains a certificate for this name only, and writes the
// credentials to the file. While no manager can be reached, for example while a cluster boots, it tries again with
// back-off. It ends when ctx does, or with an error that another try would not change, such as an invalid token or one
// of another cluster (join.ErrOtherCluster), which is not shown to these managers. Each new reason is logged once. All
// tries make the same request: if an answer was lost, the managers give it again.
func (e Enrollment) Persist(ctx context.Context, log zerolog.Logger) error {
	request, err := join.NewRequest(e.Node)
	if err != nil {
		return err
	}
	for pause, told := firstPause, ""; ; pause = min(2*pause, lastPause) {
		err := e.present(ctx, request)
		if err == nil || ctx.Err() != nil || !passing(err) {
			return err
		}
		if told != err.Error() {
			told = err.Error()
			log.Warn().Err(err).Msg("the node has not joined yet; trying again")
		}
		if err := rest(ctx, pause/2+rand.N(pause)); err != nil {
			return err
		}
	}
}

// passing reports whether all managers that were tried are merely unreachable.
func passing(err error) bool {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(all.Unwrap(), func(err error) bool { return !passing(err) })
	}
	code := status.Code(err)
	return code == codes.Unavailable || code == codes.DeadlineExceeded
}

func (e Enrollment) with(ctx context.Context, address string, request *join.Request) error {
	ctx, cancel := context.WithTimeout(ctx, enrollTime)
	defer cancel()
	settings := e.Token.TLS()
	verify, foreign := settings.VerifyConnection, atomic.Bool{}
	settings.VerifyConnection = func(s tls.ConnectionState) error {
		err := verify(s)
		foreign.Store(errors.Is(err, join.ErrOtherCluster))
		return err
	}
	conn, err := connect(address, settings, e.Dial)
	if err != nil {
		return err
	}
	defer conn.Close()
	answer, err := wirepb.NewManagerClient(conn).Enroll(ctx, &wirepb.EnrollRequest{Secret: e.Token.Secret, Node: e.Node,
		Csr: request.CSR})
	if err != nil && foreign.Load() { // of errors of a handshake gRPC passes on the text only
		return join.ErrOtherCluster
	}
	if err != nil {
		return err
	}
	credentials, err := request.Complete(answer.GetCertificate(), answer.GetAuthority())
	if err != nil {
		return err
	}
	return credentials.Save(e.Path)
}

// inTurn tries the managers until one succeeds. Otherwise it returns the errors of all.
func inTurn(managers []string, try func(address string) error) error {
	var all error
	for _, address := range managers {
		err := try(address)
		if err == nil {
			return nil
		}
		all = errors.Join(all, err)
	}
	if all == nil {
		all = errors.New("no manager address is given")
	}
	return all
}

// keepCertified renews the certificate when it is due, until the context ends.
func (c *Client) keepCertified(ctx context.Context) {
	tick := time.NewTicker(renewalBeat)
	defer tick.Stop()
	for {
		if err := c.renewIfDue(ctx); err != nil && ctx.Err() == nil {
			c.options.Log.Warn().Err(err).Msg("the node's certificate is not renewed yet; trying again")
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (c *Client) renewIfDue(ctx context.Context) error {
	old := c.identity()
	if !old.Due(time.Now()) {
		return nil
	}
	request, err := join.NewRequest(old.Node)
	if err != nil {
		return err
	}
	return inTurn(c.options.Managers, func(address string) error { return c.renew(ctx, address, request) })
}

func (c *Client) renew(ctx context.Context, address string, request *join.Request) error {
	ctx, cancel := context.WithTimeout(ctx, enrollTime)
	defer cancel()
	conn, err := c.connect(address)
	if err != nil {
		return err
	}
	defer conn.Close()
	answer, err := wirepb.NewManagerClient(conn).Renew(ctx, &wirepb.RenewRequest{Csr: request.CSR})
	if err != nil {
		return fmt.Errorf("renew the certificate with %s: %w", address, err)
	}
	fresh, err := request.Complete(answer.GetCertificate(), answer.GetAuthority())
	if err != nil {
		return fmt.Errorf("renew the certificate with %s: %w", address, err)
	}
	if err := fresh.Save(c.options.Credentials); err != nil {
		return err
	}
	c.mu.Lock()
	c.credentials = fresh
	c.mu.Unlock()
	c.options.Log.Info().Time("until", fresh.Expires()).Msg("certificate renewed")
	return nil
}
