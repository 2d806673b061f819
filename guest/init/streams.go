//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/hashicorp/yamux"

	"aliquot/guest/protocol"
	"aliquot/guest/stream"

	"golang.org/x/sys/unix"
)

// Rhythm of the port of streams.
const (
	unused   = 500 * time.Millisecond // after a session, and between looks whether the port has appeared
	dialTime = 5 * time.Second
)

// starter starts a command as the task was started. The first of its files may be its controlling terminal.
type starter func(argv []string, files []uintptr, terminal bool) (pid int, err error)

// visitors serves streams that come from outside: connections to ports, and commands beside the task.
type visitors struct {
	task    protocol.Task
	command starter
	root    string // of the commands' file systems
}

// serve serves the port of streams for as long as the machine runs. A VM that an earlier version described has none.
func (v visitors) serve() {
	for {
		port, err := openDuplex(stream.Port)
		if err != nil {
			return
		}
		// The first session ends when the node leaves the port, as it does when the VM moves.
		if session, err := stream.Await(port); err == nil {
			for {
				conn, err := session.AcceptStream()
				if err != nil {
					break
				}
				go v.receive(conn)
			}
			session.Close()
		}
		port.Close()
		time.Sleep(unused)
	}
}

// openDuplex opens a port both ways, when it has appeared and a node has it open. Reading it ends when the node leaves.
func openDuplex(name string) (*os.File, error) {
	device := findPort(name)
	for deadline := time.Now().Add(portDeadline); device == ""; device = findPort(name) {
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("there is no port %s", name)
		}
		time.Sleep(unused)
	}
	fd, err := unix.Open(device, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open port %s: %w", name, err)
	}
	if err := hosted(fd); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("await a node at port %s: %w", name, err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// hosted returns when a node has the port open. It sleeps until then: a machine that looked again and again would
// seem starved on a busy node.
func hosted(port int) error {
	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(poll)
	changes := unix.EpollEvent{Events: unix.EPOLLOUT | unix.EPOLLET}
	if err := unix.EpollCtl(poll, unix.EPOLL_CTL_ADD, port, &changes); err != nil {
		return err
	}
	for {
		now := make([]unix.EpollEvent, 1)
		n, err := unix.EpollWait(poll, now, -1)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		if n == 1 && now[0].Events&unix.EPOLLHUP == 0 {
			return nil
		}
	}
}

func (v visitors) receive(conn *yamux.Stream) {
	defer conn.Close()
	s := &visit{conn: conn}
	outcome, err := v.grant(s)
	if err != nil {
		outcome.Error = err.Error()
	}
	_ = s.send(outcome.Frame()) // nobody may be there any longer
}

// grant serves the request of the stream to its end.
func (v visitors) grant(s *visit) (stream.Outcome, error) {
	frame, err := stream.ReadFrame(s.conn)
	if err != nil {
		return stream.Outcome{}, err
	}
	request, err := stream.Decode[stream.Request](frame)
	if err == nil {
		err = request.Check()
	}
	switch {
	case err != nil:
		return stream.Outcome{}, err
	case request.Port != 0:
		return stream.Outcome{}, v.forward(s, request.Port)
	case request.Terminal != nil:
		return v.runAtTerminal(s, request)
	}
	return v.run(s, request.Command)
}

// forward connects the stream to a port of this machine: on loopback, or else at the task's own address.
func (v visitors) forward(s *visit, port int) error {
	to, err := net.DialTimeout("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), dialTime)
	if err != nil && v.task.Network != nil {
		own := v.task.Addresses()[v.task.Index]
		to, err = net.DialTimeout("tcp4", net.JoinHostPort(own.String(), strconv.Itoa(port)), dialTime)
	}
	if errors.Is(err, unix.ECONNREFUSED) {
		return fmt.Errorf("nothing listens at port %d of the task", port)
	}
	if err != nil {
		return err
	}
	defer to.Close()
	if err := s.send([]byte{byte(stream.Opened)}); err != nil {
		return err
	}
	written := make(chan struct{})
	go func() {
		s.receive(to, func() {
			_ = to.(*net.TCPConn).CloseWrite()
			close(written)
		})
		to.Close()
	}()
	s.copy(stream.Data, to)
	if err := s.send([]byte{byte(stream.End)}); err != nil {
		return err
	}
	<-written
	return nil
}
