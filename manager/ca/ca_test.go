package ca

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"aliquot/wire/join"
)

func open(t *testing.T, dir string) *Authority {
	t.Helper()
	a, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func admit(t *testing.T, a *Authority, node string) *join.Credentials {
	t.Helper()
	request, err := join.NewRequest(node)
	if err != nil {
		t.Fatal(err)
	}
	der, err := a.Certify(join.Identity{Node: node, Admission: 7}, request.CSR)
	if err != nil {
		t.Fatal(err)
	}
	c, err := request.Complete(der, a.Certificate())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sockets returns two ends of a connection with buffers: unlike with net.Pipe, both may write at once.
func sockets(t *testing.T) (near, far net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if near, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	return near, far
}

// shake lets a server and a client with these settings complete a handshake, and returns the result of
// each.
func shake(t *testing.T, server, client *tls.Config) (seen *x509.Certificate, serverErr, clientErr error) {
	t.Helper()
	near, far := sockets(t)
	defer near.Close()
	defer far.Close()
	done := make(chan error, 1)
	s := tls.Server(far, server)
	go func() { done <- s.Handshake(); far.Close() }()
	c := tls.Client(near, client)
	if clientErr = c.Handshake(); clientErr == nil {
		_, _ = c.Read(make([]byte, 1)) // in TLS 1.3 the server decides after the client has finished
	} else {
		near.Close()
	}
	serverErr = <-done
	if chains := s.ConnectionState().VerifiedChains; serverErr == nil && len(chains) > 0 {
		seen = chains[0][0]
	}
	return seen, serverErr, clientErr
}

func TestFirstStartMakesWhatLaterStartsFind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", "ca")
	first := open(t, dir)
	again := open(t, dir)
	if string(first.Certificate()) != string(again.Certificate()) {
		t.Error("the second start has another CA")
	}
	for file, want := range map[string]os.FileMode{"ca.key": 0o600, "raft-ca.key": 0o600,
		"ca.crt": 0o644, "raft-ca.crt": 0o644} {
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want mode %04o", file, info, err, want)
		}
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v", info.Mode())
	}
}

func TestManagersThatStartTogetherAgreeOnOneAuthority(t *testing.T) {
	dir := t.TempDir()
	found := make([]*Authority, 8)
	var all sync.WaitGroup
	for i := range found {
		all.Go(func() { found[i], _ = Open(dir) })
	}
	all.Wait()
	for _, a := range found {
		if a == nil || string(a.Certificate()) != string(found[0].Certificate()) {
			t.Fatal("they do not agree")
		}
	}
}

func TestAnInterruptedFirstStartIsFinished(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	for _, file := range []string{"ca.crt", "raft-ca.crt", "raft-ca.key"} {
		if err := os.Remove(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
	}
	admit(t, open(t, dir), "n1")
}

func TestNodesAndManagersKnowEachOther(t *testing.T) {
	a := open(t, t.TempDir())
	node := admit(t, a, "n1")
	seen, serverErr, clientErr := shake(t, a.LinkTLS(), node.TLS())
	if serverErr != nil || clientErr != nil || seen == nil {
		t.Fatalf("server %v, client %v, seen %v", serverErr, clientErr, seen)
	}
	if i, err := join.IdentityOf(seen); i != (join.Identity{Node: "n1", Admission: 7}) || err != nil {
		t.Errorf("the manager sees %+v, %v", i, err)
	}
}

func TestStrangersAreTurnedAway(t *testing.T) {
	ours, theirs := open(t, t.TempDir()), open(t, t.TempDir())
	node, foreign := admit(t, ours, "n1"), admit(t, theirs, "n1")
	token, alien := ours.NewToken(), theirs.NewToken()
	impostor := node.TLS() // a node that poses as a manager
	raftLeaf, err := ours.raft.manager([]string{join.ManagerName}, x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth)
	if err != nil {
		t.Fatal(err)
	}
	raft := node.TLS()
	// Otherwise the client would see that the server does not accept its CA, and present no
	// certificate.
	raft.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return raftLeaf, nil }
	nodeChain := tls.Certificate{Certificate: append(node.TLS().Certificates[0].Certificate, ours.Certificate()),
		PrivateKey: node.TLS().Certificates[0].PrivateKey}
	for name, c := range map[string]struct {
		server, client *tls.Config
		fine           bool
	}{
		"a node of ours":                    {ours.LinkTLS(), node.TLS(), true},
		"a joining node with our token":     {ours.LinkTLS(), token.TLS(), true},
		"a node of another cluster":         {ours.LinkTLS(), foreign.TLS(), false},
		"a joining node with another token": {ours.LinkTLS(), alien.TLS(), false},
		"a manager of another cluster":      {theirs.LinkTLS(), node.TLS(), false},
		"a node as a manager":               {&tls.Config{Certificates: impostor.Certificates}, node.TLS(), false},
		"a node as a manager, to one that joins": {&tls.Config{Certificates: []tls.Certificate{nodeChain}},
			token.TLS(), false},
		"Raft's certificate on a node's link": {ours.LinkTLS(), raft, false},
		"a node's certificate, an older protocol": {ours.LinkTLS(), func() *tls.Config {
			c := node.TLS()
			c.MinVersion, c.MaxVersion = 0, tls.VersionTLS12
			return c
		}(), false},
		"a manager under a name that is not there": {ours.ServerTLS("a.example"), func() *tls.Config {
			c := node.TLS()
			c.ServerName = "b.example"
			return c
		}(), false},
		"a manager, to another of the cluster": {ours.ServerTLS("a.example"), ours.PeerTLS(), true},
		"a manager, to one of another cluster": {theirs.ServerTLS("a.example"), ours.PeerTLS(), false},
		"a node as a manager, to a manager":    {&tls.Config{Certificates: impostor.Certificates}, ours.PeerTLS(), false},
		"a manager under one of its names": {ours.ServerTLS("a.example", "127.0.0.1"), func() *tls.Config {
			c := node.TLS()
			c.ServerName = "127.0.0.1"
			return c
		}(), true},
	} {
		_, serverErr, clientErr := shake(t, c.server, c.client)
		if fine := serverErr == nil && clientErr == nil; fine != c.fine {
			t.Errorf("%s: server %v, client %v", name, serverErr, clientErr)
		}
	}
}

