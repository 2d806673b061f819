package unproven

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// peer is one end of a connection that seems to come from an address.
type peer struct {
	net.Conn
	from net.Addr
}

func (p peer) RemoteAddr() net.Addr { return p.from }

// count returns how many connections are unproven.
func (s *Connections) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}

// arrive admits a connection from an address, and returns the stranger's end too.
func arrive(t *testing.T, s *Connections, ip string) (ours *Conn, theirs net.Conn) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	return s.Admit(peer{here, &net.TCPAddr{IP: net.ParseIP(ip), Port: 1}}), there
}

// ended reports whether the other end closed the connection; it waits for that if it must.
func ended(c net.Conn, wait bool) bool {
	if !wait {
		c.SetReadDeadline(time.Now())
	}
	_, err := c.Read(make([]byte, 1))
	return errors.Is(err, io.EOF)
}

func TestBeyondTheTotalTheOldestUnprovenConnectionGoes(t *testing.T) {
	s := New(Limit{Total: 2, Life: time.Hour})
	_, first := arrive(t, s, "10.0.0.1")
	member, second := arrive(t, s, "10.0.0.2")
	member.Proven()
	_, third := arrive(t, s, "10.0.0.3")
	_, fourth := arrive(t, s, "10.0.0.4")
	if !ended(first, true) {
		t.Error("the oldest goes on")
	}
	for name, c := range map[string]net.Conn{"a proven one": second, "the third": third, "the fourth": fourth} {
		if ended(c, false) {
			t.Errorf("%s was closed", name)
		}
	}
}

func TestAnAddressTakesNoPlacesOfOthers(t *testing.T) {
	s := New(Limit{Total: 100, PerHost: 1, Life: time.Hour})
	_, quiet := arrive(t, s, "10.0.0.1")
	_, flood := arrive(t, s, "10.0.0.2")
	arrive(t, s, "10.0.0.2")
	if !ended(flood, true) || ended(quiet, false) {
		t.Error("the limit of one address closed the wrong connection, or none")
	}
}

func TestLoopbackHasNoLimitPerAddress(t *testing.T) {
	s := New(Limit{Total: 100, PerHost: 1, Life: time.Hour})
	_, first := arrive(t, s, "127.0.0.1")
	arrive(t, s, "127.0.0.1")
	if ended(first, false) {
		t.Error("peers on loopback closed each other's connections")
	}
}

func TestAConnectionThatStaysUnprovenEnds(t *testing.T) {
	s := New(Limit{Total: 100, Life: time.Millisecond})
	_, idle := arrive(t, s, "10.0.0.1")
	if !ended(idle, true) {
		t.Error("it goes on")
	}
	if n := s.count(); n != 0 {
		t.Errorf("%d still count", n)
	}
}

func TestClosedConnectionsDoNotCount(t *testing.T) {
	s := New(Limit{Total: 1, Life: time.Hour})
	gone, _ := arrive(t, s, "10.0.0.1")
	gone.Close()
	_, first := arrive(t, s, "10.0.0.1")
	if n := s.count(); ended(first, false) || n != 1 {
		t.Errorf("%d count", n)
	}
}

func TestAPeerSendsLittleBeforeItIsProven(t *testing.T) {
	s := New(Limit{Total: 100, Life: time.Hour, Bytes: 10})
	for name, c := range map[string]struct {
		proven bool
		want   int
	}{"a stranger": {false, 10}, "a member": {true, 20}} {
		ours, theirs := arrive(t, s, "10.0.0.1")
		if c.proven {
			ours.Proven()
		}
		go theirs.Write(make([]byte, 20))
		got := 0
		for piece := make([]byte, 5); got < 20; got += len(piece) {
			if _, err := io.ReadFull(ours, piece); err != nil {
				break
			}
		}
		if got != c.want {
			t.Errorf("%s sent %d bytes", name, got)
		}
	}
}
