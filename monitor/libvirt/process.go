package libvirt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/monitor"
)

// Process is a running QEMU process, found without libvirt.
type Process struct {
	Pid   int
	Start uint64 // distinguishes it from a later process with the same pid
	Name  string // of the domain
	UUID  string
}

// parseCmdline recognises a QEMU process that libvirt has started.
func parseCmdline(cmdline []byte) (Process, bool) {
	args := strings.Split(string(bytes.TrimRight(cmdline, "\x00")), "\x00")
	if !strings.Contains(filepath.Base(args[0]), "qemu") {
		return Process{}, false
	}
	var p Process
	for i, arg := range args[:len(args)-1] {
		switch arg {
		case "-name":
			name, _, _ := strings.Cut(args[i+1], ",")
			p.Name = strings.TrimPrefix(name, "guest=")
		case "-uuid":
			p.UUID = args[i+1]
		}
	}
	return p, p.Name != "" && p.UUID != ""
}

// stat holds the fields of /proc/PID/stat that are used here.
type stat struct {
	name  string // of the program, cut by the kernel
	state byte
	start uint64
}

func readStat(pid int) (stat, error) { return statOf(procFile(pid, "stat")) }

func statOf(path string) (stat, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return stat{}, err
	}
	return parseStat(content)
}

// parseStat counts fields from after the name, which may contain spaces and parentheses.
func parseStat(content []byte) (stat, error) {
	before, i := bytes.IndexByte(content, '('), bytes.LastIndexByte(content, ')')
	fields := bytes.Fields(content[i+1:])
	if before < 0 || i < before || len(fields) < 20 || len(fields[0]) != 1 {
		return stat{}, fmt.Errorf("%q is not a process status", content)
	}
	start, err := strconv.ParseUint(string(fields[19]), 10, 64)
	return stat{string(content[before+1 : i]), fields[0][0], start}, err
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

// Alive reports whether the process still exists and the pid was not reused.
func (p Process) Alive() bool {
	s, err := readStat(p.Pid)
	return err == nil && s.start == p.Start && s.state != 'Z'
}

// hertz is the unit of a process's start in /proc, the same on all architectures that libvirt runs QEMU on.
const hertz = 100

// age returns for how long the process has run.
func (p Process) age() time.Duration {
	return max(0, monitor.BootTime()-time.Duration(p.Start)*(time.Second/hertz))
}

// Stopped reports whether a signal has stopped the process.
func (p Process) Stopped() bool {
	s, err := readStat(p.Pid)
	return err == nil && s.start == p.Start && (s.state == 'T' || s.state == 't')
}

// Signal sends a signal to this process and never to a later one with the same pid.
func (p Process) Signal(s unix.Signal) error {
	fd, err := unix.PidfdOpen(p.Pid, 0)
	if err == unix.ESRCH {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open process %d: %w", p.Pid, err)
	}
	defer unix.Close(fd)
	if !p.Alive() {
		return nil
	}
	if err := unix.PidfdSendSignal(fd, s, nil, 0); err != nil && err != unix.ESRCH {
		return fmt.Errorf("signal process %d of %s: %w", p.Pid, p.Name, err)
	}
	return nil
}

// memory returns the resident memory in bytes; 0 if it is unknown.
func (p Process) memory() int64 {
	content, err := os.ReadFile(procFile(p.Pid, "statm"))
	fields := bytes.Fields(content)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// ProcessesOf lists the QEMU processes of a cluster's VMs, by name and UUID together. It lists those that it knows even
// with an error.
func ProcessesOf(of [16]byte) ([]Process, error) {
	all, err := Processes()
	var ours []Process
	for _, p := range all {
		if p.of(of) {
			ours = append(ours, p)
		}
	}
	return ours, err
}

func (p Process) of(cluster [16]byte) bool {
	_, err := monitor.ParseVM(cluster, p.Name, p.UUID)
	return err == nil
}
