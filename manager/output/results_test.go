package output

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/web"
)

// storeWith is a store on which the run has a stream of results.
func storeWith(t *testing.T, stream []byte) *Store {
	t.Helper()
	s := New(t.TempDir())
	path := folder.Of(s.root, run).Results()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, stream, 0o600)); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestResultsAreReadFromTheStore(t *testing.T) {
	var b bytes.Buffer
	w := protocol.NewResultWriter(&b, 1<<20)
	large := strings.Repeat("large", 20_000)
	if err := errors.Join(w.File("b", int64(len(large)), strings.NewReader(large)), w.File("a", 0, nil),
		w.Omit("*.csv", protocol.Unmatched), w.Omit("x", 99), w.Done()); err != nil {
		t.Fatal(err)
	}
	r, err := storeWith(t, b.Bytes()).Results(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l := r.List()
	want := []web.OmittedResult{{Path: "*.csv", Why: "unmatched"}, {Path: "x", Why: "other"}}
	if len(l.Files) != 2 || l.Files[0].Path != "a" || !l.Complete || l.LeftOut != 2 || !slices.Equal(l.Omitted, want) {
		t.Errorf("%+v", l)
	}
	if content, err := io.ReadAll(r.Open(1)); err != nil || string(content) != large {
		t.Errorf("%d bytes, %v", len(content), err)
	}
	cut, err := storeWith(t, b.Bytes()[:b.Len()/2]).Results(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	defer cut.Close()
	if l := cut.List(); len(l.Files) != 0 || l.Complete || l.Damaged {
		t.Errorf("while it is sent: %+v", l)
	}
}

func TestTwoListsOfResultsAreMadeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storeWith(t, nil)
		if len(s.listings) != 2 {
			t.Fatalf("%d lists at once", len(s.listings))
		}
		first, second := <-s.listings, <-s.listings
		if r, err := s.Results(t.Context(), run); !errors.Is(err, web.ErrStoreSilent) {
			t.Errorf("a third: %v, %v", r, err)
		}
		s.listings <- first
		s.listings <- second
		r, err := s.Results(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
	})
}

func TestOnlyAStreamWithinTheStoreIsRead(t *testing.T) {
	for name, replace := range map[string]func(path string) error{
		"nothing":          func(string) error { return nil },
		"a link that left": func(path string) error { return os.Symlink("/etc/passwd", path) },
		"a pipe":           func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		s := storeWith(t, nil)
		path := folder.Of(s.root, run).Results()
		if err := errors.Join(os.Remove(path), replace(path)); err != nil {
			t.Fatal(err)
		}
		r, err := s.Results(t.Context(), run)
		if err == nil || errors.Is(err, web.ErrNoResults) != (name == "nothing") {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}
