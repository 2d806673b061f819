package audit

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/web"
)

// export starts the export to an address and ends it with the test.
func export(t *testing.T, address string) *Syslog {
	t.Helper()
	s, err := NewSyslog(address, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return s
}

func numbered(e web.AuditEntry, n uint64) *web.AuditEntry {
	e.Number, e.At = n, start
	return &e
}

// datagrams listens and returns the address and a function that receives the next datagram.
func datagrams(t *testing.T, network, address string) (net.Addr, func() string) {
	t.Helper()
	l, err := net.ListenPacket(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.LocalAddr(), func() string {
		t.Helper()
		if err := l.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 64<<10)
		n, _, err := l.ReadFrom(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
}

func TestEntriesAreMessagesOfRFC5424(t *testing.T) {
	at, next := datagrams(t, "udp", "127.0.0.1:0")
	s := export(t, "udp://"+at.String())
	s.Send(numbered(change("alice", "j1"), 7))
	form := regexp.MustCompile(`^<110>1 2026-01-01T12:00:00\.000000Z \S+ aliquotd \d+ audit \[aliquot@32473 (.*)\] (.*)$`)
	found := form.FindStringSubmatch(next())
	want := `number="7" actor="alice" token="t-alice" role="user" from="10.0.0.7" operation="cancel-job" object="j1" ` +
		`outcome="accepted" status="200" count="1"`
	if found == nil || found[1] != want || found[2] != "cancel-job j1 accepted" {
		t.Errorf("%q", found)
	}
	s.Send(numbered(refusal("", "10.0.0.7"), 8))
	if m := next(); !strings.HasPrefix(m, "<109>1 ") || !strings.Contains(m, `code="unauthorized"`) {
		t.Errorf("a refusal: %s", m)
	}
}

func TestHostileTextForgesNoFieldOrMessage(t *testing.T) {
	at, next := datagrams(t, "udp", "127.0.0.1:0")
	s := export(t, "udp://"+at.String())
	e := change("mal\"lory", "j1] evil\n<110>1 forged\u009b\xff \\")
	s.Send(numbered(e, 1))
	m := next()
	if strings.ContainsAny(m, "\n\x00") || !strings.Contains(m, `actor="mal\"lory"`) ||
		!strings.Contains(m, `object="j1\] evil?<110>1 forged?? \\"`) {
		t.Errorf("%q", m)
	}
}

func TestALocalSocketReceivesDatagrams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	_, next := datagrams(t, "unixgram", path)
	export(t, "unix://"+path).Send(numbered(change("alice", "j1"), 1))
	if m := next(); !strings.HasSuffix(m, "] cancel-job j1 accepted") {
		t.Errorf("%q", m)
	}
}

// receive reads count messages with the lengths of RFC 6587.
func receive(t *testing.T, from net.Conn, count int) (messages []string) {
	t.Helper()
	if err := from.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for in := bufio.NewReader(from); len(messages) < count; {
		length, err := in.ReadString(' ')
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(length))
		if err != nil {
			t.Fatal(err)
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(in, text); err != nil {
			t.Fatal(err)
		}
		messages = append(messages, string(text))
	}
	return messages
}

func TestABrokenConnectionIsMadeAnew(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := export(t, "tcp://"+l.Addr().String())
	send := func(n uint64) { s.Send(numbered(change("alice", fmt.Sprint("j", n)), n)) }
	send(1)
	send(2)
	first, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if m := receive(t, first, 2); !strings.Contains(m[1], `number="2"`) {
		t.Errorf("%q", m)
	}
	first.Close()
	accepted := make(chan net.Conn)
	go func() {
		c, _ := l.Accept()
		accepted <- c
	}()
	for n := uint64(3); ; n++ { // the first write after the end may still succeed
		send(n)
		select {
		case second := <-accepted:
			defer second.Close()
			if m := receive(t, second, 1); !strings.Contains(m[0], "cancel-job") {
				t.Errorf("%q", m)
			}
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func TestAReceiverThatIsNotTrustedGetsNothing(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a request arrived")
	}))
	defer server.Close()
	s, err := NewSyslog("tls://"+strings.TrimPrefix(server.URL, "https://"), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := s.dial(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("connected: %v, %v", c, err)
	}
}

func TestAReceiverThatIsAwayCostsMessagesAndNoTime(t *testing.T) {
	s, err := NewSyslog("unix:///nowhere/log", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(queued + 5) {
		s.Send(numbered(change("alice", "j1"), n+1))
	}
	if s.Dropped() != 5 {
		t.Errorf("%d dropped", s.Dropped())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Run(ctx) // it ends although nothing can be sent
}

func TestWithoutAReceiverNothingIsExported(t *testing.T) {
	s, err := NewSyslog("none", zerolog.Nop())
	if s != nil || err != nil {
		t.Fatal(s, err)
	}
	s.Send(numbered(change("alice", "j1"), 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Run(ctx)
	if s.Dropped() != 0 {
		t.Error("something was dropped")
	}
}
