package protocol

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// BlockSize is the size of the blocks in which a disk carries a stream.
const BlockSize = 4096

// BlockData is how much of a stream a block holds.
const BlockData = BlockSize - blockHead

const (
	blockMagic = 0x316b7161 // "aqk1"
	blockHead  = 12         // magic, length, checksum
)

// BlockWriter appends a stream to a disk that was all zeros. It writes whole blocks, in order. The last one is written
// again when it grows.
type BlockWriter struct {
	disk  io.WriterAt
	index int64  // of the last block
	last  []byte // its data
}

// NewBlockWriter returns a writer at the beginning of the disk.
func NewBlockWriter(disk io.WriterAt) *BlockWriter { return &BlockWriter{disk: disk} }

// Write appends to the stream. All is on the disk when it returns, if the disk is written to synchronously.
func (w *BlockWriter) Write(p []byte) (int, error) {
	index, data := w.index, append(w.last, p...)
	var blocks []byte
	for ; len(data) > BlockData; data = data[BlockData:] {
		blocks = appendBlock(blocks, index, data[:BlockData])
		index++
	}
	if _, err := w.disk.WriteAt(appendBlock(blocks, index, data), w.index*BlockSize); err != nil {
		return 0, fmt.Errorf("write a block: %w", err)
	}
	w.index, w.last = index, append([]byte(nil), data...)
	return len(p), nil
}

func appendBlock(b []byte, index int64, data []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, blockMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	b = binary.LittleEndian.AppendUint32(b, blockSum(index, data))
	b = append(b, data...)
	return append(b, make([]byte, BlockData-len(data))...)
}

// blockSum covers the number of the block, so that a block in another's place is none.
func blockSum(index int64, data []byte) uint32 {
	head := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, uint64(index)), uint32(len(data)))
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, data)
}

// CopyBlocks copies the stream on a disk from a position on, as far as it is complete. A block that is being written
// ends it, and may be read later.
func CopyBlocks(to io.Writer, disk io.ReaderAt, from int64) (copied int64, err error) {
	index, have := from/BlockData, from%BlockData
	blocks := bufio.NewReaderSize(io.NewSectionReader(disk, index*BlockSize, math.MaxInt64-index*BlockSize), 64*BlockSize)
	block := make([]byte, BlockSize)
	for ; ; index, have = index+1, 0 {
		if _, err := io.ReadFull(blocks, block); err == io.EOF || err == io.ErrUnexpectedEOF {
			return copied, nil
		} else if err != nil {
			return copied, fmt.Errorf("read a block: %w", err)
		}
		data := blockData(index, block)
		if int64(len(data)) <= have {
			return copied, nil
		}
		n, err := to.Write(data[have:])
		if copied += int64(n); err != nil || len(data) < BlockData {
			return copied, err
		}
	}
}

// blockData returns the data of a block; none if it is not complete.
func blockData(index int64, block []byte) []byte {
	length := binary.LittleEndian.Uint32(block[4:])
	if binary.LittleEndian.Uint32(block) != blockMagic || length > BlockData {
		return nil
	}
	data := block[blockHead : blockHead+length]
	if binary.LittleEndian.Uint32(block[8:]) != blockSum(index, data) {
		return nil
	}
	return data
}
