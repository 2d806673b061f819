//go:build linux

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"aliquot/guest/protocol"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestWhatATaskLeavesIsGatheredWithoutFollowingLinks(t *testing.T) {
	base := t.TempDir()
	in := func(path string) string { return filepath.Join(base, path) }
	if err := errors.Join(
		os.MkdirAll(in("results/deep"), 0o755), os.WriteFile(in("results/a.csv"), []byte("1,2"), 0o600),
		os.WriteFile(in("results/deep/b.csv"), []byte("3"), 0o600), os.WriteFile(in("large"), make([]byte, 100), 0o600),
		os.Symlink("/etc/passwd", in("results/passwd")), os.Symlink(given+"/script.py", in("script.py")),
		unix.Mkfifo(in("pipe"), 0o600), os.WriteFile(in("a\x1bb"), nil, 0o600), os.Symlink(".", in("results/loop")),
	); err != nil {
		t.Fatal(err)
	}
	var stream bytes.Buffer
	if err := gather(&stream, 50, base, []string{"*", "results/", in("results/*.csv"), "none-*"}); err != nil {
		t.Fatal(err)
	}
	got, err := protocol.ReadResults(bytes.NewReader(stream.Bytes()), int64(stream.Len()))
	if err != nil || !got.Complete {
		t.Fatalf("%+v, %v", got, err)
	}
	files, omitted := map[string]string{}, map[string]protocol.Omission{}
	for _, f := range got.Files {
		content, err := io.ReadAll(f.Open(bytes.NewReader(stream.Bytes())))
		if err != nil {
			t.Fatal(err)
		}
		files[f.Path] = string(content)
	}
	for _, o := range got.Omitted {
		omitted[o.Path] = o.Why
	}
	if diff := cmp.Diff(map[string]string{"results/a.csv": "1,2", "results/deep/b.csv": "3"}, files); diff != "" {
		t.Error(diff)
	}
	want := map[string]protocol.Omission{"large": protocol.TooLarge, "pipe": protocol.Special, "a�b": protocol.BadPath,
		"results/passwd": protocol.Special, "results/loop": protocol.Special, "none-*": protocol.Unmatched}
	if diff := cmp.Diff(want, omitted); diff != "" {
		t.Error(diff)
	}
}
