package manager

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/internal/freeport"
	"aliquot/manager/store"
)

func TestABackupIsWrittenEachDayAndCanBeRestored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backups")
	w := newWorldAfter(t, "FCFS", zerolog.Nop(), func(m *Manager) { m.cfg.Backups = dir })
	count := func() int {
		w.ok(w.backUp(t.Context()))
		found, err := store.Backups(dir)
		w.ok(err)
		return len(found)
	}
	for day := range backupsKept + 3 {
		if n := count(); n != min(day+1, backupsKept) {
			t.Fatalf("%d backups after %d days", n, day)
		}
		w.ahead.Add(int64(backupEvery - time.Minute))
		if n := count(); n != min(day+1, backupsKept) {
			t.Fatalf("%d backups after %d days and almost another", n, day)
		}
		w.ahead.Add(int64(2 * time.Minute))
	}
	cfg := store.Config{
		Dir: t.TempDir(), Replica: 1, Members: map[uint64]store.Member{1: {Name: "m1", Address: freeport.Take()}},
		Cluster: [16]byte{1}, Events: w.events, Log: zerolog.Nop(), RTT: 5 * time.Millisecond,
		Initial: func() *cluster.State { return cluster.New([16]byte{1}, cluster.PolicyChoice{}) },
	}
	w.ok(store.Restore(cfg, dir))
	s, err := store.Open(cfg)
	w.ok(err)
	defer s.Close()
	state, err := s.Read(t.Context())
	w.ok(err)
	if state.Image(w.image.Digest) == nil {
		t.Error("the restored state does not know the image")
	}
}
