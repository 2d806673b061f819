package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const root = "/sys/fs/cgroup"

// account is the CPU cgroup of a VM, its own threads of QEMU included.
type account struct {
	cpu, usage string // folder of the controller, and file with the time used
	v2         bool
}

// accountOf finds the cgroup from the kernel's record of the VM's process.
func accountOf(pid int) (account, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return account{}, err
	}
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		path, found := strings.CutSuffix(part[2], "/emulator")
		switch {
		case !found:
		case part[0] == "0":
			return account{filepath.Join(root, path), filepath.Join(root, path, "cpu.stat"), true}, nil
		case strings.Contains(","+part[1]+",", ",cpu,"):
			return account{filepath.Join(root, "cpu", path), filepath.Join(root, "cpuacct", path, "cpuacct.usage"), false}, nil
		}
	}
	return account{}, errors.New("no CPU cgroup of a VM in " + string(text))
}

// used returns the CPU time since the cgroup was made.
func (a account) used() (time.Duration, error) {
	text, err := os.ReadFile(a.usage)
	if err != nil {
		return 0, err
	}
	var n int64
	if a.v2 {
		_, err = fmt.Sscanf(string(text), "usage_usec %d", &n)
		return time.Duration(n) * time.Microsecond, err
	}
	_, err = fmt.Sscan(string(text), &n)
	return time.Duration(n), err
}
