package main

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/wire"
	"aliquot/wire/join"
)

// keyOf returns the private key in a node's credentials.
func keyOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		t.Fatalf("%s holds no key", path)
	}
	if _, err := x509.ParsePKCS8PrivateKey(block.Bytes); err != nil {
		t.Fatal(err)
	}
	return string(block.Bytes)
}

// connectOnce connects the node and ends the link again.
func connectOnce(ctx context.Context, c *wire.Client, name string) error {
	s, err := c.Connect(ctx, func() cluster.Join {
		return cluster.Join{Name: name, Boot: "b", Description: cluster.Description{CPU: 1000, Memory: 1 << 30,
			Platforms: []string{"kvm"}}}
	})
	if err == nil {
		s.Close()
	}
	return err
}

func TestARemovedNodeJoinsAgainOnItsDiskWithANewToken(t *testing.T) {
	trio := newTrio(t)
	trio.members, trio.links, trio.urls = trio.members[:1], trio.links[:1], trio.urls[:1]
	m := trio.config(1)
	trio.start(m)
	c, err := connected(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n := config.NewMonitor()
	n.Node, n.Managers, n.Data, n.Images = "n3", []string{m.Link}, t.TempDir(), t.TempDir()
	n.JoinToken = filepath.Join(n.Data, "join.token")
	pem := filepath.Join(n.Data, "node.pem")
	invite := func() {
		t.Helper()
		token, err := own(m).token(t.Context(), n.Node)
		if err == nil {
			err = os.WriteFile(n.JoinToken, []byte(token.String()), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	restart := func() error {
		client, err := enlist(t.Context(), n, handedOver(n.JoinToken), zerolog.Nop())
		if err != nil {
			return err
		}
		return connectOnce(t.Context(), client, n.Node)
	}

	invite()
	if err := restart(); err != nil {
		t.Fatal("the first start:", err)
	}
	first := keyOf(t, pem)
	if _, err := c.RemoveNode(t.Context(), n.Node, true); err != nil {
		t.Fatal(err)
	}
	remedy := "run `aliquot node invite n3`, put the token that it prints into " + n.JoinToken
	if err := restart(); err == nil || !strings.Contains(err.Error(), "withdrawn") ||
		!strings.Contains(err.Error(), remedy) {
		t.Errorf("with the token that was used: %v", err)
	}
	if err := os.Remove(n.JoinToken); err != nil {
		t.Fatal(err)
	}
	if err := restart(); err == nil || !strings.Contains(err.Error(), remedy) {
		t.Errorf("without a token: %v", err)
	}
	if keyOf(t, pem) != first {
		t.Error("the key was replaced although nobody certified another")
	}

	foreign := join.NewToken([]byte("another CA")).String()
	if err := os.WriteFile(n.JoinToken, []byte(foreign), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := restart(); err == nil || !strings.Contains(err.Error(), "another cluster") ||
		!strings.Contains(err.Error(), remedy) {
		t.Errorf("with a token of another cluster: %v", err)
	}
	if keyOf(t, pem) != first {
		t.Error("the key was replaced although nobody certified another")
	}

	invite()
	if err := restart(); err != nil {
		t.Fatal("with a new token:", err)
	}
	if keyOf(t, pem) == first {
		t.Error("the node joined again with the key of the withdrawn certificate")
	}
	if info, err := os.Stat(pem); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the new credentials: %v, %v", info.Mode(), err)
	}
	n.Node = "n4"
	if err := restart(); err == nil || !strings.Contains(err.Error(), "has joined as node n3") {
		t.Errorf("under another name: %v", err)
	}
}

func TestANodeBesideItsManagerRenewsAnExpiredCertificateButDoesNotUndoItsRemoval(t *testing.T) {
	trio := newTrio(t)
	trio.members, trio.links, trio.urls = trio.members[:1], trio.links[:1], trio.urls[:1]
	m := trio.config(1)
	trio.start(m)
	n := config.NewMonitor()
	n.Node, n.Managers, n.Data, n.Images = "n1", []string{m.Link}, t.TempDir(), t.TempDir()
	n.JoinToken = filepath.Join(n.Data, "join.token")
	restart := func() error {
		client, err := enlist(t.Context(), n, own(m), zerolog.Nop())
		if err != nil {
			return err
		}
		return connectOnce(t.Context(), client, n.Node)
	}
	if err := restart(); err != nil {
		t.Fatal("the first start:", err)
	}
	var used join.Token
	enroll := func(_ context.Context, token join.Token) error { used = token; return nil }
	expired := fmt.Errorf("%w yesterday", wire.ErrExpired)
	if err := rejoin(t.Context(), n, own(m), expired, enroll, zerolog.Nop()); err != nil || used.Secret == "" {
		t.Errorf("expired: %v", err)
	}
	c, err := connected(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.RemoveNode(t.Context(), n.Node, true); err != nil {
		t.Fatal(err)
	}
	pem := filepath.Join(n.Data, "node.pem")
	if err := restart(); err == nil || !strings.Contains(err.Error(), "remove "+pem+" and start aliquotd again") ||
		strings.Contains(err.Error(), n.JoinToken) {
		t.Errorf("removed: %v", err)
	}
	if err := os.Remove(pem); err != nil {
		t.Fatal(err)
	}
	if err := restart(); err != nil {
		t.Error("after the remedy:", err)
	}
}
