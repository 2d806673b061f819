package stream

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/hashicorp/yamux"
)

// Port is the virtio-serial name of the port that carries streams both ways.
const Port = "org.aliquot.stream"

// Limits of the streams of one guest.
const (
	MaxStreams = 16              // at once
	window     = 256 << 10       // bytes of a stream that were sent and not read
	again      = time.Second     // between greetings
	writeTime  = 2 * time.Minute // a frozen guest reads nothing
	closeTime  = 5 * time.Second // until a stream that the node has left is reset
)

// A greeting makes both ends begin anew after the node has changed: before it, either may read what was meant for
// another session. The node hails, perhaps several times with the same nonce, the guest replies once, and the node says
// that the session begins. The marks have the same length.
var (
	hail  = []byte("\xffaliquot-hail\xff")
	reply = []byte("\xffaliquot-here\xff")
	start = []byte("\xffaliquot-next\xff")
)

const nonceSize = 16 // letters and digits that tell a greeting from those of earlier sessions

// Greet begins a session at the node's end of the port. It hails until the guest replies or the patience ends.
func Greet(conn net.Conn, patience time.Duration) (*yamux.Session, error) {
	nonce := []byte(rand.Text()[:nonceSize])
	in := &scanner{from: bufio.NewReaderSize(conn, 4<<10)}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		err := errors.Join(conn.SetDeadline(time.Now().Add(again)), writeAll(conn, hail, nonce))
		for err == nil {
			var got []byte
			if _, got, err = in.find(reply); err == nil && bytes.Equal(got, nonce) {
				return session(&checked{ReadWriteCloser: joined{in.from, conn}}, yamux.Client, closeTime,
					errors.Join(conn.SetDeadline(time.Time{}), writeAll(conn, start, nonce)))
			}
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("it has not answered within %v", patience)
}

// Await begins a session at the guest's end of the port, when a node greets.
func Await(port io.ReadWriteCloser) (*yamux.Session, error) {
	in := &scanner{from: bufio.NewReaderSize(port, 4<<10)}
	var known []byte
	for {
		mark, nonce, err := in.find(hail, start)
		switch again := bytes.Equal(nonce, known); {
		case err != nil || mark == 1 && again:
			return session(joined{in.from, port}, yamux.Server, 0, err) // the node has time to read what is left
		case mark == 0 && !again:
			known = nonce
			if err := writeAll(port, reply, nonce); err != nil {
				return nil, err
			}
		}
	}
}

func writeAll(w io.Writer, parts ...[]byte) error {
	_, err := w.Write(bytes.Join(parts, nil))
	return err
}

// session begins a session unless there is an error. Streams that this end has closed are reset after the time; 0: they
// are not.
func session(conn io.ReadWriteCloser, begin func(io.ReadWriteCloser, *yamux.Config) (*yamux.Session, error),
	closing time.Duration, err error) (*yamux.Session, error) {
	if err != nil {
		return nil, err
	}
	c := yamux.DefaultConfig()
	c.AcceptBacklog, c.EnableKeepAlive, c.MaxStreamWindowSize = MaxStreams, false, window
	c.ConnectionWriteTimeout, c.StreamOpenTimeout, c.StreamCloseTimeout = writeTime, writeTime, closing
	c.LogOutput = io.Discard
	return begin(conn, c)
}

// joined reads what was read ahead first.
type joined struct {
	*bufio.Reader
	to io.WriteCloser
}

func (j joined) Write(p []byte) (int, error) { return j.to.Write(p) }

// Close closes the port.
func (j joined) Close() error { return j.to.Close() }

// scanner looks for greetings. It goes on where it was when a read failed for its deadline.
type scanner struct {
	from *bufio.Reader
	last []byte // read last, up to the length of a mark and a nonce
}

// find returns the nonce after the next of the marks, and which one it is.
func (s *scanner) find(marks ...[]byte) (int, []byte, error) {
	size := len(marks[0]) + nonceSize
	for {
		b, err := s.from.ReadByte()
		if err != nil {
			return 0, nil, err
		}
		if s.last = append(s.last, b); len(s.last) > size {
			s.last = append(s.last[:0], s.last[1:]...)
		}
		for i, mark := range marks {
			nonce, ok := bytes.CutPrefix(s.last, mark)
			if ok && len(nonce) == nonceSize && !bytes.Contains(nonce, mark[:1]) {
				s.last = nil
				return i, nonce, nil
			}
		}
	}
}
