package stream

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxFrame is the largest number of bytes of a frame, its kind included.
const MaxFrame = 16 << 10

// MaxCommand bounds the words of a command together, in bytes.
const MaxCommand = 8 << 10

// Kind says what a frame holds. It is the first byte of a frame.
type Kind byte

// The kinds of frames.
const (
	Open   Kind = iota + 1 // to the guest, the first: a [Request]
	Opened                 // from the guest: the request is granted
	Data                   // input, or output of the port or the command
	Errors                 // from the guest: the command's standard error
	End                    // no more Data follows in this direction
	Exit                   // from the guest, the last: an [Outcome]
	Resize                 // to the guest: the new [Size] of the terminal
)

// Request is what a stream is for: a port or a command.
type Request struct {
	Port    int      `json:"port,omitempty"` // of TCP, in the guest
	Command []string `json:"command,omitempty"`
	// Terminal is the size of the terminal that the command gets; nil: it gets none.
	Terminal *Size `json:"terminal,omitempty"`
}

// Size is the size of a terminal, in characters.
type Size struct {
	Rows    uint16 `json:"rows"`
	Columns uint16 `json:"columns"`
}

// Frame returns the size as a frame.
func (s Size) Frame() []byte { return document(Resize, s) }

// Check returns why no guest grants the request, or nil.
func (r Request) Check() error {
	size := 0
	for _, word := range r.Command {
		size += len(word)
	}
	switch {
	case (r.Port != 0) == (len(r.Command) > 0):
		return errors.New("a stream is for a port or a command")
	case r.Port < 0 || r.Port > 65535:
		return fmt.Errorf("port %d is not in 1..65535", r.Port)
	case size > MaxCommand:
		return fmt.Errorf("the command has %d bytes; at most %d are allowed", size, MaxCommand)
	}
	return nil
}

// Frame returns the request as a frame.
func (r Request) Frame() []byte { return document(Open, r) }

// Outcome is how a stream ended.
type Outcome struct {
	Code  int    `json:"code,omitempty"`  // of the command, 0..255; 128 plus its number if a signal killed it
	Error string `json:"error,omitempty"` // why the request was not granted, or the stream broke; "": it did not
}

// Frame returns the outcome as a frame.
func (o Outcome) Frame() []byte { return document(Exit, o) }

func document(k Kind, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("stream: encode %T: %v", v, err)) // strings and numbers always encode
	}
	return append([]byte{byte(k)}, text...)
}

// Decode reads the document in a frame, after its kind.
func Decode[T Request | Outcome | Size](frame []byte) (v T, err error) {
	if err = json.Unmarshal(frame[1:], &v); err != nil {
		err = fmt.Errorf("read a frame of kind %d: %w", frame[0], err)
	}
	return v, err
}

// WriteFrame writes a frame with its length, in a single Write.
func WriteFrame(w io.Writer, frame []byte) error {
	if len(frame) == 0 || len(frame) > MaxFrame {
		return fmt.Errorf("a frame of %d bytes is not in 1..%d", len(frame), MaxFrame)
	}
	_, err := w.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(frame))), frame...))
	return err
}

// ReadFrame reads a frame, which has at least its kind. It returns io.EOF if the stream ends before one.
func ReadFrame(r io.Reader) ([]byte, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint16(head[:])
	if size == 0 || size > MaxFrame {
		return nil, fmt.Errorf("a frame of %d bytes is not in 1..%d", size, MaxFrame)
	}
	frame := make([]byte, size)
	_, err := io.ReadFull(r, frame)
	return frame, err
}
