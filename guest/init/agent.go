//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

const (
	agentName    = "agent"
	freeTaskName = "aliquot-free-task"
)

// serve runs the task in the folder, which is the mounted seed, and reports the outcome. It returns an error only if
// there is no control port to report it on.
func serve(folder string) error {
	control, err := openPort(protocol.ControlPort)
	if err != nil {
		return err
	}
	if err := protocol.WriteControl(control, protocol.Hello{Version: protocol.Version}); err != nil {
		return fmt.Errorf("say hello: %w", err)
	}
	go keepTime()
	return protocol.WriteControl(control, outcome(serveTask(control, folder)))
}

func serveTask(control io.Writer, folder string) (protocol.Exit, error) {
	port, err := openPort(protocol.OutputPort)
	if err != nil {
		return protocol.Exit{}, err
	}
	task, err := readTask(filepath.Join(folder, "task"))
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
	// Orphans of the task become children of the agent, which can end them.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return protocol.Exit{}, fmt.Errorf("become the parent of orphans: %w", err)
	}
	// A shortage of memory must kill the task, which takes its rank back, and not the agent.
	if err := rankForOOM(never); err != nil {
		return protocol.Exit{}, err
	}
	c := command{task, port, results, filepath.Join(folder, agentName), freeTaskName, endChildren}
	go visitors{task, c.start, "/"}.serve()
	return c.run(control)
}

// endChildren kills all children, and theirs as they become the agent's, until there is none.
func endChildren() error {
	for {
		for _, pid := range children() {
			if err := unix.Kill(pid, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
		_, err := unix.Wait4(-1, nil, 0, nil)
		switch {
		case errors.Is(err, unix.ECHILD):
			return nil
		case err != nil && !errors.Is(err, unix.EINTR):
			return err
		}
	}
}

// children lists the children of all threads of this process.
func children() (pids []int) {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range files {
		list, _ := os.ReadFile(file)
		for _, field := range strings.Fields(string(list)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
