package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aliquot/internal/freeport"
)

func TestADirectoryFollowsTheNameOfItsMachine(t *testing.T) {
	dir := t.TempDir()
	s := alone(t, dir)
	propose(t, s, putToken("before"))
	s.Close()
	if err := rehome(dir, "elsewhere"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatalf("nothing moved: %v", err)
	}
	again := alone(t, dir) // on a machine that is not called elsewhere
	if !tokens(read(t, again))["before"] {
		t.Error("the new name cost the state")
	}
	propose(t, again, putToken("after"))
}

func TestAnInterruptedChangeOfNameIsFinished(t *testing.T) {
	dir := t.TempDir()
	s := alone(t, dir)
	propose(t, s, putToken("before"))
	s.Close()
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if err := rehome(dir, "elsewhere"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "elsewhere"), filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	if !tokens(read(t, alone(t, dir)))["before"] {
		t.Error("the state is gone")
	}
}

func TestADamagedDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, flagFile), []byte("not what it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(aloneIn(dir)); err == nil || !strings.Contains(err.Error(), "is damaged; restore this replica") {
		t.Error(err)
	}
}

// backUp writes a backup into a folder of the directory.
func backUp(t *testing.T, s *Store, dir string) error {
	t.Helper()
	_, err := s.Backup(bounded(t), dir, time.Now())
	return err
}

func TestABackupSaysWhatItHoldsAndOldOnesArePruned(t *testing.T) {
	dir := t.TempDir()
	s := alone(t, t.TempDir())
	propose(t, s, putToken("kept"))
	first := time.Date(2026, 11, 24, 19, 0, 0, 0, time.UTC)
	for i := range 3 {
		folder, err := s.Backup(bounded(t), dir, first.Add(time.Duration(i)*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder, contentsFile))
		for _, part := range []string{"Tokens: 1", "environments", "Keep it as secret",
			first.Add(time.Duration(i) * time.Hour).Format(time.DateTime)} {
			if err != nil || !strings.Contains(string(text), part) {
				t.Errorf("no %q in %q, error %v", part, text, err)
			}
		}
	}
	if _, err := s.Backup(bounded(t), dir, first); err == nil {
		t.Error("a backup was written over another")
	}
	if err := Prune(dir, 2); err != nil {
		t.Fatal(err)
	}
	left, err := Backups(dir)
	if want := []string{filepath.Join(dir, "20261124T200000Z"), filepath.Join(dir, "20261124T210000Z")}; err != nil ||
		!slices.Equal(left, want) {
		t.Errorf("left: %v, error %v", left, err)
	}
}

func TestABackupOfOneIsRestoredIntoThree(t *testing.T) {
	backup := t.TempDir()
	one := alone(t, t.TempDir())
	propose(t, one, putToken("kept"))
	if err := backUp(t, one, backup); err != nil {
		t.Fatal(err)
	}
	propose(t, one, putToken("too late"))
	one.Close()
	three := openRestored(t, backup)
	for id, s := range three {
		got := tokens(read(t, s))
		if !got["kept"] || got["too late"] {
			t.Errorf("replica %d has %v", id, got)
		}
	}
	propose(t, three[2], putToken("new"))
	if !tokens(read(t, three[3]))["new"] {
		t.Error("the restored members do not work together")
	}
}

func openRestored(t *testing.T, backup string) map[uint64]*Store {
	t.Helper()
	members := map[uint64]Member{1: {"m1", freeport.Take()}, 2: {"m2", freeport.Take()}, 3: {"m3", freeport.Take()}}
	configs := map[uint64]Config{}
	for id := range members {
		cfg := aloneIn(t.TempDir())
		cfg.Replica, cfg.Members, cfg.RTT = id, members, 10*time.Millisecond
		configs[id] = cfg
		if err := Restore(cfg, backup); err != nil {
			t.Fatal(err)
		}
	}
	stores := map[uint64]*Store{}
	for id, cfg := range configs {
		s, err := Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		if g := s.Began(); g != 1 {
			t.Errorf("replica %d has begun with generation %d, the backup's is 1", id, g)
		}
		stores[id] = s
	}
	return stores
}

func TestABackupReplacesWhatIsThere(t *testing.T) {
	dir, backup := t.TempDir(), t.TempDir()
	s := alone(t, dir)
	propose(t, s, putToken("kept"))
	if err := backUp(t, s, backup); err != nil {
		t.Fatal(err)
	}
	propose(t, s, putToken("regretted"))
	s.Close()
	cfg := aloneIn(dir)
	if err := Restore(cfg, backup); err != nil {
		t.Fatal(err)
	}
	again := alone(t, dir)
	if got := tokens(read(t, again)); !got["kept"] || got["regretted"] {
		t.Errorf("%v", got)
	}
	propose(t, again, putToken("new"))
}

func TestWhatIsNoBackupIsNotRestored(t *testing.T) {
	if err := Restore(aloneIn(t.TempDir()), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "no folder snapshot-…") {
		t.Error(err)
	}
}
