package qcow2

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
)

// The form of what this package writes.
const (
	bits    = 16
	block   = 1 << bits // bytes of a cluster
	links   = block / 8 // entries of a table
	counts  = block / 2 // entries of a block of reference counts
	covered = block * links
	own     = 1 << 63 // in an entry: nothing else refers to the cluster
)

// readFactor limits what is read of a disk, relative to what may be written: clusters full of zeros are left out.
const readFactor = 8

// Convert writes the disk to a new file, without blocks of zeros. It refuses a disk of more than the given number of
// bytes of data, before it writes anything. It returns early when ctx ends.
func Convert(ctx context.Context, to io.Writer, from Disk, most int64) error {
	blocks, err := blocksOf(ctx, from, most)
	if err != nil {
		return err
	}
	if err := plan(from.Size(), blocks).write(ctx, to); err != nil {
		return err
	}
	buf := make([]byte, block)
	for _, n := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := from.Read(buf, n*block); err != nil {
			return err
		}
		if _, err := to.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// blocksOf lists the blocks of the disk that are not all zeros.
func blocksOf(ctx context.Context, from Disk, most int64) (blocks []int64, err error) {
	buf := make([]byte, block)
	read := int64(0)
	for at := int64(0); ; at += block {
		at, err = from.Next(at)
		if err = cmp.Or(err, ctx.Err()); err != nil || at >= from.Size() {
			return blocks, err
		}
		at = at / block * block
		if err := from.Read(buf, at); err != nil {
			return nil, err
		}
		if !isZero(buf) {
			blocks = append(blocks, at/block)
		}
		if read += block; int64(len(blocks))*block > most || read/readFactor > most {
			return nil, fmt.Errorf("the disk holds more than %d bytes of data", most)
		}
	}
}

var zeroBlock [block]byte

func isZero(b []byte) bool { return bytes.Equal(b, zeroBlock[:len(b)]) }

// layout says in which clusters of a file its parts lie. They follow each other in the order of the fields; the header
// is cluster 0.
type layout struct {
	size   int64
	blocks []int64 // of the disk, that hold data
	first  int64   // clusters of the table of the first level
	counts int64   // clusters of reference counts
	index  int64   // clusters of the table of these
	second []int64 // numbers of the tables of the second level, a cluster each
}

func plan(size int64, blocks []int64) layout {
	size = up(size, sector) * sector
	l := layout{size: size, blocks: blocks, first: up(up(size, covered), links)}
	for _, n := range blocks {
		if t := n / links; len(l.second) == 0 || l.second[len(l.second)-1] != t {
			l.second = append(l.second, t)
		}
	}
	for { // the counts count themselves
		needed := up(l.total(), counts)
		if l.counts == needed && l.index == up(needed, links) {
			return l
		}
		l.counts, l.index = needed, up(needed, links)
	}
}

func up(n, unit int64) int64 { return (n + unit - 1) / unit }

// data returns the first cluster of data.
func (l layout) data() int64 { return 1 + l.first + l.counts + l.index + int64(len(l.second)) }

func (l layout) total() int64 { return l.data() + int64(len(l.blocks)) }

// write writes all clusters before those of data, for a disk without a file behind it.
func (l layout) write(ctx context.Context, to io.Writer) error {
	if _, err := to.Write(l.metadata("")); err != nil {
		return err
	}
	table, next := make([]byte, block), 0
	for _, n := range l.second {
		if err := ctx.Err(); err != nil {
			return err
		}
		clear(table)
		for ; next < len(l.blocks) && l.blocks[next]/links == n; next++ {
			be.PutUint64(table[8*(l.blocks[next]%links):], uint64((l.data()+int64(next))*block)|own)
		}
		if _, err := to.Write(table); err != nil {
			return err
		}
	}
	return nil
}

// metadata returns all clusters before the tables of the second level.
func (l layout) metadata(behind string) []byte {
	tables := l.data() - int64(len(l.second))
	b := make([]byte, tables*block)
	l.header(b, behind)
	first := b[block:]
	counted := b[(1+l.first)*block:]
	for n := range l.total() {
		be.PutUint16(counted[2*n:], 1)
	}
	index := b[(1+l.first+l.counts)*block:]
	for n := range l.counts {
		be.PutUint64(index[8*n:], uint64((1+l.first+n)*block))
	}
	for i, n := range l.second {
		be.PutUint64(first[8*n:], uint64((tables+int64(i))*block)|own)
	}
	return b
}

// header writes the first cluster, with the path of the file behind the disk, if there is one.
func (l layout) header(b []byte, behind string) {
	const backingFormat = 0xe2792aca
	be.PutUint32(b, magic)
	be.PutUint32(b[4:], 3)
	be.PutUint32(b[20:], bits)
	be.PutUint64(b[24:], uint64(l.size))
	be.PutUint32(b[36:], uint32(up(l.size, covered)))
	be.PutUint64(b[40:], block)
	be.PutUint64(b[48:], uint64((1+l.first+l.counts)*block))
	be.PutUint32(b[56:], uint32(l.index))
	be.PutUint32(b[96:], 4) // counts of 2^4 bits
	be.PutUint32(b[100:], fields)
	if behind == "" {
		return
	}
	be.PutUint32(b[fields:], backingFormat)
	be.PutUint32(b[fields+4:], uint32(copy(b[fields+8:], "qcow2")))
	const path = fields + 24 // after the extension, and one that ends all
	be.PutUint64(b[8:], path)
	be.PutUint32(b[16:], uint32(copy(b[path:], behind)))
}
