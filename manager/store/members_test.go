package store

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lni/dragonboat/v4"
	"github.com/lni/vfs"

	"aliquot/internal/freeport"
)

// grown opens replica 1 alone, then adds replicas 2 and 3.
func grown(t *testing.T) *trio {
	t.Helper()
	c := &trio{T: t, network: &network{cut: map[string]bool{}, prefix: fmt.Sprintf("trio-%d", trios.Add(1))}}
	t.Cleanup(c.close)
	for id := range c.disks {
		c.disks[id], c.sinks[id] = vfs.NewMem(), new(sink)
	}
	cfg := c.config(1)
	cfg.Members = map[uint64]Member{1: c.member(1)}
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.stores[1] = s
	propose(t, s, putToken("early"))
	return c
}

func (c *trio) join(id uint64) {
	c.Helper()
	if err := c.stores[1].AddReplica(bounded(c.T), id, c.member(id)); err != nil {
		c.Fatal(err)
	}
	cfg := c.config(id)
	cfg.Join = true
	s, err := Open(cfg)
	if err != nil {
		c.Fatal(err)
	}
	c.stores[id] = s
}

func TestACoupleOfMembersJoinOneThatWasAlone(t *testing.T) {
	c := grown(t)
	c.join(2)
	c.stores[2].Locate(c.member(3))
	c.join(3)
	propose(t, c.stores[3], putToken("late"))
	c.agree(1, 2, 3)
	for _, want := range []string{"early", "late"} {
		if !tokens(read(t, c.stores[2]))[want] {
			t.Errorf("the new member lacks %q", want)
		}
	}
	if err := c.stores[1].AddReplica(bounded(t), 3, c.member(3)); err != nil {
		t.Errorf("adding a member again: %v", err)
	}
	if ids, err := c.stores[2].Replicas(bounded(t)); err != nil || !slices.Equal(ids, []uint64{1, 2, 3}) {
		t.Errorf("%v, %v", ids, err)
	}
	for id := 1; id <= 3; id++ {
		if ids := c.stores[id].Known(); !slices.Equal(ids, []uint64{1, 2, 3}) {
			t.Errorf("member %d knows %v", id, ids)
		}
	}
	c.stop(3)
	if err := c.stores[1].RemoveReplica(bounded(t), 3); err != nil {
		t.Fatal(err)
	}
	if err := c.stores[1].AddReplica(bounded(t), 3, c.member(3)); err == nil ||
		!strings.Contains(err.Error(), "cannot be reused") {
		t.Errorf("a removed id came back: %v", err)
	}
	if err := c.stores[1].AddReplica(bounded(t), 2, Member{"other", "x:1"}); err == nil ||
		!strings.Contains(err.Error(), "is another member") {
		t.Errorf("an id was given twice: %v", err)
	}
}

func TestALateMemberTakesASnapshotAndSaysSo(t *testing.T) {
	c := grown(t)
	for i := range 20 {
		propose(t, c.stores[1], putToken(fmt.Sprint("t", i)))
	}
	compact := dragonboat.SnapshotOption{OverrideCompactionOverhead: true, CompactionOverhead: 1}
	if _, err := c.stores[1].host.SyncRequestSnapshot(bounded(t), shard, compact); err != nil {
		t.Fatal(err)
	}
	c.join(2)
	if got := tokens(read(t, c.stores[2])); !got["t19"] {
		t.Errorf("the late member has %v", slices.Sorted(maps.Keys(got)))
	}
	events, skipped := c.sinks[2].seen()
	if last := c.stores[1].Latest().Revision; skipped == 0 || skipped > last || len(events) > 1 {
		t.Errorf("it was told to skip to revision %d of %d, and of %d events", skipped, last, len(events))
	}
	c.agree(1, 2)
}

func TestARestartedMemberIsFoundAtItsNewAddress(t *testing.T) {
	c := newTrio(t)
	propose(t, c.stores[1], putToken("before"))
	moved := c.leader()%3 + 1
	c.stop(moved)
	there := Member{c.member(moved).Name, c.network.prefix + "-elsewhere:1"}
	cfg := c.config(moved)
	cfg.Members[moved] = there
	for id := uint64(1); id <= 3; id++ {
		if id != moved {
			c.stores[id].Locate(there)
		}
	}
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.stores[moved] = s
	propose(t, c.stores[moved], putToken("after"))
	c.agree(1, 2, 3)
}

func TestOnlyMembersWithACertificateAreHeard(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	members := map[uint64]Member{1: {"m1", freeport.Take()}, 2: {"m2", freeport.Take()}, 3: {"m3", freeport.Take()}}
	open := func(id uint64, ca *authority) *Store {
		cfg := aloneIn(t.TempDir())
		cfg.Replica, cfg.Members, cfg.TLS = id, members, ca.issue(t)
		s, err := Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	first, second, stranger := open(1, ours), open(2, ours), open(3, theirs)
	propose(t, first, putToken("between us"))
	if !tokens(read(t, second))["between us"] {
		t.Error("members with certificates do not hear each other")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := stranger.Read(ctx); !errors.Is(err, ErrNoLeader) || len(tokens(stranger.Latest())) != 0 {
		t.Errorf("a member with a certificate of another authority was heard: %v", err)
	}
}

// authority issues certificates for loopback addresses.
type authority struct {
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	serial      int64
}

func newAuthority(t *testing.T) *authority {
	a := &authority{}
	a.key = newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "raft"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (a *authority) issue(t *testing.T) *tls.Config {
	key := newKey(t)
	a.serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1 + a.serial), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	members := x509.NewCertPool()
	members.AddCert(a.certificate)
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, RootCAs: members, ClientCAs: members,
		ClientAuth: tls.RequireAndVerifyClientCert,
	}
}
