package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire/join"
)

// Limits of the search for the leader.
const (
	firstPause = 100 * time.Millisecond // after a round of all managers without success; doubled each time
	lastPause  = 5 * time.Second
	maxHops    = 3 // redirects in a row, so that two managers cannot send a node in circles
)

// Options configure a client.
type Options struct {
	Managers    []string                                                    // host:port of their links, at least one
	Credentials string                                                      // file that Enroll wrote; renewed in place
	Images      string                                                      // folder for the node's own copies of images
	Shared      string                                                      // the same, seen by all nodes; "": none
	Boottime    func() time.Duration                                        // nil: CLOCK_BOOTTIME
	Dial        func(ctx context.Context, address string) (net.Conn, error) // nil: TCP
	Open        func(address string) (Connection, error)                    // nil: gRPC over TLS and Dial
	Rejoin      func(ctx context.Context, refusal error) error              // enrolls anew, into the same file; nil: never
	Remedy      string                                                      // of a refused node, for people; "": none
	Jitter      func(most time.Duration) time.Duration                      // of pauses; nil: random
	Log         zerolog.Logger
}

// Connection is a connection to one manager.
type Connection interface {
	grpc.ClientConnInterface
	Close() error
}

// Client finds the leader and fetches images for one node. Its methods may be called concurrently.
type Client struct {
	options  Options
	fetching chan struct{} // holds a token during a fetch

	mu          sync.Mutex
	credentials *join.Credentials
	search      search
	leader      string // address of the last leader
	carry       Carry  // nil: the node has no streams into VMs
}

// NewClient returns a client of a node that has enrolled.
func NewClient(o Options) (*Client, error) {
	if len(o.Managers) == 0 {
		return nil, errors.New("no manager address is given")
	}
	credentials, err := join.Load(o.Credentials)
	if err != nil {
		return nil, err
	}
	if o.Boottime == nil {
		o.Boottime = Boottime
	}
	if o.Dial == nil {
		o.Dial = dialTCP
	}
	if o.Jitter == nil {
		o.Jitter = rand.N[time.Duration]
	}
	return &Client{
		options: o, fetching: make(chan struct{}, 1), credentials: credentials,
		search: search{managers: o.Managers, pause: firstPause, jitter: o.Jitter},
	}, nil
}

// Node returns the name in the node's certificate.
func (c *Client) Node() string { return c.identity().Node }

func (c *Client) identity() *join.Credentials {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.credentials
}

// Connect finds the leader, joins with the result of describe, and returns the session. It follows
// redirects and tries all managers, with back-off, until it succeeds or ctx ends. If the certificate was withdrawn or
// has expired, the node enrolls anew, once. Any other error is permanent, and names the remedy.
func (c *Client) Connect(ctx context.Context, describe func() cluster.Join) (*Session, error) {
	s, err := c.seek(ctx, describe)
	if ctx.Err() == nil && c.options.Rejoin != nil && (withdrawn(err) || errors.Is(err, ErrExpired)) {
		if err = c.rejoin(ctx, err); err == nil {
			s, err = c.seek(ctx, describe)
		}
	}
	if err != nil && ctx.Err() == nil && c.options.Remedy != "" {
		return nil, fmt.Errorf("%w; %s", err, c.options.Remedy)
	}
	return s, err
}

// rejoin replaces credentials that were withdrawn or have expired.
func (c *Client) rejoin(ctx context.Context, refusal error) error {
	if err := c.options.Rejoin(ctx, refusal); err != nil {
		return fmt.Errorf("%w; %w", refusal, err)
	}
	fresh, err := join.Load(c.options.Credentials)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.credentials = fresh
	return nil
}

// seek is Connect with the present credentials.
func (c *Client) seek(ctx context.Context, describe func() cluster.Join) (*Session, error) {
	for {
		address, pause := c.next()
		if err := rest(ctx, pause); err != nil {
			return nil, err
		}
		if until := c.identity().Expires(); time.Now().After(until) {
			return nil, fmt.Errorf("%w at %v", ErrExpired, until.Format(time.DateTime))
		}
		s, err := c.open(ctx, address, describe())
		if err == nil {
			return s, nil
		}
		if refused(err) || ctx.Err() != nil {
			return nil, err
		}
		c.options.Log.Debug().Str("manager", address).Err(err).Msg("cannot link to this manager; trying the next")
		c.learn(address, false, err)
	}
}

// ErrExpired is the refusal of a certificate whose time is over, by this machine's clock.
var ErrExpired = errors.New("the node's certificate expired")

// withdrawn reports whether a manager has withdrawn the node's certificate, which alone has this code here.
func withdrawn(err error) bool { return status.Code(err) == codes.PermissionDenied }

// refused reports whether no manager will ever accept this node as it is.
func refused(err error) bool {
	return withdrawn(err) || status.Code(err) == codes.Unauthenticated
}

func (c *Client) next() (string, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.search.next()
}

func (c *Client) learn(address string, welcomed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if welcomed {
		c.leader = address
	}
	c.search.learn(welcomed, err)
}

// search decides which manager to try next, and how long to wait before.
type search struct {
	managers []string
	tried    int    // managers, since the search began
	hint     string // address given by a redirect
	hops     int    // redirects followed in a row
	pause    time.Duration
	due      bool // a pause before the next try
	jitter   func(most time.Duration) time.Duration
}

func (s *search) next() (address string, pause time.Duration) {
	if s.hint != "" {
		return s.hint, 0
	}
	if s.due {
		pause = s.pause/2 + s.jitter(s.pause)
		s.pause, s.due = min(2*s.pause, lastPause), false
	}
	return s.managers[s.tried%len(s.managers)], pause
}

// learn records the outcome of a try: a welcome, an error, or the end of a link.
func (s *search) learn(welcomed bool, err error) {
	if welcomed {
		s.hops, s.pause = 0, firstPause
	}
	if elsewhere, ok := errors.AsType[*redirected](err); ok && elsewhere.leader != "" && s.hops < maxHops {
		s.hint, s.hops = elsewhere.leader, s.hops+1
		return
	}
	if err == nil {
		return
	}
	s.hint, s.hops = "", 0
	s.tried++
	s.due = welcomed || s.tried%len(s.managers) == 0
}

func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// redirected means that the replica does not lead.
type redirected struct{ leader string }

func (r *redirected) Error() string {
	if r.leader == "" {
		return "this manager does not lead and knows no leader"
	}
	return fmt.Sprintf("this manager does not lead; %s does", r.leader)
}

func dialTCP(ctx context.Context, address string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "tcp", address)
}