func TestRequestsThatAreNotForTheNodeAreRefused(t *testing.T) {
	a := open(t, t.TempDir())
	good, _ := join.NewRequest("n1")
	broken := append([]byte(nil), good.CSR...)
	broken[len(broken)-1] ^= 1
	csr := func(key any, name string) []byte {
		der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: name}},
			key)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	weak, _ := rsa.GenerateKey(rand.Reader, 2048)
	wide, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	for name, c := range map[string]struct {
		node string
		csr  []byte
		says string
	}{
		"another node's name": {"n2", good.CSR, `it is for "n1"`},
		"an empty name":       {"", good.CSR, "not a node name"},
		"a path as a name":    {"../n1", good.CSR, "not a node name"},
		"upper case":          {"N1", good.CSR, "not a node name"},
		"a long name":         {strings.Repeat("a", 64), good.CSR, "not a node name"},
		"no request":          {"n1", nil, "read it"},
		"garbage":             {"n1", []byte("garbage"), "read it"},
		"too much garbage":    {"n1", make([]byte, 5000), "at most 4096"},
		"a broken signature":  {"n1", broken, "signature"},
		"an RSA key":          {"n1", csr(weak, "n1"), "P-256"},
		"another curve":       {"n1", csr(wide, "n1"), "P-256"},
	} {
		der, err := a.Certify(join.Identity{Node: c.node}, c.csr)
		if err == nil || der != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want an error with %q", name, err, c.says)
		}
	}
}

// ordinary replaces the CA in the folder by a key with a certificate that may certify nobody.
func ordinary(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	write := func(file, kind string, der []byte) error {
		return os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
	}
	return errors.Join(write("ca.crt", "CERTIFICATE", der), write("ca.key", "PRIVATE KEY", private))
}

