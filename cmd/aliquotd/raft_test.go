package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/client"
	"aliquot/config"
	"aliquot/manager/store"
)

// earlier replaces the secrets by those of a cluster that was founded by a version before Raft's id.
func earlier(t *testing.T, secrets string) {
	t.Helper()
	if _, err := openSecrets(secrets); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(secrets, raftFile)); err != nil {
		t.Fatal(err)
	}
}

// storeOf opens the secrets as a starting manager does.
func storeOf(t *testing.T, cfg *config.Manager) (store.Config, *secrets) {
	t.Helper()
	s, err := openSecrets(cfg.Secrets)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := storeConfig(cfg, s, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	return sc, s
}

func TestRaftUsesTLSOnLoopbackToo(t *testing.T) {
	for name, members := range map[string][]string{
		"alone": nil, "one of three": {"1=127.0.0.1:1", "2=127.0.0.1:2", "3=127.0.0.1:3"},
	} {
		cfg := config.NewManager()
		cfg.Secrets, cfg.Members = t.TempDir(), members
		sc, s := storeOf(t, cfg)
		if sc.TLS == nil || sc.Secret == 0 {
			t.Errorf("%s: without TLS, or without a secret", name)
		}
		if sc.Deployment() == binary.BigEndian.Uint64(s.cluster[:8])|1 {
			t.Errorf("%s: Raft's id follows from the cluster's, which nodes know", name)
		}
		if again, _ := storeOf(t, cfg); again.Deployment() != sc.Deployment() {
			t.Errorf("%s: the second start has another id", name)
		}
	}
}

func TestASingleManagerOfAnEarlierVersionTurnsToTLSAndKeepsItsID(t *testing.T) {
	cfg := config.NewManager()
	cfg.Secrets = t.TempDir()
	earlier(t, cfg.Secrets)
	sc, s := storeOf(t, cfg)
	if want := binary.BigEndian.Uint64(s.cluster[:8]) | 1; sc.TLS == nil || sc.Deployment() != want {
		t.Errorf("TLS %v, id %x instead of %x", sc.TLS != nil, sc.Deployment(), want)
	}
	cfg.Members = []string{"1=127.0.0.1:1", "2=127.0.0.1:2"} // the cluster grows
	if grown, _ := storeOf(t, cfg); grown.TLS == nil || grown.Deployment() != sc.Deployment() {
		t.Error("it went back to Raft in the clear, or to another id")
	}
}

func TestSeveralManagersOfAnEarlierVersionTurnToTLSWhenTheyAreTold(t *testing.T) {
	cfg := config.NewManager()
	cfg.Secrets, cfg.Members = t.TempDir(), []string{"1=127.0.0.1:1", "2=127.0.0.1:2"}
	earlier(t, cfg.Secrets)
	if sc, s := storeOf(t, cfg); sc.TLS != nil || !raftInTheClear(cfg, s) {
		t.Error("it does not hear managers of the earlier version any more")
	}
	cfg.RaftTLS = config.RaftTLSRequired
	if sc, s := storeOf(t, cfg); sc.TLS == nil || raftInTheClear(cfg, s) {
		t.Error("required, and yet without TLS")
	}
	cfg.RaftTLS = config.RaftTLSAuto
	if sc, _ := storeOf(t, cfg); sc.TLS == nil {
		t.Error("it went back to Raft in the clear without the setting")
	}
}

func TestBrokenRaftIDsAreErrors(t *testing.T) {
	for _, text := range []string{"", "12", strings.Repeat("x", 16)} {
		dir := t.TempDir()
		if _, err := openSecrets(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, raftFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openSecrets(dir); err == nil || !strings.Contains(err.Error(), raftFile) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// unpack extracts an archive of small files.
func unpack(t *testing.T, archive, to string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(packed); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(to, h.Name)
		if h.FileInfo().IsDir() {
			err = os.MkdirAll(path, 0o700)
		} else {
			var text []byte
			if text, err = io.ReadAll(files); err == nil {
				err = os.WriteFile(path, text, h.FileInfo().Mode())
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// takeOver returns the settings of a manager with the data and secrets of an earlier version. before-raft-tls.tar.gz
// holds those of a single manager, built from commit 59be79b, with a token alice.
func (c *trio) takeOver() *config.Manager {
	old := c.TempDir()
	unpack(c.T, "testdata/before-raft-tls.tar.gz", old)
	c.secrets = filepath.Join(old, "secrets")
	cfg := c.config(1)
	cfg.Data = filepath.Join(old, "manager")
	return cfg
}

func TestTheDataOfAVersionBeforeRaftTLSIsTakenOver(t *testing.T) {
	c := newTrio(t)
	cfg := c.takeOver()
	cfg.Members, cfg.Links, cfg.URLs = nil, nil, nil
	c.start(cfg)
	c.await(cfg, led(1))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if names := tokenNames(ctx, t, c.client(1)); !strings.Contains(names, "alice") {
		t.Errorf("the tokens are %s", names)
	}
	if _, err := os.Stat(filepath.Join(c.secrets, raftFile)); err != nil {
		t.Error(err)
	}
}

func TestHealthTellsOfRaftInTheClear(t *testing.T) {
	c := newTrio(t)
	cfg := c.takeOver() // with the addresses of two managers that may run the earlier version
	c.start(cfg)
	c.await(cfg, led(1))
	if list, err := c.client(1).Managers(c.Context()); err != nil || !strings.Contains(list[0].Problem, "raft-tls") {
		t.Errorf("%+v, %v", list, err)
	}
}

func tokenNames(ctx context.Context, t *testing.T, c *client.Client) (names string) {
	t.Helper()
	list, err := c.Tokens(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range list {
		names += token.Name + " "
	}
	return names
}
