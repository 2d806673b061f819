package unproven

import (
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

var errTooMuch = errors.New("more bytes came than a peer without a certificate may send")

// A Limit is how many unproven connections a port bears, and for how long.
type Limit struct {
	Total   int           // of all peers together
	PerHost int           // of one address; loopback, where many peers share one, has none. 0: no limit per address
	Life    time.Duration // until a connection that is still unproven is closed
	Bytes   int64         // that may come over one; then it is closed. 0: any number
}

// Connections are the unproven connections of one port. A new one beyond a limit closes the oldest, not itself: an
// honest peer proves itself within moments, and is rarely the oldest. All methods may be called at the same time.
type Connections struct {
	limit Limit

	mu      sync.Mutex
	waiting []*Conn // oldest first
}

// New returns a set without connections.
func New(l Limit) *Connections { return &Connections{limit: l} }

// Conn is a connection that counts as unproven until Proven or Close.
type Conn struct {
	net.Conn
	set    *Connections
	host   string
	end    *time.Timer
	proven atomic.Bool
	read   int64 // by the one goroutine that reads, while unproven
}

// Admit counts a connection that was just accepted.
func (s *Connections) Admit(c net.Conn) *Conn {
	made := &Conn{Conn: c, set: s, host: host(c.RemoteAddr())}
	for _, surplus := range s.add(made) {
		surplus.Close()
	}
	return made
}

// add counts c and returns the connections that must go for it, which do not count any more.
func (s *Connections) add(c *Conn) (surplus []*Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit.PerHost > 0 && c.host != "" {
		surplus = s.evict(surplus, s.limit.PerHost, func(o *Conn) bool { return o.host == c.host })
	}
	surplus = s.evict(surplus, s.limit.Total, func(*Conn) bool { return true })
	s.waiting = append(s.waiting, c)
	c.end = time.AfterFunc(s.limit.Life, func() { c.Close() })
	return surplus
}

// evict takes the oldest of a kind out if there are as many as allowed.
func (s *Connections) evict(surplus []*Conn, allowed int, kind func(*Conn) bool) []*Conn {
	count, oldest := 0, -1
	for i, c := range s.waiting {
		if kind(c) {
			if count++; oldest < 0 {
				oldest = i
			}
		}
	}
	if count < allowed {
		return surplus
	}
	surplus = append(surplus, s.waiting[oldest])
	s.waiting = slices.Delete(s.waiting, oldest, oldest+1)
	return surplus
}

// Read is that of the connection, as long as its bytes are within the limit.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.set.limit.Bytes > 0 && !c.proven.Load() {
		if c.read += int64(n); c.read > c.set.limit.Bytes {
			c.Close()
			return 0, errTooMuch
		}
	}
	return n, err
}

// Proven ends the counting: the peer has shown a certificate.
func (c *Conn) Proven() {
	c.proven.Store(true)
	c.set.mu.Lock()
	defer c.set.mu.Unlock()
	c.end.Stop()
	if i := slices.Index(c.set.waiting, c); i >= 0 {
		c.set.waiting = slices.Delete(c.set.waiting, i, i+1)
	}
}

// Close ends the connection.
func (c *Conn) Close() error {
	c.Proven()
	return c.Conn.Close()
}

// host returns the address without its port, or "" for one that many peers share.
func host(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return ""
	}
	return tcp.IP.String()
}
