package monitor

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/wire/image"
)

// diskImage stores an image with a disk of 1 MiB, and returns the path of the disk.
func diskImage(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	d, err := image.NewDraft(root)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Discard()
	take := func(int64) error { return nil }
	err = errors.Join(d.Add(image.Raw, bytes.NewReader(make([]byte, 1<<20))), d.Convert(t.Context(), take))
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Finish("debian", "")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, m.Digest(), image.Disk)
}

// prepared prepares a run of a disk image whose job asks for that size.
func prepared(t *testing.T, store, agent string, size cluster.Bytes) (Folder, error) {
	t.Helper()
	f := RunFolder(store, someRun)
	a := &Agent{config: Config{Agent: agent}}
	o := cluster.Order{Run: someRun, Spec: &cluster.Spec{Disk: size, CloudInit: "#cloud-config\nlocale: C.UTF-8\n"}}
	disks := a.disksOf(o, VM{Run: someRun}, Image{Disk: diskImage(t)})
	return f, f.Prepare(protocol.Task{Job: "j17", Count: 1, Run: 1, Command: []string{"true"}}, disks...)
}

func agentFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(path, []byte("a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestARunOfADiskImageGetsADiskAndASeedOfItsOwn(t *testing.T) {
	for asked, want := range map[cluster.Bytes]string{0: "\x00\x00\x00\x10\x00\x00", 1 << 30: "\x40\x00\x00\x00"} {
		f, err := prepared(t, t.TempDir(), agentFile(t), asked)
		if err != nil {
			t.Fatal(err)
		}
		disk, err := os.ReadFile(f.Disk())
		behind := strings.Contains(string(disk), "../../../../images/")
		if err != nil || !strings.HasSuffix(string(disk[24:32]), want) || !behind {
			t.Errorf("asked for %v: %q, %v", asked, disk[:64], err)
		}
		if seed, err := os.ReadFile(f.Seed()); err != nil || !strings.Contains(string(seed), "locale: C.UTF-8") {
			t.Errorf("its seed lacks the user's data: %v", err)
		}
		for _, path := range []string{f.Disk(), f.Seed()} {
			if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
}

// A second start must not empty the disk of a VM that runs.
func TestTheDiskOfARunThatHasBegunStays(t *testing.T) {
	store := t.TempDir()
	f, err := prepared(t, store, agentFile(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Disk(), []byte("written"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := prepared(t, store, agentFile(t), 0); !errors.Is(err, ErrBegun) {
		t.Errorf("prepared again: %v", err)
	}
	if got, _ := os.ReadFile(f.Disk()); string(got) != "written" {
		t.Errorf("its disk is %q", got)
	}
}

func TestANodeWithoutTheAgentStartsNoDiskImage(t *testing.T) {
	if f, err := prepared(t, t.TempDir(), "", 0); !errors.Is(err, errNoAgent) || exists(f.Control()) {
		t.Errorf("prepared: %v", err)
	}
}

func TestNobodyIsGivenAFileOutsideOfTheStore(t *testing.T) {
	f, err := prepared(t, t.TempDir(), agentFile(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "shadow")
	if err := errors.Join(os.WriteFile(other, nil, 0o600), os.Remove(f.Disk()), os.Symlink(other, f.Disk())); err != nil {
		t.Fatal(err)
	}
	if err := f.Give(Image{Disk: other}, os.Getuid(), os.Getgid()); err == nil {
		t.Error("a file that a link names was given away")
	}
}

// QEMU opens a data file that the header names, and no description of a VM keeps it from that.
func TestADiskThatNamesAnotherFileIsNotGivenToAVM(t *testing.T) {
	f, err := prepared(t, t.TempDir(), agentFile(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(f.Disk())
	if err != nil {
		t.Fatal(err)
	}
	_, behind, _ := bytes.Cut(written, []byte("/images/"))
	image := Image{Disk: "/node/images/" + string(behind[:64]) + "/disk"}
	if err := f.Give(image, os.Getuid(), os.Getgid()); err != nil {
		t.Errorf("its own disk: %v", err)
	}
	written[79] |= 1 << 2 // needs a data file
	if err := os.WriteFile(f.Disk(), written, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Give(image, os.Getuid(), os.Getgid()); err == nil || !strings.Contains(err.Error(), "a data file") {
		t.Errorf("a disk with a data file: %v", err)
	}
}
