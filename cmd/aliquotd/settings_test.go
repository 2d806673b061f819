package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/config"
)

func TestAPolicyThatIsGoneKeepsANewClusterFromStartingAndNoOther(t *testing.T) {
	cfg := config.NewManager()
	cfg.Data, cfg.Policy = t.TempDir(), "GreedyPM */per/opt=min/minvt=600/steady"
	if err := validate(cfg); err == nil || !strings.Contains(err.Error(), "steady is gone: GreedyPM */stable") {
		t.Errorf("a new cluster: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(replicaDir(cfg), "1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := validate(cfg); err != nil {
		t.Errorf("a cluster with a policy of its own: %v", err)
	}
}
