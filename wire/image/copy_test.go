package image

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// kept returns a root with an image.
func kept(t *testing.T) (root string, m Manifest) {
	t.Helper()
	root, m = t.TempDir(), described(t)
	if _, err := Receive(root, m, files(content)); err != nil {
		t.Fatal(err)
	}
	return root, m
}

func TestACopyIsTheImageItself(t *testing.T) {
	root, m := kept(t)
	to := t.TempDir()
	if err := Copy(root, to, m.Digest()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{Kernel: content[Kernel], Initrd: content[Initrd], cmdlineFile: m.Cmdline + "\n"}
	for file, text := range want {
		if got, err := os.ReadFile(filepath.Join(to, m.Digest(), file)); string(got) != text || err != nil {
			t.Errorf("%s is %q, %v", file, got, err)
		}
	}
	if err := Copy(root, to, strings.Repeat("0", 64)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unknown image: %v", err)
	}
}

func TestAnImageThatOthersHaveChangedIsNotCopied(t *testing.T) {
	write := func(file, text string) func(folder string) error {
		return func(folder string) error { return os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644) }
	}
	instead := func(put func(path string) error) func(folder string) error {
		return func(folder string) error {
			path := filepath.Join(folder, Kernel)
			return errors.Join(os.Remove(path), put(path))
		}
	}
	for name, change := range map[string]func(folder string) error{
		"another kernel":   write(Kernel, "A KERNEL"),
		"a longer initrd":  write(Initrd, content[Initrd]+"x"),
		"a shorter initrd": write(Initrd, ""),
		"another manifest": write(manifestFile, "{}"),
		"a long manifest":  write(manifestFile, strings.Repeat(" ", 1<<20)),
		"a pipe as manifest": func(folder string) error {
			path := filepath.Join(folder, manifestFile)
			return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o644))
		},
		"no kernel": instead(func(string) error { return nil }),
		"a link":    instead(func(path string) error { return os.Symlink("/etc/hostname", path) }),
		"a pipe":    instead(func(path string) error { return unix.Mkfifo(path, 0o644) }),
		"a folder":  instead(func(path string) error { return os.Mkdir(path, 0o755) }),
	} {
		root, m := kept(t)
		if err := change(filepath.Join(root, m.Digest())); err != nil {
			t.Fatal(err)
		}
		to := t.TempDir()
		if err := Copy(root, to, m.Digest()); err == nil {
			t.Errorf("%s was copied", name)
		}
		if left, _ := os.ReadDir(to); len(left) > 0 {
			t.Errorf("%s left %v", name, left)
		}
	}
}

func TestARemainderOfAnImageIsReplaced(t *testing.T) {
	root, m := kept(t)
	to := t.TempDir()
	if err := os.MkdirAll(filepath.Join(to, m.Digest(), "kernel"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Copy(root, to, m.Digest()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(to, m.Digest()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(to); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// A copy takes the command line from the manifest, which the digest covers.
func TestAChangedCommandLineBesideTheManifestIsNotCopied(t *testing.T) {
	root, m := kept(t)
	if err := os.WriteFile(filepath.Join(root, m.Digest(), cmdlineFile), []byte("init=/evil\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := Copy(root, to, m.Digest()); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(to, m.Digest(), cmdlineFile)); string(got) != m.Cmdline+"\n" {
		t.Errorf("the command line is %q", got)
	}
}
