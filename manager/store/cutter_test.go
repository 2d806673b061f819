package store

import (
	"strings"
	"testing"

	"github.com/lni/dragonboat/v4/statemachine"
)

// firstKept returns the first revision that the replica's log on disk still holds.
func firstKept(t *testing.T, s *Store) uint64 {
	t.Helper()
	asked, err := s.host.QueryRaftLog(shard, 1, 2, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Release()
	answer := <-asked.ResultC()
	if answer.RequestOutOfRange() {
		_, kept := answer.RaftLogs()
		return kept.FirstIndex
	}
	return 1
}

func TestLargeCommandsDoNotMakeTheLogLong(t *testing.T) {
	cfg := aloneIn(t.TempDir())
	cfg.Cut = 1 << 20
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Close() }()
	for range 40 {
		if _, err := s.Propose(bounded(t), setPolicy(strings.Repeat("x", 60<<10))); err != nil {
			t.Fatal(err)
		}
	}
	propose(t, s, putToken("kept"))
	eventually(t, "a shorter log", func() bool { return firstKept(t, s) > 20 })
	s.Close()
	if s, err = Open(cfg); err != nil {
		t.Fatal(err)
	}
	if !tokens(read(t, s))["kept"] {
		t.Error("what came after the snapshot is lost")
	}
}

func TestACutKeepsAnEighthOfTheCommandsSinceTheLast(t *testing.T) {
	c := newCutter(1000)
	for range 24 {
		c.add(statemachine.Entry{Cmd: make([]byte, 50)})
	}
	if keep := <-c.due; keep != 2 {
		t.Errorf("keeps %d of 20 commands", keep)
	}
	if c.bytes != 200 || c.commands != 4 {
		t.Errorf("counts %d bytes and %d commands since", c.bytes, c.commands)
	}
}
