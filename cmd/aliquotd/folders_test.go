package main

import (
	"os"
	"path/filepath"
	"testing"
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
