// Package disk measures file systems. It does not know what they hold.
//
// Invariant: the part of a file system that is kept for root is no space. Counting it would hide that everyone else's
// writes fail.
package disk

import (
	"os"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
)

// Space is the space of a file system in bytes, as df counts its percentage.
type Space struct {
	Used cluster.Bytes
	Free cluster.Bytes // for everyone, not for root alone
}

// Size returns the bytes that are used or free.
func (s Space) Size() cluster.Bytes { return s.Used + s.Free }

// Measure returns the space of the file system that holds the path.
func Measure(path string) (Space, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return Space{}, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return spaceOf(stat), nil
}

func spaceOf(stat unix.Statfs_t) Space {
	block := cluster.Bytes(stat.Frsize)
	return Space{
		Used: block * cluster.Bytes(stat.Blocks-min(stat.Blocks, stat.Bfree)),
		Free: block * cluster.Bytes(stat.Bavail),
	}
}
