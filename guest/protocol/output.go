package protocol

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// MaxData is the largest number of bytes of output in one frame.
const MaxData = frameLimit - headerSize - timeSize - crcSize

const timeSize = 8

// A Stream names the standard stream to which the task wrote a chunk.
type Stream byte

// The streams of a task.
const (
	Stdout Stream = 1
	Stderr Stream = 2
)

// String returns "stdout" or "stderr".
func (s Stream) String() string {
	switch s {
	case Stdout:
		return "stdout"
	case Stderr:
		return "stderr"
	}
	return fmt.Sprintf("stream %d", byte(s))
}

// A Chunk is some output of a task as it was read in the guest. The cuts between chunks carry no
// meaning.
type Chunk struct {
	Stream Stream
	Micros uint64 // since the guest booted, on the guest's clock, which stands still while it is saved
	Data   []byte // at most MaxData bytes
}

// WriteOutput writes one chunk to the output port in a single Write. It fails when w
// does, when the stream is unknown or the data too long.
func WriteOutput(w io.Writer, c Chunk) error {
	k := kindStdout
	switch {
	case c.Stream == Stderr:
		k = kindStderr
	case c.Stream != Stdout:
		return fmt.Errorf("write output: unknown %v", c.Stream)
	}
	if len(c.Data) > MaxData {
		return fmt.Errorf("write output: chunk of %d bytes, at most %d allowed", len(c.Data), MaxData)
	}
	time := binary.LittleEndian.AppendUint64(nil, c.Micros)
	_, err := w.Write(appendFrame(nil, k, time, c.Data))
	return err
}

// An OutputDecoder turns the bytes of an output stream into chunks. The zero value
// is ready at the start of a stream or at any earlier Offset.
type OutputDecoder struct{ scan scanner }

// Feed takes the next bytes of the stream and returns the chunks that they
// complete. Damage is skipped up to the next whole frame and counted by Lost.
func (d *OutputDecoder) Feed(b []byte) []Chunk {
	d.scan.limit = outputLimit
	d.scan.feed(b)
	var out []Chunk
	for {
		k, payload, ok := d.scan.next()
		if !ok {
			d.scan.rest()
			return out
		}
		if len(payload) < timeSize {
			d.scan.lost += int64(headerSize + len(payload) + crcSize)
			continue
		}
		c := Chunk{Stream: Stdout, Micros: binary.LittleEndian.Uint64(payload), Data: bytes.Clone(payload[timeSize:])}
		if k == kindStderr {
			c.Stream = Stderr
		}
		out = append(out, c)
	}
}

// Offset returns the number of bytes that need not be fed again: a new decoder that starts there
// continues with the same chunks.
func (d *OutputDecoder) Offset() int64 { return d.scan.read }

// Lost returns the number of bytes up to Offset that belonged to no valid frame.
func (d *OutputDecoder) Lost() int64 { return d.scan.lost }

func outputLimit(k kind) (int, bool) {
	return timeSize + MaxData, k == kindStdout || k == kindStderr
}
