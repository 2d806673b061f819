package link

import (
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"aliquot/cluster"
	"aliquot/manager/images"
	"aliquot/wire"
)

// pushed puts an image on a manager and returns its digest.
func pushed(t *testing.T, l *leader, name string) cluster.Image {
	t.Helper()
	content := map[string]string{"kernel": strings.Repeat("kernel ", 100_000), "initrd": strings.Repeat("initrd ", 50_000)}
	var files iter.Seq2[images.File, error] = func(yield func(images.File, error) bool) {
		for file, text := range content {
			if !yield(images.File{Name: file, Size: int64(len(text)), Content: strings.NewReader(text)}, nil) {
				return
			}
		}
	}
	i, err := l.images.Put(t.Context(), name, files)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestAnImageIsFetchedFromWhicheverManagerHasIt(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.manager("m1")
		_, l2 := w.manager("m2")
		i := pushed(t, l2, "own")
		folder := t.TempDir()
		c, err := wire.NewClient(wire.Options{Managers: []string{"gone", "m1", "m2"}, Credentials: w.enroll("n1"),
			Images: folder, Shared: t.TempDir(), Dial: w.dial})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if err := c.Ensure(t.Context(), i.Digest); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if text, err := os.ReadFile(filepath.Join(folder, i.Digest, "kernel")); len(text) != 700_000 || err != nil {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		if left, _ := os.ReadDir(folder); len(left) != 1 {
			t.Errorf("left: %v", left)
		}
		if err := c.Ensure(t.Context(), strings.Repeat("0", 64)); err == nil ||
			!strings.Contains(err.Error(), "does not have the image") {
			t.Errorf("an image that nobody has: %v", err)
		}
		if err := c.Ensure(t.Context(), "../"+i.Digest); err == nil {
			t.Error("a path as a digest")
		}
	})
}

func TestAManagerFetchesAnImageFromAnother(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_, l := w.manager("m1")
		i := pushed(t, l, "own")
		peers := wire.NewPeers(w.ca.PeerTLS(), w.dial)
		if err := peers.Holds(t.Context(), "m1", strings.Repeat("0", 64)); err == nil {
			t.Error("it holds an image that nobody pushed")
		}
		if err := peers.Holds(t.Context(), "m1", i.Digest); err != nil {
			t.Error(err)
		}
		folder := t.TempDir()
		if err := peers.Fetch(t.Context(), "m1", folder, i.Digest); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(folder, i.Digest, "kernel")); len(text) != 700_000 || err != nil {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
}
