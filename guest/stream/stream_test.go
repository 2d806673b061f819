package stream

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/yamux"
)

func TestASessionBeginsAfterWhateverWasLeftInThePort(t *testing.T) {
	node, guest := net.Pipe()
	left := append([]byte("rest of a frame"), hail...) // and a greeting that broke off
	go func() {
		_, _ = node.Write(left)
		s, err := Greet(node, 10*time.Second)
		if err != nil {
			node.Close()
			return
		}
		c, err := s.Open()
		if err == nil {
			err = WriteFrame(c, Request{Port: 80}.Frame())
		}
		if err != nil {
			s.Close()
		}
	}()
	s, err := Await(stale{guest, reply})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := s.Accept()
	if err != nil {
		t.Fatal(err)
	}
	frame, err := ReadFrame(c)
	if err != nil || Kind(frame[0]) != Open {
		t.Fatalf("%q, %v", frame, err)
	}
	if r, err := Decode[Request](frame); err != nil || r.Port != 80 {
		t.Errorf("%+v, %v", r, err)
	}
}

// stale is a port in which a reply to an earlier greeting is left.
type stale struct {
	net.Conn
	left []byte
}

func (s stale) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, reply) {
		_, err := s.Conn.Write(append(append(bytes.Clone(s.left), make([]byte, nonceSize)...), p...))
		return len(p), err
	}
	return s.Conn.Write(p)
}

func TestAGuestThatDoesNotReplyIsGivenUp(t *testing.T) {
	node, guest := net.Pipe()
	go func() { _, _ = io.Copy(io.Discard, guest) }()
	if _, err := Greet(node, time.Millisecond); err == nil || !strings.Contains(err.Error(), "has not answered") {
		t.Error(err)
	}
	guest.Close()
	if _, err := Greet(node, time.Minute); err == nil {
		t.Error("a session without a guest")
	}
}

func TestASessionFailsAtWhatWouldTakeMemoryOfTheNode(t *testing.T) {
	const ping = "\x00\x02\x00\x01\x00\x00\x00\x00\x00\x00\x00\x07"
	for what, message := range map[string]string{
		"a ping":                   ping,
		"a ping after data":        "\x00\x00\x00\x00\x00\x00\x00\x09\x00\x00\x00\x01x" + ping,
		"a stream of the guest's":  "\x00\x01\x00\x01\x00\x00\x00\x02\x00\x00\x00\x00",
		"more than a window holds": "\x00\x00\x00\x00\x00\x00\x00\x01\x00\x04\x00\x01",
	} {
		node, guest := net.Pipe()
		begun := make(chan *yamux.Session, 1)
		go func() {
			s, err := Greet(node, time.Minute)
			if err != nil {
				t.Error(err)
				guest.Close()
			}
			begun <- s
		}()
		in := &scanner{from: bufio.NewReader(guest)}
		_, nonce, err := in.find(hail)
		if err == nil {
			err = writeAll(guest, reply, nonce)
		}
		if err == nil {
			_, _, err = in.find(start)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := <-begun
		for rest := []byte(message); len(rest) > 0; rest = rest[1:] { // in small pieces
			_, _ = guest.Write(rest[:1])
		}
		select {
		case <-s.CloseChan():
		case <-time.After(time.Minute):
			t.Errorf("%s is taken", what)
		}
		s.Close()
	}
}

func TestRequestsNameAPortOrAShortCommand(t *testing.T) {
	for _, c := range []struct {
		Request
		ok bool
	}{
		{Request{Port: 1}, true}, {Request{Port: 65535}, true}, {Request{Command: []string{"sh", ""}}, true},
		{Request{}, false}, {Request{Port: -1}, false}, {Request{Port: 65536}, false},
		{Request{Port: 1, Command: []string{"sh"}}, false},
		{Request{Command: []string{strings.Repeat("x", MaxCommand+1)}}, false},
	} {
		if err := c.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.Request, err)
		}
	}
}

func TestFramesHaveAKindAndALimit(t *testing.T) {
	var b bytes.Buffer
	long := bytes.Repeat([]byte{byte(Data)}, MaxFrame)
	if err := errors.Join(WriteFrame(&b, long), WriteFrame(&b, Outcome{Code: 3}.Frame())); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadFrame(&b); err != nil || !bytes.Equal(got, long) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	got, err := ReadFrame(&b)
	if o, wrong := Decode[Outcome](got); err != nil || wrong != nil || o.Code != 3 {
		t.Errorf("%+v, %v, %v", o, err, wrong)
	}
	if WriteFrame(&b, nil) == nil || WriteFrame(&b, append(long, 0)) == nil {
		t.Error("a frame out of its limits is written")
	}
	for _, wrong := range []string{"\x00\x00", "\xff\xffx", "\x00"} {
		if f, err := ReadFrame(strings.NewReader(wrong)); err == nil {
			t.Errorf("%q is read as %q", wrong, f)
		}
	}
}
