package store

import (
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/lni/dragonboat/v4/raftio"
	"github.com/lni/dragonboat/v4/raftpb"

	"aliquot/cluster"
)

// forgery returns a frame that proposes entries to the store's replica, as an attacker who knows the protocol would
// write it.
func forgery(s *Store, entries ...raftpb.Entry) []byte {
	return batch(s, raftpb.Message{Type: raftpb.Propose, To: s.cfg.Replica, From: 9, ShardID: shard, Entries: entries})
}

func batch(s *Store, messages ...raftpb.Message) []byte {
	payload := raftpb.MustMarshal(&raftpb.MessageBatch{
		DeploymentId: s.cfg.Deployment(), BinVer: raftio.TransportBinVersion, Requests: messages,
	})
	return append(appendFrame(nil, kindMessages, payload, false), payload...)
}

// proposal returns an entry with a command that the state would accept.
func proposal(session, series uint64) raftpb.Entry {
	command := cluster.EncodeCommand(cluster.Command{At: 1, Actor: root, Request: "forged",
		Action: cluster.PutToken{Token: cluster.Token{
			ID: "forged", Name: "forged", Hash: sha256.Sum256(nil), Actor: cluster.Actor{Name: "f", Owner: "f", Project: "p",
				Role: cluster.Admin},
		}}})
	return raftpb.Entry{Type: raftpb.EncodedEntry, Key: 7, ClientID: session, SeriesID: series,
		Cmd: append([]byte{0}, command...)}
}

// deliver sends bytes to the store's port, and returns once the store has read them and closed the connection.
func deliver(t *testing.T, s *Store, frame []byte) {
	t.Helper()
	c, err := net.Dial("tcp", s.cfg.Members[s.cfg.Replica].Address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write(append(frame, frameEnd[:]...)); err != nil {
		t.Fatal(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil && !errors.Is(err, syscall.ENOTCONN) { // dropped already
		t.Fatal(err)
	}
	c.SetReadDeadline(time.Now().Add(patience))
	if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal("the store keeps the connection")
	}
}

func secured(t *testing.T) (Config, *authority) {
	ca := newAuthority(t)
	cfg := aloneIn(t.TempDir())
	cfg.TLS = ca.issue(t)
	return cfg, ca
}

func TestAStrangerProposesNothing(t *testing.T) {
	cfg, _ := secured(t)
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	propose(t, s, putToken("ours"))
	deliver(t, s, forgery(s, proposal(12345, 0)))
	propose(t, s, putToken("ours too"))
	if got := tokens(read(t, s)); got["forged"] || !got["ours too"] {
		t.Errorf("the tokens are %v", got)
	}
}

func TestACertificateOfAnotherAuthorityIsRefused(t *testing.T) {
	cfg, _ := secured(t)
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	alien := newAuthority(t).issue(t)
	for who, settings := range map[string]*tls.Config{
		"nobody": {InsecureSkipVerify: true}, "an alien": {InsecureSkipVerify: true, Certificates: alien.Certificates},
	} {
		c, err := tls.Dial("tcp", cfg.Members[1].Address, settings)
		if err != nil {
			continue
		}
		c.SetReadDeadline(time.Now().Add(patience))
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s was let in: %v", who, err)
		}
		c.Close()
	}
}

// Each of these frames would end the process, some of them also at every later start.
func TestHarmfulMessagesAreDropped(t *testing.T) {
	cfg := aloneIn(t.TempDir())
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Close() }()
	propose(t, s, putToken("ours"))
	compressed := proposal(12345, 0)
	compressed.Cmd[0] = 1
	long := proposal(12345, 0)
	long.Cmd = append(long.Cmd, make([]byte, cluster.MaxCommand)...)
	for name, frame := range map[string][]byte{
		"no client":              forgery(s, proposal(0, 0)),
		"an unknown session":     forgery(s, proposal(12345, 5)),
		"a session of its own":   forgery(s, proposal(12345, ^uint64(0)-1)),
		"a plain entry":          forgery(s, raftpb.Entry{Type: raftpb.ApplicationEntry, ClientID: 1, Cmd: []byte("x")}),
		"an encoding":            forgery(s, compressed),
		"a command too long":     forgery(s, long),
		"an empty command":       forgery(s, raftpb.Entry{Type: raftpb.EncodedEntry, ClientID: 1}),
		"metadata":               forgery(s, raftpb.Entry{Type: raftpb.MetadataEntry, ClientID: 1, Cmd: []byte{0, 1}}),
		"a change that is none":  forgery(s, raftpb.Entry{Type: raftpb.ConfigChangeEntry, Cmd: []byte{0xff}}),
		"a good one and a bad":   forgery(s, proposal(12345, 0), proposal(0, 0)),
		"a message for nobody":   batch(s, raftpb.Message{Type: raftpb.Heartbeat, From: 9, ShardID: shard}),
		"a snapshot out of band": batch(s, raftpb.Message{Type: raftpb.InstallSnapshot, To: 1, From: 9, ShardID: shard}),
		"no frame":               []byte("GET / HTTP/1.1\r\n\r\n"),
		"a frame without end":    {frameStart[0], frameStart[1], 0},
	} {
		deliver(t, s, frame)
		propose(t, s, putToken("after "+name))
	}
	s.Close()
	if s, err = Open(cfg); err != nil {
		t.Fatal(err)
	}
	if got := tokens(read(t, s)); got["forged"] || !got["ours"] || !got["after no frame"] {
		t.Errorf("after a restart the tokens are %v", got)
	}
}

func TestStrangersWhoStaySilentLoseTheirPlaces(t *testing.T) {
	cfg, ca := secured(t)
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	idle := make([]net.Conn, strangers.Total+1)
	for i := range idle {
		if idle[i], err = net.Dial("tcp", cfg.Members[1].Address); err != nil {
			t.Fatal(err)
		}
		defer idle[i].Close()
	}
	idle[0].SetReadDeadline(time.Now().Add(patience))
	if _, err := idle[0].Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the first of many silent connections: %v", err)
	}
	settings := ca.issue(t)
	settings.ServerName = "127.0.0.1"
	member, err := tls.Dial("tcp", cfg.Members[1].Address, settings)
	if err != nil {
		t.Fatalf("a member finds no place: %v", err)
	}
	defer member.Close()
	if _, err := member.Write(frameEnd[:]); err != nil {
		t.Fatal(err)
	}
	member.SetReadDeadline(time.Now().Add(patience))
	if _, err := io.ReadFull(member, make([]byte, len(frameEnd))); err != nil {
		t.Errorf("a member is not answered: %v", err)
	}
}
