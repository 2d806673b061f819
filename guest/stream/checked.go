package stream

import (
	"encoding/binary"
	"errors"
	"io"
)

var errUnexpected = errors.New("the guest sends what no guest sends")

// Heads of yamux, which is at version 0 of its protocol.
const (
	headSize = 12
	ofData   = 0 // types of messages
	ofPing   = 2
	begins   = 1 // flag of a message that opens a stream
)

// checked reads what a guest sends, and fails at messages of yamux that would take memory of the node: each ping waits
// for its answer, which the guest need not read, and each stream that it opens waits to be accepted.
type checked struct {
	io.ReadWriteCloser
	head []byte // of the next message, as far as it was read
	data uint32 // bytes that follow the last head
}

// Read returns nothing of a piece that has such a message.
func (c *checked) Read(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		if c.data > 0 {
			skip := min(c.data, uint32(len(rest)))
			c.data, rest = c.data-skip, rest[skip:]
			continue
		}
		part := min(headSize-len(c.head), len(rest))
		c.head, rest = append(c.head, rest[:part]...), rest[part:]
		if len(c.head) == headSize && !c.next() {
			return 0, errUnexpected
		}
	}
	return n, err
}

// next begins a message, and reports whether guests send such.
func (c *checked) next() bool {
	kind, flags, size := c.head[1], binary.BigEndian.Uint16(c.head[2:]), binary.BigEndian.Uint32(c.head[8:])
	c.head = c.head[:0]
	if kind == ofData {
		c.data = size
	}
	return kind != ofPing && flags&begins == 0 && c.data <= window
}
