package monitor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/guest/protocol"
)

// planted is a store on which somebody else has put things in the place of files, and a file outside of it.
func planted(t *testing.T) (store, outside string) {
	t.Helper()
	store, outside = t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("of the machine"), 0o600); err != nil {
		t.Fatal(err)
	}
	return store, outside
}

func TestNothingOnTheStoreMakesTheMonitorReadOrWriteOutsideOfIt(t *testing.T) {
	for name, plant := range map[string]func(place, outside string) error{
		"a link":        func(place, outside string) error { return os.Symlink(outside, place) },
		"a link upward": func(place, _ string) error { return os.Symlink("../../../../../../../../../etc/hostname", place) },
		"a pipe":        func(place, _ string) error { return unix.Mkfifo(place, 0o666) },
		"a folder":      func(place, _ string) error { return os.Mkdir(place, 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			store, outside := planted(t)
			f := RunFolder(store, cluster.RunID{Job: 1, Number: 1})
			if err := os.MkdirAll(string(f.Folder), 0o755); err != nil {
				t.Fatal(err)
			}
			s := NewStore(store, "n1", t.TempDir())
			for _, place := range []string{f.Task(), f.Control(), f.Saved(), filepath.Join(store, marker),
				filepath.Join(store, marker+".n1"), filepath.Join(store, ".aliquot-proof.n1")} {
				if err := plant(place, outside); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Prepare(protocol.Task{}); err == nil {
				t.Error("a task was written there")
			}
			if g, err := f.Read(); err == nil {
				t.Errorf("the guest's report is read from there: %+v", g)
			}
			if err := blame(ErrUnreadable, f.Saved()); err == nil || strings.Contains(err.Error(), "of the machine") {
				t.Errorf("the memory image is read from there: %v", err)
			}
			if err := s.belongs([16]byte{1}); err == nil || strings.Contains(err.Error(), "of the machine") {
				t.Errorf("the owner is read from there: %v", err)
			}
			if err := enclosed(store, s.readBack); err == nil {
				t.Error("the proof is written there")
			}
			if text, err := os.ReadFile(outside); string(text) != "of the machine" || err != nil {
				t.Errorf("the file outside holds %q, %v", text, err)
			}
		})
	}
}

func TestARunsFoldersAreNotMadeThroughALink(t *testing.T) {
	store, outside := planted(t)
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(store, "runs")); err != nil {
		t.Fatal(err)
	}
	if err := RunFolder(store, cluster.RunID{Job: 1, Number: 1}).Prepare(protocol.Task{}); err == nil {
		t.Error("folders were made elsewhere")
	}
	if left, err := os.ReadDir(filepath.Dir(outside)); len(left) != 1 || err != nil {
		t.Errorf("outside are %v, %v", left, err)
	}
}
