package disk

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
)

func TestBlocksThatRootAloneMayUseAreNoSpace(t *testing.T) {
	const block cluster.Bytes = 4096
	for name, c := range map[string]struct {
		blocks, free, available uint64
		used, size              cluster.Bytes
	}{
		"nothing is kept for root":     {1000, 400, 400, 600 * block, 1000 * block},
		"two thirds are kept for root": {1000, 650, 4, 350 * block, 354 * block},
		"only root has room":           {1000, 50, 0, 950 * block, 950 * block},
		"full":                         {1000, 0, 0, 1000 * block, 1000 * block},
		"more is free than there is":   {1000, 1001, 1001, 0, 1001 * block},
	} {
		space := spaceOf(unix.Statfs_t{Frsize: int64(block), Bsize: 1 << 20, Blocks: c.blocks, Bfree: c.free,
			Bavail: c.available})
		if space.Used != c.used || space.Size() != c.size {
			t.Errorf("%s: %v of %v, want %v of %v", name, space.Used, space.Size(), c.used, c.size)
		}
	}
}

func TestTheFileSystemOfAPathIsMeasured(t *testing.T) {
	if space, err := Measure(t.TempDir()); err != nil || space.Used < 0 || space.Free < 0 || space.Size() <= 0 {
		t.Errorf("%+v, %v", space, err)
	}
	if _, err := Measure(filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a path that is not there: no error")
	}
}
