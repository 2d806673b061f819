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

func TestWhatATaskLeavesIsGatheredWithoutLinks(t *testing.T) {
	base, other := t.TempDir(), t.TempDir()
	in := func(path string) string { return filepath.Join(base, path) }
	if err := errors.Join(
		os.MkdirAll(in("results/deep"), 0o755), os.WriteFile(in("results/a.csv"), []byte("1,2"), 0o600),
		os.WriteFile(in("results/deep/b.csv"), []byte("3"), 0o600), os.WriteFile(in("large"), make([]byte, 100), 0o600),
		os.Symlink("/etc/passwd", in("results/passwd")), os.Symlink(given+"/script.py", in("script.py")),
		unix.Mkfifo(in("pipe"), 0o600), os.WriteFile(in("a\x1bb"), nil, 0o600), os.Symlink(".", in("results/loop")),
		os.WriteFile(filepath.Join(other, "x"), []byte("4"), 0o600), os.Symlink(other, in("on-the-way")),
	); err != nil {
		t.Fatal(err)
	}
	var stream bytes.Buffer
	patterns := []string{"*", "results/", in("results/*.csv"), "none-*", "on-the-way/x"}
	if err := gather(&stream, 50, base, patterns); err != nil {
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
	if diff := cmp.Diff(map[string]string{"results/a.csv": "1,2", "results/deep/b.csv": "3",
		"on-the-way/x": "4"}, files); diff != "" {
		t.Error(diff)
	}
	want := map[string]protocol.Omission{"large": protocol.TooLarge, "pipe": protocol.Special, "a�b": protocol.BadPath,
		"results/passwd": protocol.Special, "results/loop": protocol.Special, "none-*": protocol.Unmatched,
		"on-the-way": protocol.Special}
	if diff := cmp.Diff(want, omitted); diff != "" {
		t.Error(diff)
	}
}

func TestFilesBeyondTheMostThatAreLookedAtAreToldOf(t *testing.T) {
	base := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(base, "a"), nil, 0o600), os.Mkdir(filepath.Join(base, "b"), 0o755),
		os.WriteFile(filepath.Join(base, "b/c"), nil, 0o600), os.WriteFile(filepath.Join(base, "d"), nil, 0o600),
	); err != nil {
		t.Fatal(err)
	}
	var stream bytes.Buffer
	g := gatherer{protocol.NewResultWriter(&stream, 50), base, map[string]bool{}, 2}
	if err := errors.Join(g.match("a"), g.match("b"), g.match("[ad]"), g.to.Done()); err != nil {
		t.Fatal(err)
	}
	got, err := protocol.ReadResults(bytes.NewReader(stream.Bytes()), int64(stream.Len()))
	want := []protocol.Omitted{{Path: "b/c", Why: protocol.TooMany}, {Path: "b", Why: protocol.TooMany},
		{Path: "d", Why: protocol.TooMany}}
	if err != nil || len(got.Files) != 1 || got.LeftOut != 3 || !cmp.Equal(want, got.Omitted) {
		t.Errorf("%+v, %v", got, err)
	}
}
