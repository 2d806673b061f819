package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Members exchange frames: the two bytes of frameStart, a header, and a payload. The header holds the kind (16 bits),
// the payload's length (64), the header's own checksum (32), and the payload's (32), which is 0 over TLS. All numbers
// are big-endian. This is the format of the Raft library's own transport, so members of earlier versions understand it.
const (
	kindMessages uint16 = 100
	kindChunk    uint16 = 200

	frameHeader = 18
	sumAt       = 10
	maxFrame    = 256 << 20 // bytes; a batch of messages may hold a whole queue of the largest commands
)

// A connection for a snapshot ends with frameEnd, which the other end repeats.
var (
	frameStart = [2]byte{0xAE, 0x7D}
	frameEnd   = [2]byte{0, 0}
)

var errFrame = errors.New("the other end does not speak the members' Raft protocol")

// appendFrame appends the start and header of a frame. The payload must follow them.
func appendFrame(b []byte, kind uint16, payload []byte, encrypted bool) []byte {
	sum := uint32(0)
	if !encrypted {
		sum = crc32.ChecksumIEEE(payload)
	}
	h := binary.BigEndian.AppendUint16(nil, kind)
	h = binary.BigEndian.AppendUint64(h, uint64(len(payload)))
	h = binary.BigEndian.AppendUint32(h, 0)
	h = binary.BigEndian.AppendUint32(h, sum)
	binary.BigEndian.PutUint32(h[sumAt:], crc32.ChecksumIEEE(h))
	return append(append(b, frameStart[:]...), h...)
}

// readFrame reads the rest of a frame, after its start, into payload. Memory grows with what arrives, not with what the
// header promises.
func readFrame(r io.Reader, payload *bytes.Buffer, encrypted bool) (kind uint16, err error) {
	var h [frameHeader]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, err
	}
	headerSum := binary.BigEndian.Uint32(h[sumAt:])
	kind, size, sum := binary.BigEndian.Uint16(h[:]), binary.BigEndian.Uint64(h[2:]), binary.BigEndian.Uint32(h[sumAt+4:])
	binary.BigEndian.PutUint32(h[sumAt:], 0)
	switch {
	case crc32.ChecksumIEEE(h[:]) != headerSum || kind != kindMessages && kind != kindChunk || size == 0:
		return 0, errFrame
	case size > maxFrame:
		return 0, fmt.Errorf("%w: a frame of %d bytes; at most %d are allowed", errFrame, size, maxFrame)
	}
	payload.Reset()
	if _, err := io.CopyN(payload, r, int64(size)); err != nil {
		return 0, err
	}
	if !encrypted && crc32.ChecksumIEEE(payload.Bytes()) != sum {
		return 0, errFrame
	}
	return kind, nil
}
