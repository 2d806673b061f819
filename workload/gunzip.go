package workload

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Gunzip returns the plain text of r: decompressed if it starts with gzip's magic number, otherwise
// unchanged. File names do not matter.
func Gunzip(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("read the gzip header: %w", err)
	}
	return z, nil
}
