package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/config"
	"aliquot/internal/freeport"
	"aliquot/manager/store"
)

func TestAPolicyThatIsGoneKeepsANewClusterFromStartingAndNoOther(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, cfg *config.Manager)
		fits    bool
	}{
		"a new cluster": {func(*testing.T, *config.Manager) {}, false},
		"an empty folder": {func(t *testing.T, cfg *config.Manager) {
			if err := os.MkdirAll(replicaDir(cfg), 0o700); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a folder with a stray file": {func(t *testing.T, cfg *config.Manager) {
			if err := os.MkdirAll(filepath.Join(replicaDir(cfg), "lost+found"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a manager that has started": {startOnce, true},
		"a manager that joins":       {func(_ *testing.T, cfg *config.Manager) { cfg.Join = true }, true},
		"a manager that has joined": {func(t *testing.T, cfg *config.Manager) {
			startOnce(t, cfg)
			cfg.Join = true
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config.NewManager()
			cfg.Data, cfg.Raft, cfg.Policy = t.TempDir(), freeport.Take(), "GreedyPM */per/opt=min/minvt=600/steady"
			c.prepare(t, cfg)
			switch err := validate(cfg); {
			case c.fits && err != nil:
				t.Error(err)
			case !c.fits && (err == nil || !strings.Contains(err.Error(), "steady was replaced by GreedyPM */stable")):
				t.Errorf("it may start: %v", err)
			}
		})
	}
}

// startOnce starts the manager's replica and stops it.
func startOnce(t *testing.T, cfg *config.Manager) {
	t.Helper()
	cfg.Secrets = t.TempDir()
	secret, err := openSecrets(cfg.Secrets)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := storeConfig(cfg, secret, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(sc)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}
