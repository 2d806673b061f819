//go:build linux

package main

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/yamux"

	"aliquot/guest/stream"

	"golang.org/x/sys/unix"
)

const (
	queued   = 4           // frames of input that wait for their receiver
	look     = time.Second // between looks whether a stream has broken whose receiver takes nothing
	mostLeft = 1 << 20     // bytes that a pipe holds, unless root allows more
)

// visit is one stream.
type visit struct {
	conn    *yamux.Stream
	writing sync.Mutex
	resize  func(stream.Size) // nil: it has no terminal
}

// outlet is where a command's output comes out.
type outlet struct {
	kind stream.Kind
	from *os.File
}

func (s *visit) send(frame []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return stream.WriteFrame(s.conn, frame)
}

// copy sends what it reads as frames of the kind, until the reader ends.
func (s *visit) copy(k stream.Kind, from io.Reader) {
	b := make([]byte, stream.MaxFrame)
	b[0] = byte(k)
	for {
		n, err := from.Read(b[1:])
		if n > 0 && s.send(b[:1+n]) != nil {
			return
		}
		if err != nil {
			return
		}
	}
}

// rest sends what lies in the outlet, without waiting for more.
func (s *visit) rest(o outlet) {
	raw, err := o.from.SyscallConn()
	if err != nil {
		return
	}
	b := make([]byte, stream.MaxFrame)
	b[0] = byte(o.kind)
	for left := mostLeft; left > 0; {
		n := 0
		err := raw.Control(func(fd uintptr) { n, _ = unix.Read(int(fd), b[1:]) })
		if err != nil || n <= 0 || s.send(b[:1+n]) != nil {
			return
		}
		left -= n
	}
}

// receive hands the data that comes to the writer, until the stream ends. It notices that after the end of the data,
// too, and while the writer takes nothing. When no more will be written, finish is called.
func (s *visit) receive(to io.Writer, finish func()) {
	queue := make(chan []byte, queued)
	end := sync.OnceFunc(func() { close(queue) })
	defer end()
	go drain(queue, to, finish)
	for ended := false; ; {
		frame, err := stream.ReadFrame(s.conn)
		if err != nil {
			return
		}
		switch k := stream.Kind(frame[0]); {
		case k == stream.End:
			ended = true
			end()
		case k == stream.Data && !ended:
			if !s.pass(queue, frame[1:]) {
				return
			}
		case k == stream.Resize && s.resize != nil:
			if size, err := stream.Decode[stream.Size](frame); err == nil {
				s.resize(size)
			}
		}
	}
}

// drain writes what is queued. A receiver that wants no more gets none; the other direction goes on.
func drain(queue <-chan []byte, to io.Writer, finish func()) {
	for data := range queue {
		if _, err := to.Write(data); err != nil {
			break
		}
	}
	finish()
	for range queue {
	}
}

// pass queues the data, and reports false if the stream breaks meanwhile.
func (s *visit) pass(queue chan<- []byte, data []byte) bool {
	for {
		select {
		case queue <- data:
			return true
		case <-time.After(look):
		}
		if s.broken() {
			return false
		}
	}
}

// broken reports whether the stream has ended. It leaves what the stream still holds. The node resets streams that it
// has left, some seconds later.
func (s *visit) broken() bool {
	_ = s.conn.SetReadDeadline(time.Now())
	_, err := s.conn.Read(nil)
	_ = s.conn.SetReadDeadline(time.Time{})
	return s.conn.Session().IsClosed() || err != nil && !errors.Is(err, yamux.ErrTimeout)
}
