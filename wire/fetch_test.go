package wire

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/wire/image"
)

func TestAnImageThatIsHereDoesNotWaitForOneThatIsBeingFetched(t *testing.T) {
	root := t.TempDir()
	d, err := image.NewDraft(root)
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
	c := &Client{options: Options{Images: root}, fetching: make(chan struct{}, 1)}
	c.fetching <- struct{}{} // another is being fetched
	ended, end := context.WithCancel(t.Context())
	end()
	if err := c.Ensure(ended, m.Digest()); err != nil {
		t.Errorf("it waited: %v", err)
	}
	if err := c.Ensure(ended, strings.Repeat("a", 64)); err == nil {
		t.Error("an image that is not here did not wait")
	}
	if err := os.WriteFile(filepath.Join(root, m.Digest(), image.Kernel), []byte("KERNEL"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Ensure(ended, m.Digest()); err == nil || !strings.Contains(err.Error(), "does not match the manifest") {
		t.Errorf("another kernel in its place: %v", err)
	}
}
