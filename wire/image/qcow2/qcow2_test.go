package qcow2

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// contents returns a disk of some random blocks between zeros.
func contents(bytes int) []byte {
	b, random := make([]byte, bytes), rand.NewChaCha8([32]byte{1})
	for at := 0; at < bytes; at += 5 * block / 2 {
		random.Read(b[at:min(at+block/3, bytes)])
	}
	return b
}

func convert(t *testing.T, from Disk) []byte {
	t.Helper()
	var to bytes.Buffer
	if err := Convert(t.Context(), &to, from, 1<<30); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

func fromRaw(t testing.TB, b []byte) Disk {
	t.Helper()
	d, err := Raw(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t *testing.T, file []byte) []byte {
	t.Helper()
	d, err := Open(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, d.Size())
	if err := d.Read(b, 0); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAConvertedDiskHasTheSameContents(t *testing.T) {
	for _, size := range []int{sector, block, 3*block + sector, 40 * block} {
		want := contents(size)
		once := convert(t, fromRaw(t, want))
		if !bytes.Equal(read(t, once), want) {
			t.Errorf("%d bytes differ after conversion", size)
		}
		if d, err := Open(bytes.NewReader(once)); err != nil || !bytes.Equal(convert(t, d), once) {
			t.Errorf("%d bytes: a second conversion gives other bytes, %v", size, err)
		}
	}
}

func TestAFileMayEndWithinItsLastCluster(t *testing.T) {
	want := make([]byte, 2*block)
	copy(want[block:], "some text")
	file := convert(t, fromRaw(t, want))
	if got := read(t, file[:len(file)-block+9]); !bytes.Equal(got, want) {
		t.Errorf("read %q", got[block:block+16])
	}
}

func TestALargeEmptyDiskTakesLittle(t *testing.T) {
	d, err := Raw(strings.NewReader("x"), MaxSize)
	if err != nil {
		t.Fatal(err)
	}
	if Convert(t.Context(), new(bytes.Buffer), d, 1<<20) == nil {
		t.Error("2 TiB of raw zeros were read")
	}
	var overlay bytes.Buffer
	if err := Overlay(&overlay, MaxSize, "../base"); err != nil || overlay.Len() > 1<<20 {
		t.Errorf("an overlay of %d bytes, %v", overlay.Len(), err)
	}
}

// changed returns the header of a good disk with some bytes replaced.
func changed(at int, with ...byte) []byte {
	b := withoutData(plan(8*block, []int64{1}))
	copy(b[at:], with)
	return b
}

// withoutData returns a file that ends before its clusters of data.
func withoutData(l layout) []byte {
	var b bytes.Buffer
	if err := l.write(context.Background(), &b); err != nil {
		panic(err) // a buffer takes all
	}
	return b.Bytes()
}

func TestHostileDisksAreRefused(t *testing.T) {
	overlay := new(bytes.Buffer)
	if err := Overlay(overlay, block, "/etc/shadow"); err != nil {
		t.Fatal(err)
	}
	for says, b := range map[string][]byte{
		"not in the format":         []byte("a long text that is no disk image at all, only some words, and then some more"),
		"version 9":                 changed(4, 0, 0, 0, 9),
		"a backing file":            overlay.Bytes(),
		"2^9 bytes":                 changed(20, 0, 0, 0, 9),
		"2^63 bytes":                changed(20, 0, 0, 0, 63),
		"the disk has 0 bytes":      changed(24, make([]byte, 8)...),
		"the disk has -1 bytes":     changed(24, bytes.Repeat([]byte{255}, 8)...),
		"1125899906842624 bytes":    changed(24, 0, 4, 0, 0, 0, 0, 0, 0),
		"is encrypted":              changed(32, 0, 0, 0, 2),
		"4294967295 tables":         changed(36, 255, 255, 255, 255),
		"0 tables":                  changed(36, 0, 0, 0, 0),
		"which is no cluster":       changed(40, 0, 0, 0, 0, 0, 0, 0, 104),
		"read the first table":      changed(40, 0, 0, 1, 0, 0, 0, 0, 0),
		"has snapshots":             changed(60, 0, 0, 255, 255),
		"byte 131584, which is no":  changed(block, 0, 0, 0, 0, 0, 2, 2, 0),
		"such as a data file":       changed(72, 0, 0, 0, 0, 0, 0, 0, 4),
		"not allowed (0x10)":        changed(72, 0, 0, 0, 0, 0, 0, 0, 16),
		"an unknown method":         changed(72, 0, 0, 0, 0, 0, 0, 0, 8),
		"ends within its header":    changed(0)[:80],
		"not in the format qcow2":   changed(0)[:71],
		"the file ends before byte": changed(0), // the block of data is missing
		"read table 0":              changed(block, 0, 0, 127, 0, 0, 0, 0, 0),
	} {
		d, err := Open(bytes.NewReader(b))
		if err == nil {
			err = Convert(t.Context(), new(bytes.Buffer), d, 1<<20)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

// A bomb is a small file in which all of a large disk is the same block.
func TestABombIsRefused(t *testing.T) {
	blocks := make([]int64, links)
	for i := range blocks {
		blocks[i] = int64(i)
	}
	l := plan(covered, blocks)
	b := withoutData(l)
	first := be.Uint64(b[block:]) &^ own
	for i := range links {
		be.PutUint64(b[int(first)+8*i:], uint64(l.data()*block))
	}
	for what, data := range map[string][]byte{"data": contents(block), "zeros": make([]byte, block)} {
		d, err := Open(bytes.NewReader(append(b, data...)))
		if err != nil {
			t.Fatal(err)
		}
		err = Convert(t.Context(), new(bytes.Buffer), d, 1<<20)
		if err == nil || !strings.Contains(err.Error(), "holds more than") {
			t.Errorf("512 MiB of %s: %v", what, err)
		}
	}
	b = withoutData(plan(MaxSize, []int64{0}))
	for i := range int64(MaxSize / covered) {
		copy(b[block+8*i:], b[block:block+8])
	}
	if _, err := Open(bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), "share a table") {
		t.Errorf("2 TiB by one table: %v", err)
	}
}

func TestAConversionEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var to bytes.Buffer
	if err := Convert(ctx, &to, fromRaw(t, contents(block)), 1<<20); !errors.Is(err, context.Canceled) || to.Len() > 0 {
		t.Errorf("%d bytes, %v", to.Len(), err)
	}
}

func TestAnOverlayMayNameTheFileBehindItOnly(t *testing.T) {
	var overlay bytes.Buffer
	if err := Overlay(&overlay, 5<<20, "../disk"); err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(b []byte){
		"":                      func(b []byte) { b[79] = dirty },
		"such as a data file":   func(b []byte) { b[79] = 1 << 2 },
		"backing file \"../d\"": func(b []byte) { b[19] = 4 },
		"lost its backing":      func(b []byte) { clear(b[8:20]) },
		"read the path":         func(b []byte) { b[13], b[15] = 1, 0 },
		"has snapshots":         func(b []byte) { b[63] = 1 },
		"is compressed":         func(b []byte) { b[79], b[fields] = compressed, 1 },
		"is encrypted":          func(b []byte) { b[35] = 1 },
	} {
		b := bytes.Clone(overlay.Bytes())[:block]
		change(b)
		err := CheckOverlay(bytes.NewReader(b), "../disk")
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(changed(0))
	f.Add(append(changed(0), contents(block)...))
	f.Add(changed(72, 0, 0, 0, 0, 0, 0, 0, 8))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Open(bytes.NewReader(b))
		if err != nil {
			return
		}
		var to bytes.Buffer
		if err := Convert(t.Context(), &to, d, 1<<20); err != nil {
			return
		}
		if _, err := Open(bytes.NewReader(to.Bytes())); err != nil {
			t.Errorf("a converted disk is refused: %v", err)
		}
	})
}

// qemuImg runs the program that wrote most disk images there are.
func qemuImg(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("qemu-img"); err != nil {
		t.Skip("needs qemu-img; run scripts/setup")
	}
	out, err := exec.Command("qemu-img", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("qemu-img %v: %v: %s", args, err, out)
	}
	return string(out)
}

func TestDisksOfQEMUAreReadAndOursAreReadByQEMU(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("raw"), contents(5<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, options := range [][]string{
		{"-o", "compat=0.10"}, {"-o", "cluster_size=4k"}, {"-o", "cluster_size=2M,lazy_refcounts=on"}, {"-c"},
		{"-c", "-o", "compression_type=zstd"}, {"-c", "-o", "cluster_size=2M"}, {"-o", "refcount_bits=1"},
	} {
		args := append([]string{"convert", "-f", "raw", "-O", "qcow2"}, options...)
		qemuImg(t, append(args, path("raw"), path("theirs"))...)
		theirs, err := os.Open(path("theirs"))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Open(theirs)
		if err != nil {
			t.Fatal(options, err)
		}
		if err := os.WriteFile(path("ours"), convert(t, d), 0o600); err != nil {
			t.Fatal(err)
		}
		theirs.Close()
		qemuImg(t, "check", "-f", "qcow2", path("ours"))
		qemuImg(t, "compare", "-f", "raw", "-F", "qcow2", path("raw"), path("ours"))
	}
	var overlay bytes.Buffer
	if err := Overlay(&overlay, 5<<20, "ours"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path("overlay"), overlay.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	qemuImg(t, "check", "-f", "qcow2", path("overlay"))
	qemuImg(t, "compare", "-f", "raw", "-F", "qcow2", path("raw"), path("overlay"))
}
