package libvirt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// folk is a folder like /proc.
type folk struct {
	*testing.T
	root string
}

// add adds a process with that name and command line, or one that never shows it.
func (f folk) add(pid int, name, cmdline string) {
	f.Helper()
	home := filepath.Join(f.root, strconv.Itoa(pid))
	if err := os.MkdirAll(home, 0o755); err != nil {
		f.Fatal(err)
	}
	stat := fmt.Sprintf("%d (%s) S %s 777 0", pid, name, strings.Repeat("1 ", 18))
	if err := os.WriteFile(filepath.Join(home, "stat"), []byte(stat), 0o644); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(home, "cmdline")
	err := os.WriteFile(path, []byte(strings.ReplaceAll(cmdline, " ", "\x00")), 0o644)
	if cmdline == "" {
		err = f.hide(path)
	}
	if err != nil {
		f.Fatal(err)
	}
}

// hide replaces the file by one that keeps its readers waiting until the test ends.
func (f folk) hide(path string) error {
	f.Cleanup(func() {
		if w, err := os.OpenFile(path, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			w.Close()
		}
	})
	return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o644))
}

const aVM = "/usr/bin/qemu-system-x86_64 -name guest=aliquot-x -uuid 1234"

func TestAStuckProcessDoesNotHideTheOthers(t *testing.T) {
	f := folk{t, t.TempDir()}
	f.add(7, "cp", "")
	f.add(9, "qemu-system-x86", aVM)
	f.add(11, "bash", "bash")
	c := newCensus(f.root)
	var reader *inquiry // of the stuck one
	for range 3 {
		began := time.Now()
		found, err := c.list()
		if err != nil || len(found) != 1 || found[0] != (Process{9, 777, "aliquot-x", "1234"}) {
			t.Errorf("found %+v, error %v", found, err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
		c.mu.Lock()
		waits := c.asked[7]
		c.mu.Unlock()
		if waits == nil || reader != nil && waits != reader {
			t.Error("a second reader waits for one process")
		}
		reader = waits
	}
}

func TestAQEMUThatIsKnownIsFoundWhenItIsStuck(t *testing.T) {
	f := folk{t, t.TempDir()}
	f.add(9, "qemu-system-x86", aVM)
	c := newCensus(f.root)
	if found, err := c.list(); err != nil || len(found) != 1 {
		t.Fatalf("found %+v, error %v", found, err)
	}
	f.add(9, "qemu-system-x86", "")
	f.add(10, "qemu-system-x86", "")
	found, err := c.list()
	if len(found) != 1 || err == nil || !strings.Contains(err.Error(), "process 10") {
		t.Errorf("found %+v, error %v; want the known one, and an error about the other", found, err)
	}
	c.forget(map[int]bool{10: true})
	if len(c.known) != 0 {
		t.Errorf("processes that have ended are kept: %v", c.known)
	}
}
