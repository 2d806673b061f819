package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lni/dragonboat/v4"
)

func TestAReplicaHasStartedOnceItsMembersAreNoted(t *testing.T) {
	for name, c := range map[string]struct {
		happen func(t *testing.T, cfg *Config)
		want   bool
	}{
		"there is no directory": {func(_ *testing.T, cfg *Config) { cfg.Dir = filepath.Join(cfg.Dir, "raft") }, false},
		"an empty directory":    {func(*testing.T, *Config) {}, false},
		"a stray file": {func(t *testing.T, cfg *Config) {
			if err := os.WriteFile(filepath.Join(cfg.Dir, "lost+found"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, false},
		"the library has begun": {func(t *testing.T, cfg *Config) { // and was killed before it noted the members
			h := cfg.host()
			h.Expert.NodeRegistryFactory = newRegistry(cfg)
			host, err := dragonboat.NewNodeHost(h)
			if err != nil {
				t.Fatal(err)
			}
			host.Close()
		}, false},
		"another replica": {func(t *testing.T, cfg *Config) {
			alone(t, cfg.Dir).Close()
			cfg.Replica = 11
		}, false},
		"it has run": {func(t *testing.T, cfg *Config) { alone(t, cfg.Dir).Close() }, true},
		"it runs":    {func(t *testing.T, cfg *Config) { alone(t, cfg.Dir) }, true},
		"it has run on a machine of another name": {func(t *testing.T, cfg *Config) {
			alone(t, cfg.Dir).Close()
			if err := rehome(cfg.Dir, "elsewhere"); err != nil {
				t.Fatal(err)
			}
		}, true},
		"in a directory of an odd name": {func(t *testing.T, cfg *Config) {
			cfg.Dir = filepath.Join(cfg.Dir, "[a-")
			alone(t, cfg.Dir).Close()
		}, true},
		"it was restored": {func(t *testing.T, cfg *Config) {
			backup, old := t.TempDir(), alone(t, t.TempDir())
			propose(t, old, putToken("kept"))
			if err := errors.Join(backUp(t, old, backup), Restore(*cfg, backup)); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := aloneIn(t.TempDir())
			c.happen(t, &cfg)
			if got := Started(cfg.Dir, cfg.Replica); got != c.want {
				t.Errorf("started: %v", got)
			}
		})
	}
}
