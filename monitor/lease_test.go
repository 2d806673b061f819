package monitor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"aliquot/cluster"
)

func TestALeaseThatCannotBeFlushedReplacesNone(t *testing.T) {
	data := t.TempDir()
	old := Lease{Cluster: [16]byte{1}, Until: 5, Boot: "b", Runs: []cluster.RunID{someRun}}
	if err := WriteLease(data, old, Lease{}); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	flushed := ""
	err := replace(filepath.Join(data, LeaseFile), Lease{Until: 9}, func(f *os.File) error {
		content, _ := os.ReadFile(f.Name())
		flushed = string(content)
		return full
	})
	if !errors.Is(err, full) || flushed == "" {
		t.Errorf("flushed %q, %v", flushed, err)
	}
	if got, err := ReadLease(data); err != nil || cmp.Diff(old, got) != "" {
		t.Errorf("%v %s", err, cmp.Diff(old, got))
	}
	if err := WriteLease(filepath.Join(data, "missing"), old, Lease{}); err == nil {
		t.Error("a lease was written to nowhere")
	}
}

func TestALeaseIsWrittenOnlyWhenItAllowsSomethingElse(t *testing.T) {
	data := t.TempDir()
	a, err := New(Config{Name: "n1", Data: data, Boot: "b", Log: zerolog.Nop()}, &hypervisor{list: nothing},
		&line{}, present{})
	if err != nil {
		t.Fatal(err)
	}
	a.of = [16]byte{1}
	go a.keepLease(t.Context())
	kept := func() {
		for a.wanted.Revision != a.written.Revision || a.wanted.Until != a.written.Until {
			a.note(<-a.noted)
		}
	}
	inode := func() uint64 {
		info, err := os.Stat(filepath.Join(data, LeaseFile))
		if err != nil {
			t.Fatal(err)
		}
		return info.Sys().(*syscall.Stat_t).Ino
	}
	orders := func(revision, epoch uint64, cpu cluster.CPU, runs ...cluster.RunID) {
		o := cluster.Orders{Cluster: a.of, Revision: revision, Epoch: epoch}
		for _, run := range runs {
			o.Runs = append(o.Runs, cluster.Order{Run: run, Want: cluster.Stay, CPU: cpu})
		}
		a.take(o)
		kept()
	}
	a.renew(BootTime() + time.Hour)
	orders(1, 1, 100, someRun)
	held, err := os.Open(filepath.Join(data, LeaseFile)) // keeps the inode's number from being used again
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	first := inode()
	orders(2, 1, 200, someRun)
	if inode() != first {
		t.Error("written for orders that allow no other VM")
	}
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"other runs", func() { orders(3, 1, 200) }},
		{"more time", func() { a.renew(BootTime() + 2*time.Hour); kept() }},
		{"next leader", func() { orders(4, 2, 200) }},
	} {
		before := a.written
		c.change()
		if l, err := ReadLease(data); err != nil || l.allows(before) || !l.allows(a.written) {
			t.Errorf("%s: written %+v, %v", c.name, l, err)
		}
	}
}

func TestANodeIsMarkedWithOneClusterThatSurvivesDamage(t *testing.T) {
	data := t.TempDir()
	if _, err := ReadMark(data); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first lease: %v", err)
	}
	for _, of := range [][16]byte{{1}, {2}} {
		if err := WriteLease(data, Lease{Cluster: of}, Lease{}); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadMark(data); err != nil || got != of {
			t.Errorf("%x, %v; want %x", got, err, of)
		}
	}
}
