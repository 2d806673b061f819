package wire

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/wire/image"
)

// stocked returns a client of a node that has fetched nothing, and an image on its store.
func stocked(t *testing.T) (*Client, image.Manifest) {
	t.Helper()
	store := t.TempDir()
	d, err := image.NewDraft(store)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Discard()
	for _, file := range []string{image.Kernel, image.Initrd} {
		if err := d.Add(file, strings.NewReader(file)); err != nil {
			t.Fatal(err)
		}
	}
	m, err := d.Finish("busybox", "quiet")
	if err != nil {
		t.Fatal(err)
	}
	return &Client{options: Options{Images: t.TempDir(), Shared: store}, fetching: make(chan struct{}, 1)}, m
}

func TestAnImageThatIsHereDoesNotWaitForOneThatIsBeingFetched(t *testing.T) {
	c, m := stocked(t)
	if err := c.Ensure(t.Context(), m.Digest()); err != nil {
		t.Fatal(err)
	}
	c.fetching <- struct{}{} // another is being fetched
	ended, end := context.WithCancel(t.Context())
	end()
	if err := c.Ensure(ended, m.Digest()); err != nil {
		t.Errorf("it waited: %v", err)
	}
	if err := c.Ensure(ended, strings.Repeat("a", 64)); err == nil {
		t.Error("an image that is not here did not wait")
	}
}

func TestANodesCopyOfAnImageIsSafeFromThoseWhoWriteToTheStore(t *testing.T) {
	c, m := stocked(t)
	another := func(root string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, m.Digest(), image.Kernel), []byte("KERNEL"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Ensure(t.Context(), m.Digest()); err != nil {
		t.Fatal(err)
	}
	another(c.options.Shared)
	if err := c.Ensure(t.Context(), m.Digest()); err != nil {
		t.Errorf("a node with a copy: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(c.options.Images, m.Digest(), image.Kernel)); string(text) != image.Kernel {
		t.Errorf("its copy is %q, %v", text, err)
	}
	late := &Client{options: Options{Images: t.TempDir(), Shared: c.options.Shared}, fetching: make(chan struct{}, 1)}
	err := late.Ensure(t.Context(), m.Digest())
	if err == nil || !strings.Contains(err.Error(), "does not match the manifest") ||
		!strings.Contains(err.Error(), "remove "+filepath.Join(c.options.Shared, m.Digest())) {
		t.Errorf("a node that copies another kernel: %v", err)
	}
	if left, _ := os.ReadDir(late.options.Images); len(left) > 0 {
		t.Errorf("it keeps %v", left)
	}
}
