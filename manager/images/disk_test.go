package images

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/wire/image/qcow2"
)

func TestADiskIsKeptInAFormOfOurOwn(t *testing.T) {
	f, root := open(t, Limit)
	raw := strings.Repeat("some text\n", 1<<17) + strings.Repeat("\x00", 8<<20)
	var theirs bytes.Buffer
	d, err := qcow2.Raw(strings.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if err := qcow2.Convert(t.Context(), &theirs, d, 1<<30); err != nil {
		t.Fatal(err)
	}
	first, err := f.Put(t.Context(), "own", files(nil, "disk.raw", raw))
	if err != nil {
		t.Fatal(err)
	}
	if first.Kind != cluster.DiskImage || int(first.Disk) != (len(raw)+511)/512*512 || first.Size > 2<<20 {
		t.Errorf("%+v", first)
	}
	if again, err := f.Put(t.Context(), "own", files(nil, "disk.qcow2", theirs.String())); err != nil || again != first {
		t.Errorf("the same disk in another format: %+v, %v", again, err)
	}
	if left, _ := os.ReadDir(root); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestADiskWaitsForAnotherToBeConverted(t *testing.T) {
	f, root := open(t, Limit)
	f.converting <- struct{}{} // by another
	if _, err := f.Put(t.Context(), "kernel", files(nil, "kernel", "k", "initrd", "i")); err != nil {
		t.Errorf("an image without a disk: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Put(ctx, "own", files(nil, "disk.raw", "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("the client has left, but %v", err)
	}
	if left, _ := os.ReadDir(root); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestADiskThatIsHostileOrTooLargeLeavesNothing(t *testing.T) {
	overlay := new(bytes.Buffer)
	if err := qcow2.Overlay(overlay, 1<<20, "/etc/shadow"); err != nil {
		t.Fatal(err)
	}
	for says, disk := range map[string][2]string{
		"backing file":            {"disk.qcow2", overlay.String()},
		"say --qcow2":             {"disk.raw", overlay.String()},
		"not in the format qcow2": {"disk.qcow2", "a raw disk\n"},
		"room for":                {"disk.raw", strings.Repeat("x", 600<<10)}, // twice: as uploaded, and converted
	} {
		f, root := open(t, 1<<20)
		_, err := f.Put(t.Context(), "own", files(nil, disk[0], disk[1]))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
		if left, _ := os.ReadDir(root); len(left) > 0 {
			t.Errorf("%q: left %v", says, left)
		}
	}
}
