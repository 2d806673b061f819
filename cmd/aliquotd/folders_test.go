package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestFoldersAboveADaemonsOwnLetQEMUPass(t *testing.T) {
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(root, "lib", "aliquot")
	for folder, mode := range map[string]os.FileMode{"manager": 0o700, "node": 0o711} {
		if err := makeFolder(filepath.Join(base, folder), mode); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(filepath.Join(base, folder)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", folder, info.Mode(), err)
		}
	}
	if info, err := os.Stat(base); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%s: %v, %v", base, info.Mode(), err)
	}
}

func TestAFolderThatKeepsQEMUFromTheStoreIsNamed(t *testing.T) {
	root := t.TempDir()
	store := filepath.Join(root, "lib", "store")
	if err := os.MkdirAll(store, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "lib"), 0o750); err != nil {
		t.Fatal(err)
	}
	if got, want := closed(store), filepath.Join(root, "lib"); got != want {
		t.Errorf("%q keeps others out, want %q", got, want)
	}
	if got := closed("/usr/bin"); got != "" {
		t.Errorf("/usr/bin is said to be closed at %q", got)
	}
}

func TestRootMakesFilesInAManagersFolderAsItsUser(t *testing.T) {
	const where, user = "ALIQUOT_TEST_OWNED", 65534
	if folder := os.Getenv(where); folder != "" {
		if err := errors.Join(actAsOwner(folder), os.WriteFile(filepath.Join(folder, "file"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	folder := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(folder), 0o755), os.Chown(folder, user, user)); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), where+"="+folder)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var s unix.Stat_t
	if err := unix.Stat(filepath.Join(folder, "file"), &s); err != nil || s.Uid != user || s.Gid != user {
		t.Errorf("the file belongs to %d:%d, error %v", s.Uid, s.Gid, err)
	}
}
