package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// MaxText is the largest length in bytes of an [Error]'s text; longer ones are cut by the encoder.
const MaxText = 4 << 10

const maxSignal = 16

// A Message is one control frame: [Hello], [Started], [Exit] or [Error].
type Message interface {
	encode() (kind, []byte)
}

// Hello is the first message of every stream. It carries the version of the rest.
type Hello struct{ Version uint32 }

// Started announces the task's command, which is executed next. Virtual time counts from here.
type Started struct{}

// Exit is the last message: how the command ended. Code is 0..255. If a signal killed the command,
// Code is 128 plus the signal's number and Signal is its name.
type Exit struct {
	Code   int
	Signal string // "SIGKILL"; empty when the command ended by itself
}

// Success reports whether the command ended by itself with code 0.
func (e Exit) Success() bool { return e.Code == 0 && e.Signal == "" }

// Error is the last message of a guest that could not run the task at all.
type Error struct{ Text string }

func (m Hello) encode() (kind, []byte) {
	return kindHello, binary.LittleEndian.AppendUint32(nil, m.Version)
}

func (m Started) encode() (kind, []byte) { return kindStarted, nil }

func (m Exit) encode() (kind, []byte) {
	return kindExit, append([]byte{byte(m.Code)}, m.Signal...)
}

func (m Error) encode() (kind, []byte) {
	return kindError, []byte(m.Text[:min(len(m.Text), MaxText)])
}

// WriteControl writes one message to the control port in a single Write. It fails
// when w does, or when an Exit is outside its limits.
func WriteControl(w io.Writer, m Message) error {
	if e, ok := m.(Exit); ok {
		if err := e.check(); err != nil {
			return err
		}
	}
	k, payload := m.encode()
	_, err := w.Write(appendFrame(nil, k, payload))
	return err
}

func (e Exit) check() error {
	switch {
	case e.Code < 0 || e.Code > 255:
		return fmt.Errorf("exit code %d is not in 0..255", e.Code)
	case e.Signal != "" && e.Code <= 128:
		return fmt.Errorf("exit by %s with code %d, want 128 + its number", e.Signal, e.Code)
	case len(e.Signal) > maxSignal:
		return fmt.Errorf("signal name of %d bytes, at most %d allowed", len(e.Signal), maxSignal)
	}
	return nil
}

// A ControlDecoder turns the bytes of a control stream into messages and enforces
// their order: Hello, then at most one Started, then at most one of Exit and
// Error, then nothing. Exit comes only after Started. The zero value is ready at
// the start of a stream.
type ControlDecoder struct {
	scan    scanner
	greeted bool
	started bool
	ended   bool
	err     error
}

// Feed takes the next bytes of the stream and returns the messages that they
// complete. The first violation is returned together with the messages before it
// and from then on by every call.
func (d *ControlDecoder) Feed(b []byte) ([]Message, error) {
	if d.err != nil {
		return nil, d.err
	}
	d.scan.limit = controlLimit
	d.scan.feed(b)
	var out []Message
	for {
		k, payload, ok := d.scan.next()
		if d.scan.lost > 0 {
			d.err = errors.New("control stream is damaged: bytes outside any frame")
			return out, d.err
		}
		if !ok {
			return out, nil
		}
		m, err := d.message(k, payload)
		if err != nil {
			d.err = fmt.Errorf("control stream: %w", err)
			return out, d.err
		}
		out = append(out, m)
	}
}

func controlLimit(k kind) (int, bool) {
	switch k {
	case kindHello:
		return 4, true
	case kindStarted:
		return 0, true
	case kindExit:
		return 1 + maxSignal, true
	case kindError:
		return MaxText, true
	}
	return 0, false
}

func (d *ControlDecoder) message(k kind, payload []byte) (Message, error) {
	if d.ended {
		return nil, errors.New("a frame after the end")
	}
	if d.greeted == (k == kindHello) {
		return nil, errors.New("hello must come first and once")
	}
	switch k {
	case kindHello:
		d.greeted = true
		return decodeHello(payload)
	case kindStarted:
		if d.started {
			return nil, errors.New("started twice")
		}
		d.started = true
		return Started{}, nil
	case kindExit:
		d.ended = true
		if !d.started {
			return nil, errors.New("exit before start")
		}
		return decodeExit(payload)
	}
	d.ended = true
	return Error{Text: string(payload)}, nil
}

func decodeHello(payload []byte) (Message, error) {
	if len(payload) != 4 {
		return nil, fmt.Errorf("hello of %d bytes, want 4", len(payload))
	}
	v := binary.LittleEndian.Uint32(payload)
	if v != Version {
		return nil, fmt.Errorf("guest speaks version %d, this node version %d; rebuild the image", v, Version)
	}
	return Hello{Version: v}, nil
}

func decodeExit(payload []byte) (Message, error) {
	if len(payload) < 1 {
		return nil, errors.New("exit without a code")
	}
	e := Exit{Code: int(payload[0]), Signal: string(payload[1:])}
	return e, e.check()
}
