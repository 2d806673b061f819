//go:build linux

package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/yamux"

	"aliquot/guest/stream"

	"golang.org/x/sys/unix"
)

// here serves streams into this machine, and returns the node's end.
func here(t *testing.T) *yamux.Session {
	t.Helper()
	node, guest := net.Pipe()
	v := visitors{command: func(argv []string, files []uintptr, terminal bool) (int, error) {
		program, err := exec.LookPath(argv[0])
		if err != nil {
			return 0, err
		}
		return start(program, "/", argv, os.Environ(), files, terminal)
	}}
	go func() {
		s, err := stream.Await(guest)
		for err == nil {
			var conn *yamux.Stream
			if conn, err = s.AcceptStream(); err == nil {
				go v.receive(conn)
			}
		}
	}()
	s, err := stream.Greet(node, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// opened sends the frames, and returns the stream when it has begun.
func opened(t *testing.T, s *yamux.Session, frames ...[]byte) net.Conn {
	t.Helper()
	conn, err := s.Open()
	for _, frame := range frames {
		if err == nil {
			err = stream.WriteFrame(conn, frame)
		}
	}
	var first []byte
	if err == nil {
		first, err = stream.ReadFrame(conn)
	}
	if err != nil || stream.Kind(first[0]) != stream.Opened {
		t.Fatalf("%q, %v", first, err)
	}
	return conn
}

func TestACommandIsKilledWhenItsUserLeaves(t *testing.T) {
	for name, further := range map[string][][]byte{
		"after its input":        {{byte(stream.End)}},
		"while it reads nothing": slicesOf(bytes.Repeat([]byte("x"), stream.MaxFrame-1), 13),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := stream.Request{Command: []string{"sh", "-c", "echo $$; exec sleep 1000"}}
			conn := opened(t, here(t), append([][]byte{request.Frame()}, further...)...)
			frame, err := stream.ReadFrame(conn)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(frame[1:])))
			if err != nil {
				t.Fatal(err)
			}
			conn.Close()
			for deadline := time.Now().Add(time.Minute); unix.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					_ = unix.Kill(pid, unix.SIGKILL)
					t.Fatal("it runs on")
				}
			}
		})
	}
}

// slicesOf returns that many frames of the data.
func slicesOf(data []byte, count int) (frames [][]byte) {
	for range count {
		frames = append(frames, append([]byte{byte(stream.Data)}, data...))
	}
	return frames
}

func TestAPortIsLeftWhenItsUserLeaves(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	request := stream.Request{Port: l.Addr().(*net.TCPAddr).Port}
	conn := opened(t, here(t), request.Frame(), []byte{byte(stream.End)})
	port, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	conn.Close()
	_ = port.SetDeadline(time.Now().Add(time.Minute))
	for b := make([]byte, 4096); err == nil; {
		_, err = port.Write(b)
	}
	if os.IsTimeout(err) {
		t.Error("it stays connected")
	}
}

func TestEachSideOfAPortEndsByItself(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn := opened(t, here(t), stream.Request{Port: l.Addr().(*net.TCPAddr).Port}.Frame())
	port, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	_ = port.(*net.TCPConn).CloseWrite()
	next := func() (frame []byte) {
		frame, err = stream.ReadFrame(conn)
		return frame
	}
	if frame := next(); err != nil || stream.Kind(frame[0]) != stream.End {
		t.Fatalf("%q, %v", frame, err)
	}
	for _, frame := range []string{"\x03late", "\x05"} {
		if err := stream.WriteFrame(conn, []byte(frame)); err != nil {
			t.Fatal(err)
		}
	}
	if frame := next(); err != nil || stream.Kind(frame[0]) != stream.Exit {
		t.Fatalf("%q, %v", frame, err)
	}
	var got [8]byte
	if n, err := port.Read(got[:]); string(got[:n]) != "late" {
		t.Errorf("%q, %v", got[:n], err)
	}
}

// A reader may be slower than the time that a command's output has after its end.
func TestWhatACommandHasPrintedIsNotLost(t *testing.T) {
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	defer to.Close() // a process that the command has left behind
	printed := bytes.Repeat([]byte("0123456789"), 6000)
	if _, err := to.Write(printed); err != nil {
		t.Fatal(err)
	}
	_ = from.SetReadDeadline(time.Now())
	node, guest := net.Pipe()
	client, err := yamux.Client(node, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := yamux.Server(guest, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() {
		if conn, err := client.OpenStream(); err == nil {
			s := &visit{conn: conn}
			s.rest(outlet{stream.Data, from})
			_ = s.send(stream.Outcome{}.Frame())
		}
	}()
	conn, err := server.Accept()
	var got []byte
	for err == nil {
		var frame []byte
		if frame, err = stream.ReadFrame(conn); err == nil && stream.Kind(frame[0]) == stream.Exit {
			break
		}
		if err == nil {
			got = append(got, frame[1:]...)
		}
	}
	if err != nil || !bytes.Equal(got, printed) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
