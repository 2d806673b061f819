package qcow2

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// MaxSize is the largest virtual size of a disk, in bytes.
const MaxSize = 2 << 40

const (
	magic       = 0x514649fb
	headerBytes = 112 // that are read: the fields that are known
	fields      = 104 // of version 3, without the type of compression
	sector      = 512

	// Features without which a file cannot be read. All others are refused.
	dirty      = 1 << 0 // only the counts of references may be wrong, and nobody here reads them
	compressed = 1 << 3 // by another method than deflate
)

// header is the part of a header that reading needs.
type header struct {
	size        int64 // bytes of the disk
	clusterBits uint
	tables      int64 // entries of the first table
	at          int64 // its place in the file
	zstd        bool
}

var be = binary.BigEndian

// readHeader returns the beginning of a file in the format qcow2, which may be shorter than headerBytes.
func readHeader(file io.ReaderAt) ([]byte, error) {
	b := make([]byte, headerBytes)
	n, err := file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	if n < 72 || be.Uint32(b) != magic {
		return nil, errors.New("the file is not in the format qcow2")
	}
	return b[:n], nil
}

// parse reads a header and refuses all that a plain disk does not need.
func parse(b []byte) (h header, err error) {
	h = header{size: int64(be.Uint64(b[24:])), clusterBits: uint(be.Uint32(b[20:])),
		tables: int64(be.Uint32(b[36:])), at: int64(be.Uint64(b[40:]))}
	if err := plain(b); err != nil {
		return h, err
	}
	if be.Uint32(b[4:]) == 3 {
		if h.zstd, err = method(b); err != nil {
			return h, err
		}
	}
	return h, h.check()
}

// plain refuses a disk whose contents are not all in the file, or are there more than once.
func plain(b []byte) error {
	version := be.Uint32(b[4:])
	switch {
	case version != 2 && version != 3:
		return fmt.Errorf("version %d of qcow2 is unknown: convert it with qemu-img", version)
	case be.Uint64(b[8:]) != 0:
		return errors.New("the disk has a backing file: convert it with qemu-img, which copies that file into it")
	case be.Uint32(b[32:]) != 0:
		return errors.New("the disk is encrypted")
	case be.Uint32(b[60:]) != 0:
		return errors.New("the disk has snapshots: convert it with qemu-img, which leaves them out")
	case version == 3 && len(b) < fields:
		return errors.New("the file ends within its header")
	case version == 3 && be.Uint64(b[72:])&^(dirty|compressed) != 0:
		return fmt.Errorf("the disk needs features that are not allowed (%#x), such as a data file", be.Uint64(b[72:]))
	}
	return nil
}

// method reports whether clusters are compressed by Zstandard; by deflate otherwise.
func method(b []byte) (zstd bool, err error) {
	if be.Uint64(b[72:])&compressed == 0 {
		return false, nil
	}
	if be.Uint32(b[100:]) <= fields || len(b) <= fields || b[fields] != 1 {
		return false, errors.New("the disk is compressed by an unknown method")
	}
	return true, nil
}

func (h header) check() error {
	switch {
	case h.size < 1 || h.size > MaxSize:
		return fmt.Errorf("the disk has %d bytes: from 1 to %d are allowed", h.size, int64(MaxSize))
	case h.clusterBits < 12 || h.clusterBits > 21:
		return fmt.Errorf("the disk has clusters of 2^%d bytes: from 2^12 to 2^21 are allowed", h.clusterBits)
	case h.tables < h.wanted() || h.tables > 2*h.wanted()+1<<16:
		return fmt.Errorf("the disk has %d tables, but needs %d", h.tables, h.wanted())
	case h.at < fields || h.at%h.cluster() != 0:
		return fmt.Errorf("the disk's first table is at byte %d, which is no cluster", h.at)
	}
	return nil
}

// cluster returns the bytes of a cluster.
func (h header) cluster() int64 { return 1 << h.clusterBits }

// entries returns the entries of a table of the second level.
func (h header) entries() int64 { return h.cluster() / 8 }

// wanted returns the tables of the second level that the disk's size needs.
func (h header) wanted() int64 {
	covered := h.cluster() * h.entries()
	return (h.size + covered - 1) / covered
}
