//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

// runTask reads the task, runs its command to its end and passes its output on.
func runTask(control io.Writer) (protocol.Exit, error) {
	port, err := openStream(protocol.OutputPort) // before the task's devices cover it
	if err != nil {
		return protocol.Exit{}, err
	}
	task, err := ownTask()
	if err != nil {
		return protocol.Exit{}, err
	}
	results, err := openResults(task)
	if err != nil {
		return protocol.Exit{}, err
	}
	if err := layOut(task); err != nil {
		return protocol.Exit{}, err
	}
	if err := connect(task); err != nil {
		return protocol.Exit{}, err
	}
	keeper, err := confine()
	if err != nil {
		return protocol.Exit{}, err
	}
	// Killing the keeper kills every process that the command left behind.
	end := func() error { return unix.Kill(keeper, unix.SIGKILL) }
	c := command{task, port, results, "/init", taskName, end}
	go visitors{task, c.beside(keeper), fmt.Sprintf("/proc/%d/root", keeper)}.serve()
	return c.run(control)
}

// openResults opens the port for the task's results; nil if it names none.
func openResults(task protocol.Task) (io.Writer, error) {
	if len(task.Outputs) == 0 {
		return nil, nil
	}
	return openStream(protocol.ResultPort)
}

// command is the command of a task, and what differs between init and the agent.
type command struct {
	task    protocol.Task
	port    io.Writer    // for its output
	results io.Writer    // the port for its results; nil: it has none
	program string       // this one
	part    string       // that it plays before it becomes the command
	end     func() error // ends all processes that the command left behind
}

// run runs the command and passes its output on.
func (c command) run(control io.Writer) (protocol.Exit, error) {
	var exit protocol.Exit
	var pipes [2][2]int
	for i := range pipes {
		if err := unix.Pipe2(pipes[i][:], unix.O_CLOEXEC); err != nil {
			return exit, fmt.Errorf("make a pipe: %w", err)
		}
	}
	null, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return exit, fmt.Errorf("open %s: %w", os.DevNull, err)
	}
	if err := protocol.WriteControl(control, protocol.Started{}); err != nil {
		return exit, fmt.Errorf("say started: %w", err)
	}
	files := []uintptr{uintptr(null), uintptr(pipes[0][1]), uintptr(pipes[1][1])}
	pid, err := c.start(c.task.Argv(), files, false)
	if err != nil {
		return exit, fmt.Errorf("start the task: %w", err)
	}
	unix.Close(pipes[0][1])
	unix.Close(pipes[1][1])

	out := output{port: c.port, left: c.task.OutputLimit()}
	var copying sync.WaitGroup
	copying.Go(func() { out.copy(protocol.Stdout, pipes[0][0]) })
	copying.Go(func() { out.copy(protocol.Stderr, pipes[1][0]) })
	status, err := wait(pid)
	if err != nil {
		return exit, fmt.Errorf("wait for the task: %w", err)
	}
	// The task ends with its command. Without other processes the pipes are closed.
	if err := c.end(); err != nil {
		return exit, fmt.Errorf("end the task's processes: %w", err)
	}
	copying.Wait()
	c.leave()
	return exitOf(status), nil
}

// leave sends the results. The exit counts even if that fails. It must run in the thread that has the task's view of
// the machine.
func (c command) leave() {
	if c.results == nil {
		return
	}
	if err := gather(c.results, c.task.ResultLimit(), protocol.Work, c.task.Outputs); err != nil {
		fmt.Fprintln(os.Stderr, "aliquot init: results are lost:", err)
	}
}

// start forks and runs this binary in the part that argv[0] names, in the namespaces of the calling
// thread. The first of the files may be its controlling terminal.
func start(program, folder string, argv, env []string, files []uintptr, terminal bool) (int, error) {
	// Not os.StartProcess: its first use forks a probe, which would become the first process of the pid namespace.
	return syscall.ForkExec(program, argv, &syscall.ProcAttr{Dir: folder, Env: env, Files: files,
		Sys: &syscall.SysProcAttr{Setsid: true, Setctty: terminal}})
}

func wait(pid int) (unix.WaitStatus, error) {
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(pid, &status, 0, nil)
		if err != unix.EINTR {
			return status, err
		}
	}
}

func exitOf(status unix.WaitStatus) protocol.Exit {
	if !status.Signaled() {
		return protocol.Exit{Code: status.ExitStatus()}
	}
	s := status.Signal()
	name := unix.SignalName(s)
	if name == "" {
		name = fmt.Sprintf("SIG%d", s)
	}
	return protocol.Exit{Code: 128 + int(s), Signal: name}
}

// execTask replaces itself by the task's command. On failure it exits as a shell would: 127 if there
// is no such command, 126 if it cannot be executed.
func execTask(argv []string, prepare func() error) {
	path, err := exec.LookPath(argv[0])
	if err == nil {
		if err = prepare(); err != nil {
			fail(err)
		}
		err = unix.Exec(path, argv, os.Environ())
	}
	var cause *exec.Error
	if errors.As(err, &cause) {
		err = cause.Err
	}
	fmt.Fprintf(os.Stderr, "aliquot: %s: %v\n", argv[0], err)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, unix.ENOENT) {
		os.Exit(127)
	}
	os.Exit(126)
}
