package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestAUseIsKeptOnceAndOnlyBesideOutput(t *testing.T) {
	root := t.TempDir()
	s := New(root)
	if err := s.KeepUse(t.Context(), 1, []byte("early")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Use(t.Context(), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a job without output has a use: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(root, "runs", "j1"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first", "second"} {
		if err := s.KeepUse(t.Context(), 1, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := s.Use(t.Context(), 1); string(text) != "first" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestAUseIsNotReadThroughALink(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.MkdirAll(filepath.Join(root, "runs", "j1"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outside, []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "runs", "j1", "use")); err != nil {
		t.Fatal(err)
	}
	if text, err := New(root).Use(t.Context(), 1); err == nil {
		t.Errorf("read %q", text)
	}
}
