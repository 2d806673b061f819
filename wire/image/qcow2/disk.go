package qcow2

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Disk is the contents of a disk image. It is not safe for concurrent use.
type Disk interface {
	// Size returns the bytes of the disk.
	Size() int64
	// Next returns the first place at or after the given one that may hold data, or Size. All before it reads as zeros.
	Next(at int64) (int64, error)
	// Read fills p with the contents from the given place on. Behind the end of the disk are zeros.
	Read(p []byte, at int64) error
}

// raw is a file with the bytes of a disk.
type raw struct {
	file io.ReaderAt
	size int64
}

// Raw returns the disk of a file in the format raw.
func Raw(file io.ReaderAt, bytes int64) (Disk, error) {
	if bytes < 1 || bytes > MaxSize {
		return nil, fmt.Errorf("the disk has %d bytes: from 1 to %d are allowed", bytes, int64(MaxSize))
	}
	return raw{file, bytes}, nil
}

func (d raw) Size() int64                  { return d.size }
func (d raw) Next(at int64) (int64, error) { return min(at, d.size), nil }

func (d raw) Read(p []byte, at int64) error {
	n, err := d.file.ReadAt(p, at)
	clear(p[n:])
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// disk is a file in the format qcow2.
type disk struct {
	header
	file  io.ReaderAt
	first []byte // table of the first level

	table   []byte // table of the second level that was used last
	of      int64  // its number; -1: none
	cluster []byte // compressed cluster that was read last
	entry   uint64 // its entry; 0: none
	zstd    *zstd.Decoder
}

// Open returns the disk of a file in the format qcow2, or an error if it is not a plain one.
func Open(file io.ReaderAt) (Disk, error) {
	b, err := readHeader(file)
	if err != nil {
		return nil, err
	}
	h, err := parse(b)
	if err != nil {
		return nil, err
	}
	d := &disk{header: h, file: file, of: -1, first: make([]byte, 8*h.wanted()), table: make([]byte, h.cluster())}
	if err := d.whole(d.first, h.at); err != nil {
		return nil, fmt.Errorf("read the first table: %w", err)
	}
	return d, d.distinct()
}

// distinct refuses a disk in which tables of the second level are shared or overlap: a small file could claim a lot of
// data by that. Without snapshots, no program writes such a file.
func (d *disk) distinct() error {
	var places []uint64
	for at := 0; at < len(d.first); at += 8 {
		place := be.Uint64(d.first[at:]) & offsetMask
		if place%uint64(d.header.cluster()) != 0 {
			return fmt.Errorf("the disk has a table at byte %d, which is no cluster", place)
		}
		if place != 0 {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	if len(slices.Compact(places)) < len(places) {
		return errors.New("parts of the disk share a table")
	}
	return nil
}

// whole fills p from the file.
func (d *disk) whole(p []byte, at int64) error {
	n, err := d.file.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the file ends before byte %d", at+int64(len(p)))
	}
	return err
}

func (d *disk) Size() int64 { return d.size }

const (
	offsetMask = 0x00fffffffffffe00
	zeros      = 1 << 0  // the cluster reads as zeros
	packed     = 1 << 62 // the cluster is compressed
)

// Next skips the clusters that the file does not hold.
func (d *disk) Next(at int64) (int64, error) {
	for at < d.size {
		table := at / (d.header.cluster() * d.entries())
		if be.Uint64(d.first[8*table:])&offsetMask == 0 {
			at = (table + 1) * d.header.cluster() * d.entries()
			continue
		}
		e, err := d.find(at)
		if err != nil || !empty(e) {
			return at, err
		}
		at = (at>>d.clusterBits + 1) << d.clusterBits
	}
	return d.size, nil
}

// empty reports whether a cluster with the entry reads as zeros.
func empty(e uint64) bool { return e&packed == 0 && (e&zeros != 0 || e&offsetMask == 0) }

// find returns the entry of the cluster at the place; 0: the file does not hold it.
func (d *disk) find(at int64) (uint64, error) {
	n := at >> d.clusterBits
	table := n / d.entries()
	place := int64(be.Uint64(d.first[8*table:]) & offsetMask)
	if place == 0 {
		return 0, nil
	}
	if table != d.of {
		d.of = -1
		if err := d.whole(d.table, place); err != nil {
			return 0, fmt.Errorf("read table %d: %w", table, err)
		}
		d.of = table
	}
	return be.Uint64(d.table[8*(n%d.entries()):]), nil
}

func (d *disk) Read(p []byte, at int64) error {
	for len(p) > 0 {
		within := at & (d.header.cluster() - 1)
		n := min(int64(len(p)), d.header.cluster()-within)
		if err := d.read(p[:n], at, within); err != nil {
			return fmt.Errorf("read the disk at byte %d: %w", at, err)
		}
		p, at = p[n:], at+n
	}
	return nil
}

// read fills p from one cluster.
func (d *disk) read(p []byte, at, within int64) error {
	var e uint64
	var err error
	if at < d.size {
		e, err = d.find(at)
	}
	switch {
	case err != nil:
		return err
	case e&packed != 0:
		err = d.unpack(e)
		if err == nil {
			copy(p, d.cluster[within:])
		}
		return err
	case empty(e):
		clear(p)
		return nil
	}
	return d.fill(p, int64(e&offsetMask), within)
}

// fill fills p from a cluster of data. The file may end within the cluster, which is zeros from there on.
func (d *disk) fill(p []byte, cluster, within int64) error {
	if err := d.whole(make([]byte, 1), cluster); err != nil {
		return err
	}
	n, err := d.file.ReadAt(p, cluster+within)
	clear(p[n:])
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unpack reads the compressed cluster of the entry.
func (d *disk) unpack(e uint64) error {
	if d.entry == e {
		return nil
	}
	shift := 62 - (d.clusterBits - 8)
	place := int64(e & (1<<shift - 1))
	bytes := (int64(e&(packed-1)>>shift)+1)*sector - place%sector
	b := make([]byte, bytes)
	n, err := d.file.ReadAt(b, place)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if d.cluster == nil {
		d.cluster = make([]byte, d.header.cluster())
	}
	d.entry = 0
	if err := d.inflate(b[:n]); err != nil {
		return fmt.Errorf("decompress a cluster: %w", err)
	}
	d.entry = e
	return nil
}

// inflate fills the cluster. The input may be longer than the compressed data.
func (d *disk) inflate(b []byte) error {
	var from io.Reader
	if d.header.zstd {
		if d.zstd == nil {
			z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<24))
			if err != nil {
				return err
			}
			d.zstd = z
		}
		if err := d.zstd.Reset(bytes.NewReader(b)); err != nil {
			return err
		}
		from = d.zstd
	} else {
		from = flate.NewReader(bytes.NewReader(b))
	}
	_, err := io.ReadFull(from, d.cluster)
	return err
}
