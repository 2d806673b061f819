//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aliquot/guest/stream"

	"golang.org/x/sys/unix"
)

// endOfInput is what a terminal takes for the end of its input.
const endOfInput = 4

// terminals mounts the terminals. Each mount has its own.
var terminals = mount{"devpts", "/dev/pts", "devpts", unix.MS_NOSUID | unix.MS_NOEXEC, "mode=0620,ptmxmode=0666"}

// openTerminal opens a terminal of that size: the end for the stream, and the end for the command. The command finds it
// by its name if it sees the terminals under that root.
func openTerminal(root string, size stream.Size) (master *os.File, slave int, err error) {
	name := filepath.Join(root, terminals.target, "ptmx")
	fd, err := unix.Open(name, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if root == "/" && errors.Is(err, unix.ENOENT) { // the init of a disk image need not mount them
		if err = mountAll([]mount{terminals}); err == nil {
			fd, err = unix.Open(name, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("open a terminal: %w", err)
	}
	master = os.NewFile(uintptr(fd), "terminal")
	if err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err == nil {
		err = resize(fd, size)
	}
	if err == nil {
		slave, err = peerOf(fd)
	}
	if err != nil {
		master.Close()
		return nil, 0, fmt.Errorf("open a terminal: %w", err)
	}
	return master, slave, nil
}

// peerOf opens the command's end of a terminal, which need not have a name here.
func peerOf(master int) (slave int, err error) {
	flags := uintptr(unix.O_RDWR | unix.O_NOCTTY | unix.O_CLOEXEC)
	peer, _, failure := unix.Syscall(unix.SYS_IOCTL, uintptr(master), unix.TIOCGPTPEER, flags)
	if failure != 0 {
		return 0, failure
	}
	return int(peer), nil
}

func resize(fd int, to stream.Size) error {
	return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: to.Rows, Col: to.Columns})
}

// runAtTerminal runs a command beside the task at a terminal of its own.
func (v visitors) runAtTerminal(s *visit, r stream.Request) (stream.Outcome, error) {
	master, slave, err := openTerminal(v.root, *r.Terminal)
	if err != nil {
		return stream.Outcome{}, err
	}
	defer master.Close()
	pid, err := v.command(r.Command, []uintptr{uintptr(slave), uintptr(slave), uintptr(slave)}, true)
	unix.Close(slave)
	if err != nil {
		return stream.Outcome{}, fmt.Errorf("start the command: %w", err)
	}
	s.resize = func(to stream.Size) {
		if raw, err := master.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { _ = resize(int(fd), to) })
		}
	}
	return v.attend(s, pid, master, outlet{stream.Data, master})
}
