package image

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// kept is an image in a root, and the path of its kernel.
func kept(t *testing.T) (root, kernel string, m Manifest) {
	t.Helper()
	root, m = t.TempDir(), described(t)
	if _, err := Receive(root, m, files(content)); err != nil {
		t.Fatal(err)
	}
	return root, filepath.Join(root, m.Digest(), Kernel), m
}

func TestAnImageThatOthersHaveChangedIsRefused(t *testing.T) {
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
		"another cmdline":  write(cmdlineFile, "init=/evil\n"),
		"no kernel":        instead(func(string) error { return nil }),
		"a link":           instead(func(path string) error { return os.Symlink("/etc/hostname", path) }),
		"a pipe":           instead(func(path string) error { return unix.Mkfifo(path, 0o644) }),
		"a folder":         instead(func(path string) error { return os.Mkdir(path, 0o755) }),
	} {
		root, _, m := kept(t)
		var known Verifier
		if _, err := known.Verify(root, m.Digest()); err != nil {
			t.Fatal(err)
		}
		if err := change(filepath.Join(root, m.Digest())); err != nil {
			t.Fatal(err)
		}
		for which, v := range map[string]*Verifier{"one that knows it": &known, "a new one": new(Verifier)} {
			if _, err := v.Verify(root, m.Digest()); err == nil || !strings.Contains(err.Error(), "is not what it was") {
				t.Errorf("%s passes %s: %v", name, which, err)
			}
		}
	}
}

func TestATimeThatIsSetBackDoesNotHideAChange(t *testing.T) {
	root, kernel, m := kept(t)
	var v Verifier
	if _, err := v.Verify(root, m.Digest()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(kernel)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // a file system counts time in ticks
	if err := errors.Join(os.WriteFile(kernel, []byte("A KERNEL"), 0o644),
		os.Chtimes(kernel, info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(root, m.Digest()); err == nil {
		t.Error("another kernel with the time of the first passes")
	}
}

func TestAnImageIsReadAgainOnlyAfterAChange(t *testing.T) {
	root, kernel, m := kept(t)
	var v Verifier
	for range 2 {
		if _, err := v.Verify(root, m.Digest()); err != nil {
			t.Fatal(err)
		}
	}
	first := v.seen[m.Digest()][0]
	time.Sleep(20 * time.Millisecond)
	if err := os.Chmod(kernel, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(root, m.Digest()); err != nil {
		t.Errorf("another mode is no other content: %v", err)
	}
	if v.seen[m.Digest()][0] == first {
		t.Error("a change was not looked at")
	}
	if _, err := v.Verify(root, strings.Repeat("0", 64)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unknown image: %v", err)
	}
}

// Other nodes start VMs with the image meanwhile, which changes the owner of its files.
func TestAnImageMayGetAnotherOwnerWhileItIsRead(t *testing.T) {
	root, kernel, m := kept(t)
	done, ended := make(chan struct{}), make(chan error)
	go func() {
		for mode := fs.FileMode(0o600); ; mode ^= 0o044 {
			select {
			case <-done:
				ended <- nil
				return
			default:
			}
			if err := os.Chmod(kernel, mode); err != nil {
				ended <- err
				return
			}
		}
	}()
	for range 200 {
		if _, err := new(Verifier).Verify(root, m.Digest()); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
