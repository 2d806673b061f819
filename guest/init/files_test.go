//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFileOfTheTaskTakesThePlaceOfWhatTheImageHas(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(work, "folder", "below"), 0o755),
		os.WriteFile(filepath.Join(work, "file"), nil, 0o600),
		os.Symlink("/nowhere", filepath.Join(work, "link")),
		os.Symlink("/nowhere", filepath.Join(work, "way")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"file", "folder", "new", "link", "way/a", "way/b", "x/a/b"} {
		if err := linkTo("/given/"+path, work, path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if to, err := os.Readlink(filepath.Join(work, path)); to != "/given/"+path {
			t.Errorf("%s leads to %q, %v", path, to, err)
		}
	}
}
