package image

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files returns a source of the given contents.
func files(content map[string]string) Source {
	return func(file string) (io.ReadCloser, error) {
		text, ok := content[file]
		if !ok {
			return nil, fmt.Errorf("no %s: %w", file, fs.ErrNotExist)
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}
}

var content = map[string]string{Kernel: "a kernel", Initrd: "an initial memory disk"}

func described(t *testing.T) Manifest {
	t.Helper()
	d, err := NewDraft(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Discard()
	for _, file := range []string{Initrd, Kernel} { // in any order
		if err := d.Add(file, strings.NewReader(content[file])); err != nil {
			t.Fatal(err)
		}
	}
	m, err := d.Finish("busybox", "console=ttyS0 a=<b>")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAnUnfinishedDraftLeavesNothing(t *testing.T) {
	for name, fill := range map[string]func(*Draft) error{
		"nothing":   func(*Draft) error { return nil },
		"no initrd": func(d *Draft) error { return d.Add(Kernel, strings.NewReader("k")) },
		"an empty initrd": func(d *Draft) error {
			return errors.Join(d.Add(Kernel, strings.NewReader("k")), d.Add(Initrd, strings.NewReader("")))
		},
	} {
		root := t.TempDir()
		d, err := NewDraft(root)
		if err != nil {
			t.Fatal(err)
		}
		if err := fill(d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := d.Finish("busybox", ""); err == nil {
			t.Errorf("%s: finished", name)
		}
		d.Discard()
		if left, _ := os.ReadDir(root); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
	d, err := NewDraft(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Discard()
	for _, file := range []string{"", "../kernel", "manifest.json", "disk"} {
		if d.Add(file, strings.NewReader("x")) == nil {
			t.Errorf("%q is added", file)
		}
	}
	if d.Add(Kernel, strings.NewReader("k")) != nil || d.Add(Kernel, strings.NewReader("k")) == nil {
		t.Error("the kernel is added twice or not at all")
	}
}

func TestTheDigestIsThatOfTheCanonicalManifest(t *testing.T) {
	m := described(t)
	want := `{"name":"busybox","kind":"kernel","cmdline":"console=ttyS0 a=<b>","files":[` +
		`{"name":"kernel","size":8,"sha256":"4fff0d3e643b3894c17a0738fbdc591953aa722c9d42774425090accc4377126"},` +
		`{"name":"initrd","size":22,"sha256":"b11031ca2a424ff86cbabcecd5fcf7de8889c8ef05162b103464144c5f0b1071"}]}`
	if got := string(m.Canonical()); got != want {
		t.Errorf("canonical form %s", got)
	}
	back, err := ParseManifest(m.Canonical())
	if diff := cmp.Diff(m, back); diff != "" || err != nil {
		t.Errorf("error %v, %s", err, diff)
	}
	if back.Digest() != m.Digest() || CheckDigest(m.Digest()) != nil || m.Size() != 30 {
		t.Errorf("digest %s, then %s; size %d", m.Digest(), back.Digest(), m.Size())
	}
}

func TestEveryPartOfAnImageChangesItsDigest(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*Manifest){
		"nothing": func(*Manifest) {}, "name": func(m *Manifest) {
			m.Name = "other"
		}, "cmdline": func(m *Manifest) { m.Cmdline += " quiet" },
		"size": func(m *Manifest) {
			m.Files[0].Size++
		}, "content": func(m *Manifest) { m.Files[1].SHA256 = strings.Repeat("0", 64) },
	} {
		m := described(t)
		change(&m)
		if other, ok := seen[m.Digest()]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[m.Digest()] = name
	}
}

func TestAReceivedImageIsThereCompletely(t *testing.T) {
	root, m := filepath.Join(t.TempDir(), "images"), described(t)
	folder, err := Receive(root, m, files(content))
	if err != nil || folder != filepath.Join(root, m.Digest()) {
		t.Fatal(folder, err)
	}
	for file, want := range map[string]string{Kernel: content[Kernel], Initrd: content[Initrd],
		"cmdline": m.Cmdline + "\n"} {
		if got, err := os.ReadFile(filepath.Join(folder, file)); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
	got, err := Open(root, m.Digest())
	if diff := cmp.Diff(m, got); diff != "" || err != nil {
		t.Errorf("error %v, %s", err, diff)
	}
	if again, err := Receive(root, m, files(nil)); again != folder || err != nil {
		t.Errorf("the second time it reads: %v", err)
	}
}

func TestWhatDoesNotMatchTheManifestNeverAppears(t *testing.T) {
	m := described(t)
	for name, source := range map[string]Source{
		"another kernel": files(map[string]string{Kernel: "A kernel", Initrd: content[Initrd]}),
		"a short initrd": files(map[string]string{Kernel: content[Kernel], Initrd: content[Initrd][1:]}),
		"a long initrd":  files(map[string]string{Kernel: content[Kernel], Initrd: content[Initrd] + "x"}),
		"no initrd":      files(map[string]string{Kernel: content[Kernel]}),
		"a torn stream": func(file string) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(content[file][:3]), failing{})), nil
		},
	} {
		root := t.TempDir()
		if _, err := Receive(root, m, source); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if left, _ := os.ReadDir(root); len(left) > 0 {
			t.Errorf("%s: leaves %v", name, left)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("torn") }

func TestTwoMayReceiveTheSameImage(t *testing.T) {
	root, m := t.TempDir(), described(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := Receive(root, m, files(content)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if left, _ := os.ReadDir(root); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestInterruptedReceptionsAreSwept(t *testing.T) {
	root, m := t.TempDir(), described(t)
	if _, err := Receive(root, m, files(content)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, m.Digest()+".partial123", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(root); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(root); len(left) != 1 || left[0].Name() != m.Digest() {
		t.Errorf("left: %v", left)
	}
}

func TestDamagedImagesAreNotOpened(t *testing.T) {
	root, m := t.TempDir(), described(t)
	folder, err := Receive(root, m, files(content))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(root, strings.Repeat("0", 64)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unknown digest: %v", err)
	}
	for _, digest := range []string{"", "..", "../" + m.Digest(), strings.ToUpper(m.Digest()), m.Digest() + "/"} {
		if _, err := Open(root, digest); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("digest %q: %v", digest, err)
		}
	}
	m.Cmdline = "other"
	if err := os.WriteFile(filepath.Join(folder, manifestFile), m.Canonical(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(root, filepath.Base(folder)); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("another manifest: %v", err)
	}
}

func TestManifestsThatNobodyWouldMakeAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Manifest){
		"no name": func(m *Manifest) {
			m.Name = ""
		}, "a path": func(m *Manifest) { m.Name = "a/b" }, "a reference": func(m *Manifest) { m.Name = "a@b" },
		"a kind": func(m *Manifest) { m.Kind = "disk" }, "two lines": func(m *Manifest) { m.Cmdline = "a\nb" },
		"no end": func(m *Manifest) {
			m.Cmdline = strings.Repeat("a", 2049)
		}, "one file": func(m *Manifest) { m.Files = m.Files[:1] },
		"swapped": func(m *Manifest) {
			m.Files[0], m.Files[1] = m.Files[1], m.Files[0]
		}, "escape": func(m *Manifest) { m.Files[0].Name = "../kernel" },
		"empty": func(m *Manifest) { m.Files[0].Size = 0 }, "endless": func(m *Manifest) { m.Files[0].Size = MaxFile + 1 },
		"no sum": func(m *Manifest) { m.Files[0].SHA256 = "" },
	} {
		m := described(t)
		change(&m)
		if _, err := ParseManifest(m.Canonical()); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	good := described(t).Canonical()
	for name, text := range map[string][]byte{
		"space": append([]byte(" "), good...), "a line end": append(bytes.Clone(good), '\n'), "nothing": nil,
		"more": bytes.Replace(good, []byte(`{"name"`), []byte(`{"more":1,"name"`), 1), "long": make([]byte, MaxManifest+1),
	} {
		if _, err := ParseManifest(text); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestManifestsAtTheLimitsAreAccepted(t *testing.T) {
	m := described(t)
	m.Name, m.Cmdline = strings.Repeat("a", 63), strings.Repeat("a", 2048)
	m.Files[0].Size, m.Files[1].Size = 1, MaxFile
	if _, err := ParseManifest(m.Canonical()); err != nil {
		t.Error(err)
	}
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(`{"name":"busybox","kind":"kernel","cmdline":"quiet","files":[{"name":"kernel","size":1,"sha256":"` +
		strings.Repeat("0", 64) + `"},{"name":"initrd","size":1,"sha256":"` + strings.Repeat("0", 64) + `"}]}`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if m, err := ParseManifest(text); err == nil && !bytes.Equal(m.Canonical(), text) {
			t.Errorf("%s is not canonical", text)
		}
	})
}
