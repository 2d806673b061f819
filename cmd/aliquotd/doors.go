package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"aliquot/config"
	"aliquot/web"
	"aliquot/web/console"
)

// restURL returns the URL of REST: plain HTTP on loopback, with TLS elsewhere.
func restURL(address string) string {
	if host, _, _ := net.SplitHostPort(address); !isLoopback(host) {
		return "https://" + address
	}
	return "http://" + address
}

// doors are the addresses of a manager. Local serves REST to this machine's root.
type doors struct{ links, rest, local, control net.Listener }

func openDoors(cfg *config.Manager) (*doors, error) {
	d := &doors{}
	var err error
	if d.links, err = net.Listen("tcp", cfg.Link); err != nil {
		return nil, fmt.Errorf("listen for monitors: %w", err)
	}
	if d.rest, err = net.Listen("tcp", cfg.REST); err != nil {
		d.close()
		return nil, fmt.Errorf("listen for REST: %w", err)
	}
	if d.control, err = listenSocket(cfg.Data, controlSocket); err == nil {
		d.local, err = listenSocket(cfg.Data, restSocket)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *doors) close() {
	for _, l := range []net.Listener{d.links, d.rest, d.local, d.control} {
		if l != nil {
			l.Close()
		}
	}
}

// peers returns a client for direct requests to the other managers.
func peers(s *secrets) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy, transport.TLSClientConfig = nil, s.authority.PeerTLS()
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// askFormat returns a function that asks a manager for the highest format that it understands.
func askFormat(peers *http.Client) func(context.Context, string) (uint32, error) {
	return func(ctx context.Context, url string) (uint32, error) {
		health, err := web.AskHealth(ctx, peers, url)
		return health.LatestFormat, err
	}
}

// serveREST serves REST and the console: at the address, and to this machine's root on the socket.
func serveREST(ctx context.Context, d *doors, address string, m web.Manager, s *secrets, simulations web.Simulations,
	peers *http.Client, a *accounts, log zerolog.Logger) error {
	pages, err := console.Handler(console.Built())
	if err != nil {
		return fmt.Errorf("read the console's files: %w", err)
	}
	server := web.NewServer(address, web.NewHandler(web.Options{
		Manager: m, Version: version, Registry: prometheus.NewRegistry(), Log: log, Key: s.sessions, Console: pages,
		Simulations: simulations, Peers: peers, Audit: a.audit, Uses: a.uses,
		Invite: func() (string, [32]byte) {
			token := s.authority.NewToken()
			return token.String(), token.Hash()
		},
	}), log)
	if host, _, _ := net.SplitHostPort(address); !isLoopback(host) {
		server.TLSConfig = s.authority.ServerTLS(host)
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	})
	defer stop()
	group, encrypted := errgroup.Group{}, server.TLSConfig != nil
	group.Go(func() error { return answerOn(d.rest, server, encrypted) })
	group.Go(func() error { return answerOn(d.local, server, false) })
	if err := group.Wait(); err != nil {
		return err
	}
	<-stopped
	return ctx.Err()
}

// answerOn serves until the server is shut down. An error of one listener ends the service of all.
func answerOn(l net.Listener, server *http.Server, encrypted bool) error {
	serve := server.Serve
	if encrypted {
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	err := serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	server.Close()
	return fmt.Errorf("serve REST: %w", err)
}
