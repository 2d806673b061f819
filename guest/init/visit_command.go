//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"aliquot/guest/stream"

	"golang.org/x/sys/unix"
)

// lastOutput is how long a command's output is awaited after its end, while processes that it left behind hold it open.
const lastOutput = time.Second

// run runs a command beside the task, with the stream as its input and output. The command is killed when the stream
// breaks.
func (v visitors) run(s *visit, argv []string) (stream.Outcome, error) {
	var ends [3][2]*os.File // of the pipes for input, output and errors: reading, writing
	for i := range ends {
		var err error
		if ends[i][0], ends[i][1], err = os.Pipe(); err != nil {
			return stream.Outcome{}, fmt.Errorf("make a pipe: %w", err)
		}
		defer ends[i][0].Close()
		defer ends[i][1].Close()
	}
	its := [...]*os.File{ends[0][0], ends[1][1], ends[2][1]}
	pid, err := v.command(argv, []uintptr{its[0].Fd(), its[1].Fd(), its[2].Fd()}, false)
	if err != nil {
		return stream.Outcome{}, fmt.Errorf("start the command: %w", err)
	}
	for _, file := range its {
		file.Close()
	}
	return v.attend(s, pid, ends[0][1], outlet{stream.Data, ends[1][0]}, outlet{stream.Errors, ends[2][0]})
}

// attend passes the stream's data to the command's input and its outputs to the stream, and waits for its end. The
// command is killed when the stream breaks.
func (v visitors) attend(s *visit, pid int, input *os.File, outputs ...outlet) (stream.Outcome, error) {
	var ended atomic.Bool
	kill := func() {
		if !ended.Load() { // its number may be another's
			_ = unix.Kill(-pid, unix.SIGKILL)
		}
	}
	if s.send([]byte{byte(stream.Opened)}) != nil {
		kill()
	}
	go func() {
		s.receive(input, func() {
			if s.resize != nil {
				_, _ = input.Write([]byte{endOfInput})
				return
			}
			input.Close()
		})
		kill()
	}()
	var copying sync.WaitGroup
	for _, o := range outputs {
		copying.Go(func() { s.copy(o.kind, o.from) })
	}
	status, err := wait(pid)
	ended.Store(true)
	for _, o := range outputs {
		_ = o.from.SetReadDeadline(time.Now().Add(lastOutput))
	}
	copying.Wait()
	for _, o := range outputs { // a slow reader may have used up the time
		s.rest(o)
	}
	if err != nil && !errors.Is(err, unix.ECHILD) { // the end of the task kills and reaps it
		return stream.Outcome{}, err
	}
	return stream.Outcome{Code: exitOf(status).Code}, nil
}

// beside returns a function that starts commands in the namespaces that the keeper keeps, as the task was started.
func (c command) beside(keeper int) starter {
	return func(argv []string, files []uintptr, terminal bool) (pid int, err error) {
		failed := make(chan error, 1)
		go func() {
			runtime.LockOSThread() // without unlocking: the thread ends with its namespaces
			failed <- func() error {
				if err := enterSpaces(keeper); err != nil {
					return err
				}
				pid, err = c.start(argv, files, terminal)
				return err
			}()
		}()
		return pid, <-failed
	}
}

// enterSpaces moves the thread's future children into the namespaces of a process.
func enterSpaces(pid int) error {
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return err
	}
	folder := filepath.Join("/proc", strconv.Itoa(pid), "ns")
	for _, name := range []string{"ipc", "pid", "mnt"} { // the last hides /proc
		fd, err := unix.Open(filepath.Join(folder, name), unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("enter the task's namespaces: %w", err)
		}
		err = unix.Setns(fd, 0)
		unix.Close(fd)
		if err != nil {
			return fmt.Errorf("enter the task's namespace %s: %w", name, err)
		}
	}
	return nil
}

// start starts a command as the task is started.
func (c command) start(argv []string, files []uintptr, terminal bool) (int, error) {
	env := c.task.Environ()
	if terminal {
		env = append(env, "TERM=xterm")
	}
	return start(c.program, c.task.Folder(), append([]string{c.part}, argv...), env, files, terminal)
}
