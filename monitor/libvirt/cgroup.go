package libvirt

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cgroups reads the CPU controller of cgroup v1 or v2.
type cgroups struct {
	version int
	root    string
}

// findCgroups detects the version mounted at root, usually /sys/fs/cgroup.
func findCgroups(root string) cgroups {
	if _, err := os.Stat(filepath.Join(root, "cgroup.controllers")); err == nil {
		return cgroups{2, root}
	}
	return cgroups{1, root}
}

// spent is the CPU time that a cgroup has used and was throttled since it was created.
type spent struct {
	used, throttled time.Duration
}

// emulatorPath finds the CPU cgroup of a QEMU process in the content of /proc/PID/cgroup. The path
// ends in /emulator; the vCPUs' cgroups are its siblings.
func (c cgroups) emulatorPath(content []byte) (string, error) {
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		part := strings.SplitN(lines.Text(), ":", 3)
		if len(part) == 3 && c.controls(part[0], part[1]) && path.Base(part[2]) == "emulator" {
			return part[2], nil
		}
	}
	return "", fmt.Errorf("no CPU cgroup of a VM in %q", content)
}

func (c cgroups) controls(hierarchy, controllers string) bool {
	if c.version == 2 {
		return hierarchy == "0"
	}
	for _, name := range strings.Split(controllers, ",") {
		if name == "cpu" {
			return true
		}
	}
	return false
}

// vcpus returns the sum over the VM's vCPUs, which the quota of their VM's cgroup may throttle as well.
func (c cgroups) vcpus(emulator string, count int) (sum spent, err error) {
	whole, err := c.read(path.Dir(emulator))
	if err != nil {
		return spent{}, err
	}
	sum.throttled = whole.throttled
	for i := range count {
		one, err := c.read(path.Join(path.Dir(emulator), "vcpu"+strconv.Itoa(i)))
		if err != nil {
			return spent{}, err
		}
		sum.used += one.used
		sum.throttled += one.throttled
	}
	return sum, nil
}

// above returns the throttling of all ancestors of the VM's own cgroup.
func (c cgroups) above(emulator string) (sum time.Duration) {
	for at := path.Dir(path.Dir(emulator)); ; at = path.Dir(at) {
		if one, err := c.read(at); err == nil {
			sum += one.throttled
		}
		if at == "/" || at == "." {
			return sum
		}
	}
}

// read reads one cgroup; its path is relative to the root of the hierarchy.
func (c cgroups) read(at string) (spent, error) {
	if c.version == 2 {
		stat, err := os.ReadFile(filepath.Join(c.root, at, "cpu.stat"))
		if err != nil {
			return spent{}, fmt.Errorf("read CPU statistics: %w", err)
		}
		return spent{field(stat, "usage_usec", time.Microsecond), field(stat, "throttled_usec", time.Microsecond)}, nil
	}
	stat, err := os.ReadFile(filepath.Join(c.root, "cpu", at, "cpu.stat"))
	if err != nil {
		return spent{}, fmt.Errorf("read CPU statistics: %w", err)
	}
	usage, err := os.ReadFile(filepath.Join(c.root, "cpuacct", at, "cpuacct.usage"))
	if err != nil {
		return spent{}, fmt.Errorf("read CPU usage: %w", err)
	}
	used, err := strconv.ParseInt(string(bytes.TrimSpace(usage)), 10, 64)
	if err != nil {
		return spent{}, fmt.Errorf("read CPU usage: %w", err)
	}
	return spent{time.Duration(used), field(stat, "throttled_time", time.Nanosecond)}, nil
}

// field returns the named value of a file whose lines hold a name and a value; 0 if the name is missing.
func field(stat []byte, name string, unit time.Duration) time.Duration {
	for line := range bytes.Lines(stat) {
		if key, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" ")); ok && string(key) == name {
			n, _ := strconv.ParseInt(string(value), 10, 64)
			return time.Duration(n) * unit
		}
	}
	return 0
}
