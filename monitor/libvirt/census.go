package libvirt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// slowCmdline is how long a process may take to show its command line.
const slowCmdline = time.Second

// census finds QEMU processes. The kernel makes a reader of a command line wait while the process changes its memory
// map, and a process that waits for a dead disk may do that for ever. So the command line of a QEMU process is read
// only once, and nobody waits long for another.
type census struct {
	root string // /proc

	mu    sync.Mutex
	known map[int]Process  // by pid; QEMU never becomes another program
	asked map[int]*inquiry // by pid
}

// inquiry is the reading of one command line.
type inquiry struct {
	began time.Time
	done  chan struct{}
	text  []byte
	err   error
}

func newCensus(root string) *census {
	return &census{root: root, known: map[int]Process{}, asked: map[int]*inquiry{}}
}

// local is shared by all callers, because a stuck reader stays for as long as the process.
var local = newCensus("/proc")

// Processes lists the QEMU processes in the caller's /proc. It lists those that it knows even with an error: that one
// that looks like QEMU does not show its command line.
func Processes() ([]Process, error) { return local.list() }

func (c *census) list() ([]Process, error) {
	entries, err := os.ReadDir(c.root)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var found []Process
	var failed []error
	present := map[int]bool{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		present[pid] = true
		p, err := c.process(pid)
		if failed = append(failed, err); p.UUID != "" {
			found = append(found, p)
		}
	}
	c.forget(present)
	return found, errors.Join(failed...)
}

// process returns a QEMU process; the zero Process if it is another one or has ended.
func (c *census) process(pid int) (Process, error) {
	stat, err := statOf(c.file(pid, "stat"))
	if err != nil || stat.state == 'Z' {
		return Process{}, nil
	}
	c.mu.Lock()
	p, known := c.known[pid]
	c.mu.Unlock()
	if known && p.Start == stat.start {
		return p, nil
	}
	cmdline, ok := c.cmdline(pid)
	if !ok && strings.Contains(stat.name, "qemu") {
		return Process{}, fmt.Errorf("process %d (%s) does not show its command line: is it stuck on a disk?", pid, stat.name)
	}
	if p, ok = parseCmdline(cmdline); !ok {
		return Process{}, nil
	}
	p.Pid, p.Start = pid, stat.start
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[pid] = p
	return p, nil
}

// cmdline returns the command line of a process, empty if it has ended. It reports whether it was shown in time.
func (c *census) cmdline(pid int) ([]byte, bool) {
	q := c.ask(pid)
	select {
	case <-q.done:
	case <-time.After(time.Until(q.began.Add(slowCmdline))):
		return nil, false
	}
	if q.err != nil {
		return nil, true
	}
	return q.text, true
}

// ask begins to read a command line, unless an earlier reading still waits.
func (c *census) ask(pid int) *inquiry {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.asked[pid]
	if q != nil {
		return q
	}
	q = &inquiry{began: time.Now(), done: make(chan struct{})}
	c.asked[pid] = q
	go func() {
		q.text, q.err = os.ReadFile(c.file(pid, "cmdline"))
		c.mu.Lock()
		delete(c.asked, pid)
		c.mu.Unlock()
		close(q.done)
	}()
	return q
}

// forget drops processes that have ended.
func (c *census) forget(present map[int]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for pid := range c.known {
		if !present[pid] {
			delete(c.known, pid)
		}
	}
}

func (c *census) file(pid int, name string) string {
	return filepath.Join(c.root, strconv.Itoa(pid), name)
}
