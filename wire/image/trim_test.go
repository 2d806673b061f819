package image

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// aged puts images of one byte per file into a root, each last used that long ago.
func aged(t *testing.T, ages map[string]time.Duration) (root string, digests map[string]string) {
	t.Helper()
	root, digests = t.TempDir(), map[string]string{}
	for name, age := range ages {
		d, err := NewDraft(root)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Discard()
		for _, file := range []string{Kernel, Initrd} {
			if err := d.Add(file, strings.NewReader("x")); err != nil {
				t.Fatal(err)
			}
		}
		m, err := d.Finish(name, "")
		if err != nil {
			t.Fatal(err)
		}
		digests[name] = m.Digest()
		then := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(root, m.Digest()), then, then); err != nil {
			t.Fatal(err)
		}
	}
	return root, digests
}

func TestOnlyImagesThatWereLongUnusedMakeRoom(t *testing.T) {
	const day = 24 * time.Hour
	ages := map[string]time.Duration{
		"new": 0, "today": day - time.Hour, "old": 2 * day, "older": 3 * day, "oldest": 4 * day}
	for _, c := range []struct {
		most int64
		used string
		left []string
	}{
		{10, "", []string{"new", "old", "older", "oldest", "today"}},
		{9, "", []string{"new", "old", "older", "today"}},
		{7, "", []string{"new", "old", "today"}},
		{7, "oldest", []string{"new", "oldest", "today"}},
		{0, "", []string{"new", "today"}},
	} {
		root, digests := aged(t, ages)
		if c.used != "" {
			if _, err := Use(root, digests[c.used]); err != nil {
				t.Fatal(err)
			}
		}
		if err := Trim(root, c.most); err != nil {
			t.Fatal(err)
		}
		var left []string
		for name, digest := range digests {
			if _, err := Open(root, digest); err == nil {
				left = append(left, name)
			}
		}
		slices.Sort(left)
		if !slices.Equal(left, c.left) {
			t.Errorf("at most %d bytes, %q used now: left %v, want %v", c.most, c.used, left, c.left)
		}
	}
}
