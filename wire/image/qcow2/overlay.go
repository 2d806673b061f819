package qcow2

import (
	"errors"
	"fmt"
	"io"
)

// maxPath is the most bytes of the path of a backing file.
const maxPath = 1023

// Overlay writes a disk of the size, as yet empty, that shows the file behind it, which has the format qcow2. A
// relative path counts from the folder of the overlay.
func Overlay(to io.Writer, size int64, behind string) error {
	if size < 1 || size > MaxSize || len(behind) > maxPath {
		return fmt.Errorf("a disk of %d bytes before %q is impossible", size, behind)
	}
	_, err := to.Write(plan(size, nil).metadata(behind))
	return err
}

// CheckOverlay returns an error unless the header of an overlay, which QEMU has written to since, names no file but the
// one behind it. It reads the header only.
func CheckOverlay(file io.ReaderAt, behind string) error {
	b, err := readHeader(file)
	if err != nil {
		return err
	}
	at, length := be.Uint64(b[8:]), be.Uint32(b[16:])
	if at == 0 || at > block || length > maxPath {
		return errors.New("the disk lost its backing file")
	}
	path := make([]byte, length)
	if n, err := file.ReadAt(path, int64(at)); n < len(path) {
		return fmt.Errorf("read the path of the backing file: %w", err)
	}
	if string(path) != behind {
		return fmt.Errorf("the disk has the backing file %q instead of %q", path, behind)
	}
	clear(b[8:20])
	h, err := parse(b)
	if err == nil && h.zstd {
		err = errors.New("the disk is compressed, which no run does")
	}
	return err
}
