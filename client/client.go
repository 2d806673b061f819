package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Options configure a client.
type Options struct {
	Managers []string      // base URLs, or unix:// and the path of a socket; plain http is for loopback only
	Token    string        // secret; "" for health and version only
	CA       []byte        // PEM of the authority that signed the managers' certificates; nil: the system's
	Patience time.Duration // time to wait for a leader; 0: 15 s

	// Lost is called with the cause when an outage of all managers begins for something that waits or follows: Events,
	// Wait, AwaitDrained, FollowLog and FollowAudit. They go on when a manager answers again. nil: they end with the
	// error.
	Lost func(error)
}

// Client asks one of several managers. It may be used concurrently.
type Client struct {
	managers []string
	token    string
	patience time.Duration
	http     *http.Client
	first    atomic.Int32 // index of the manager to ask first
	lost     func(error)
	answered atomic.Bool // a manager has answered
	outage   atomic.Bool // it was reported to lost
}

// New returns a client. It fails if an address is not usable; it does not connect.
func New(o Options) (*Client, error) {
	if len(o.Managers) == 0 {
		return nil, errors.New("no manager is given: name at least one, like http://127.0.0.1:7420")
	}
	c := &Client{token: o.Token, patience: o.Patience, lost: o.Lost}
	if c.patience == 0 {
		c.patience = 15 * time.Second
	}
	for _, address := range o.Managers {
		base, err := baseURL(address, o.Token != "")
		if err != nil {
			return nil, err
		}
		c.managers = append(c.managers, base)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = time.Minute
	reachSockets(transport)
	if o.CA != nil {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(o.CA) {
			return nil, errors.New("the certificate authority's file holds no certificate in PEM")
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: noRedirect}
	return c, nil
}

// noRedirect keeps the token from going elsewhere.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// baseURL checks an address; a secret does not travel unencrypted to another machine.
func baseURL(address string, secret bool) (string, error) {
	if strings.HasPrefix(address, socketScheme+"/") {
		return address, nil
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
		return "", fmt.Errorf("%q is not the address of a manager: write one like http://127.0.0.1:7420", address)
	}
	if u.Scheme == "http" && secret && !loopback(u.Hostname()) {
		return "", fmt.Errorf("%s would send the token unencrypted: use https", address)
	}
	return u.Scheme + "://" + u.Host, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Manager returns the address of the manager that answered last, or of the first one.
func (c *Client) Manager() string { return c.managers[c.first.Load()] }

// order lists the managers, the one that answered last first.
func (c *Client) order() []string {
	first := int(c.first.Load())
	return append(slices.Clone(c.managers[first:]), c.managers[:first]...)
}

// prefer moves the manager to the front of the order, or the leader that its answer named.
func (c *Client) prefer(manager string, header http.Header) {
	if i := slices.Index(c.managers, header.Get("Aliquot-Leader")); i >= 0 {
		c.first.Store(int32(i))
	} else if i := slices.Index(c.managers, manager); i >= 0 {
		c.first.Store(int32(i))
	}
}
