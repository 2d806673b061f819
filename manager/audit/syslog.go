package audit

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rs/zerolog"

	"aliquot/web"
)

// Limits of the export.
const (
	queued      = 1000 // messages that wait for the receiver
	sendTime    = 5 * time.Second
	leastPause  = time.Second
	longestWait = 30 * time.Second
)

// Syslog sends entries to a receiver of syslog in the form of RFC 5424: as datagrams over UDP or a local socket, or
// over TCP or TLS with the lengths of RFC 6587. A receiver that is slow or away costs messages, which are
// counted, and never delays a request.
type Syslog struct {
	to      *url.URL
	host    string
	queue   chan []byte
	dropped atomic.Uint64
	log     zerolog.Logger
}

// NewSyslog returns the export to an address such as udp://10.0.0.9:514 or unix:///dev/log; nil for "none".
func NewSyslog(address string, log zerolog.Logger) (*Syslog, error) {
	if address == "none" {
		return nil, nil
	}
	to, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read the address of syslog: %w", err)
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "-"
	}
	return &Syslog{to: to, host: host, queue: make(chan []byte, queued), log: log}, nil
}

// Send queues the entry. It never waits.
func (s *Syslog) Send(e *web.AuditEntry) {
	if s == nil {
		return
	}
	select {
	case s.queue <- s.message(e):
	default:
		s.dropped.Add(1)
	}
}

// Dropped returns the number of entries that were not sent.
func (s *Syslog) Dropped() uint64 {
	if s == nil {
		return 0
	}
	return s.dropped.Load()
}

// Run sends queued entries until ctx ends.
func (s *Syslog) Run(ctx context.Context) {
	if s == nil {
		<-ctx.Done()
		return
	}
	var to net.Conn
	defer func() {
		if to != nil {
			to.Close()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case message := <-s.queue:
			to = s.deliver(ctx, to, message)
		}
	}
}

// deliver sends the message over the connection, or over new ones until it succeeds or ctx ends. It returns the
// connection that works.
func (s *Syslog) deliver(ctx context.Context, to net.Conn, message []byte) net.Conn {
	for pause := leastPause; ; pause = min(2*pause, longestWait) {
		var err error
		if to == nil {
			to, err = s.dial(ctx)
		}
		if err == nil {
			_ = to.SetWriteDeadline(time.Now().Add(sendTime)) // a write fails if the connection is broken
			if _, err = to.Write(message); err == nil {
				return to
			}
			to.Close()
		}
		to = nil
		if pause == leastPause {
			s.log.Warn().Err(err).Str("to", s.to.Redacted()).Msg("cannot export the audit log; trying again, entries wait")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

func (s *Syslog) dial(ctx context.Context) (net.Conn, error) {
	d := &net.Dialer{Timeout: sendTime}
	switch s.to.Scheme {
	case "unix":
		return d.DialContext(ctx, "unixgram", s.to.Path)
	case "tls":
		ctx, cancel := context.WithTimeout(ctx, sendTime)
		defer cancel()
		secure := &tls.Dialer{NetDialer: d, Config: &tls.Config{MinVersion: tls.VersionTLS12}}
		return secure.DialContext(ctx, "tcp", s.to.Host)
	}
	return d.DialContext(ctx, s.to.Scheme, s.to.Host)
}

// Priorities of RFC 5424: facility 13 (log audit) with the severities informational and notice.
const (
	informational = 13*8 + 6
	notice        = 13*8 + 5
)

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `]`, `\]`)

// message returns the entry in the form of RFC 5424, with its fields as structured data.
func (s *Syslog) message(e *web.AuditEntry) []byte {
	priority := informational
	if e.Outcome() != web.Accepted {
		priority = notice
	}
	var m strings.Builder
	fmt.Fprintf(&m, "<%d>1 %s %s aliquotd %d audit [aliquot@32473", priority,
		e.At.Format("2006-01-02T15:04:05.000000Z07:00"), s.host, os.Getpid())
	for _, field := range [][2]string{
		{"number", strconv.FormatUint(e.Number, 10)}, {"actor", e.Actor}, {"token", e.Token}, {"role", e.Role},
		{"session", e.Session}, {"from", e.From}, {"operation", e.Operation}, {"object", e.Object},
		{"outcome", e.Outcome()}, {"status", strconv.Itoa(e.Status)}, {"code", e.Code},
		{"count", strconv.Itoa(max(1, e.Count))},
	} {
		if field[1] != "" {
			fmt.Fprintf(&m, ` %s="%s"`, field[0], escaped.Replace(plain(field[1])))
		}
	}
	m.WriteString("] " + plain(strings.Join([]string{e.Operation, e.Object, e.Outcome()}, " ")))
	if s.to.Scheme == "tcp" || s.to.Scheme == "tls" {
		return []byte(strconv.Itoa(m.Len()) + " " + m.String())
	}
	return []byte(m.String())
}

// plain replaces control characters, which could end a message early, and what is not UTF-8.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}