func TestDamagedFilesAreRefusedAndSayWhatToDo(t *testing.T) {
	whole := t.TempDir()
	open(t, whole)
	other := t.TempDir()
	open(t, other)
	from := func(dir, file string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, c := range map[string]struct {
		spoil func(dir string) error
		says  string
	}{
		"a readable key": {func(d string) error { return os.Chmod(filepath.Join(d, "ca.key"), 0o644) }, "chmod 600"},
		"a lost key":     {func(d string) error { return os.Remove(filepath.Join(d, "ca.key")) }, "restore the key"},
		"an empty key": {func(d string) error {
			return os.WriteFile(filepath.Join(d, "raft-ca.key"), nil, 0o600)
		}, "PRIVATE KEY"},
		"a huge key": {func(d string) error {
			return os.Truncate(filepath.Join(d, "ca.key"), 1<<20)
		}, "not a small file"},
		"another's key": {func(d string) error {
			return os.WriteFile(filepath.Join(d, "ca.key"), from(other, "ca.key"), 0o600)
		}, "does not belong"},
		"a broken cert": {func(d string) error {
			return os.WriteFile(filepath.Join(d, "ca.crt"), []byte("x"), 0o644)
		}, "CERTIFICATE"},
		"the cert of a member": {ordinary, "not one of a CA"},
	} {
		dir := t.TempDir()
		for _, file := range []string{"ca.crt", "ca.key", "raft-ca.crt", "raft-ca.key"} {
			if err := os.WriteFile(filepath.Join(dir, file), from(whole, file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.spoil(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want an error with %q", name, err, c.says)
		}
	}
}

func TestCertificatesAreRenewedBeforeTheyEnd(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		a := open(t, dir)
		node, server := admit(t, a, "n1"), a.LinkTLS()
		first, err := server.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(memberLife / 2)
		if again, _ := server.GetCertificate(nil); node.Due(time.Now()) || again != first {
			t.Error("due at half its life")
		}
		time.Sleep(memberLife / 4)
		if again, _ := server.GetCertificate(nil); !node.Due(time.Now()) || again == first {
			t.Error("not due at three quarters of its life")
		}
		time.Sleep(memberLife/4 + time.Minute)
		if _, serverErr, clientErr := shake(t, server, node.TLS()); serverErr == nil && clientErr == nil {
			t.Error("an ended certificate is accepted")
		}
		if _, serverErr, clientErr := shake(t, server, admit(t, a, "n1").TLS()); serverErr != nil || clientErr != nil {
			t.Errorf("a renewed one is not: server %v, client %v", serverErr, clientErr)
		}
	})
}

func TestNoCertificateOutlivesItsAuthority(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		open(t, dir)
		end := time.Now().Add(authorityLife)
		time.Sleep(authorityLife - memberLife/2)
		if node := admit(t, open(t, dir), "n1"); node.Expires().After(end) {
			t.Errorf("a certificate ends at %v, and its authority at %v", node.Expires(), end)
		}
		time.Sleep(memberLife)
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "expired") {
			t.Errorf("an authority that has ended is used: %v", err)
		}
	})
}

func TestRaftHasCertificatesOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	server := a.RaftTLS("127.0.0.1", "m1.example")
	for _, name := range []string{"127.0.0.1", "m1.example"} {
		client := open(t, dir).RaftTLS("127.0.0.2") // another manager with a copy of the secrets
		client.ServerName = name
		if _, serverErr, clientErr := shake(t, server, client); serverErr != nil || clientErr != nil {
			t.Errorf("%s: server %v, client %v", name, serverErr, clientErr)
		}
	}
	for who, client := range map[string]*tls.Config{
		"a node":                       admit(t, a, "n1").TLS(),
		"a stranger":                   {InsecureSkipVerify: true},
		"a manager of another cluster": open(t, t.TempDir()).RaftTLS("127.0.0.1"),
	} {
		client.InsecureSkipVerify = true
		if _, serverErr, _ := shake(t, server, client); serverErr == nil {
			t.Errorf("%s can speak Raft", who)
		}
	}
}

func TestASecretIsMadeOnceAndKeptFromOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "admin.token")
	first, err := Secret(path)
	if err != nil || len(first) != 43 {
		t.Fatalf("%d characters, %v", len(first), err)
	}
	if again, err := Secret(path); again != first || err != nil {
		t.Errorf("the second time: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Secret(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("readable by all: %v", err)
	}
	if err := errors.Join(os.Chmod(path, 0o600), os.Truncate(path, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := Secret(path); err == nil || !strings.Contains(err.Error(), "no token") {
		t.Errorf("empty: %v", err)
	}
}

func TestAllManagersDeriveTheSameKeyAndAnotherOneForEachPurpose(t *testing.T) {
	dir := t.TempDir()
	var keys [][]byte
	for _, where := range []struct{ dir, purpose string }{{dir, "sessions"}, {dir, "sessions"}, {dir, "others"},
		{t.TempDir(), "sessions"}} {
		a, err := Open(where.dir)
		if err != nil {
			t.Fatal(err)
		}
		key, err := a.Key(where.purpose)
		if err != nil || len(key) != 32 {
			t.Fatalf("%d bytes, %v", len(key), err)
		}
		keys = append(keys, key)
	}
	if !bytes.Equal(keys[0], keys[1]) || bytes.Equal(keys[0], keys[2]) || bytes.Equal(keys[0], keys[3]) {
		t.Errorf("keys %x", keys)
	}
}
