package protocol

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// frameLimit bounds a whole frame. Linux's virtio_console passes at most 32 KiB to
// the host in one write, so a frame is never split between two.
const frameLimit = 32 << 10

const (
	headerSize = 4 + 1 + 4
	crcSize    = 4
)

type kind byte

const (
	kindHello   kind = 0x01
	kindStarted kind = 0x02
	kindExit    kind = 0x03
	kindError   kind = 0x04
	kindStdout  kind = 0x11
	kindStderr  kind = 0x12
	kindFile    kind = 0x21
	kindPart    kind = 0x22
	kindOmitted kind = 0x23
	kindDone    kind = 0x24
)

var (
	magic      = []byte{0xa1, 'l', 'q', 0x01}
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

func appendFrame(dst []byte, k kind, payload ...[]byte) []byte {
	length := 0
	for _, p := range payload {
		length += len(p)
	}
	dst = append(dst, magic...)
	body := len(dst)
	dst = append(dst, byte(k))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(length))
	for _, p := range payload {
		dst = append(dst, p...)
	}
	return binary.LittleEndian.AppendUint32(dst, crc(dst[body:]))
}

func crc(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// scanner finds frames in a growing stream. Its results depend only on the bytes fed so far, not on how they were
// split.
type scanner struct {
	limit func(kind) (payload int, known bool)
	buf   []byte
	read  int64 // bytes of the stream before buf
	lost  int64 // bytes of those that belong to no frame
}

func (s *scanner) feed(b []byte) { s.buf = append(s.buf, b...) }

// next returns the next whole frame, or false when more bytes are needed. The
// payload is valid until the next feed.
func (s *scanner) next() (kind, []byte, bool) {
	for s.seek() {
		if len(s.buf) < headerSize {
			return 0, nil, false
		}
		k, length := kind(s.buf[4]), binary.LittleEndian.Uint32(s.buf[5:])
		if limit, known := s.limit(k); !known || length > uint32(limit) {
			s.lose(1)
			continue
		}
		end := headerSize + int(length)
		if len(s.buf) < end+crcSize {
			return 0, nil, false
		}
		if binary.LittleEndian.Uint32(s.buf[end:]) != crc(s.buf[4:end]) {
			s.lose(1)
			continue
		}
		payload := s.buf[headerSize:end]
		s.drop(end + crcSize)
		return k, payload, true
	}
	return 0, nil, false
}

// seek drops bytes that cannot begin a frame and reports whether a whole magic leads.
func (s *scanner) seek() bool {
	if i := bytes.Index(s.buf, magic); i >= 0 {
		s.lose(i)
		return true
	}
	keep := min(len(s.buf), len(magic)-1)
	for !bytes.HasPrefix(magic, s.buf[len(s.buf)-keep:]) {
		keep--
	}
	s.lose(len(s.buf) - keep)
	return false
}

// rest moves what is left into a buffer of its own, so that a decoder between two feeds holds no more than one frame.
func (s *scanner) rest() { s.buf = bytes.Clone(s.buf) }

func (s *scanner) lose(n int) {
	s.lost += int64(n)
	s.drop(n)
}

func (s *scanner) drop(n int) {
	s.read += int64(n)
	s.buf = s.buf[n:]
}
