package labtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
)

// A guest is a VM as the machine shows it: a process of QEMU in the cgroups of a node.
type guest struct {
	node, name string // node, and name of the domain
	pid        int
	cgroup     string // folder of the VM's CPU controller
	memory     cluster.Bytes
}

// guests returns the VMs on each node, ours and foreign ones.
func (l *lab) guests() map[string][]guest {
	found := map[string][]guest{}
	for _, p := range l.places {
		found[p.name] = nil
		folders, _ := filepath.Glob(filepath.Join(l.env["CGROUP_"+p.name], "machine", "qemu-*"))
		for _, folder := range folders {
			if g, ok := guestIn(folder); ok {
				g.node = p.name
				found[p.name] = append(found[p.name], g)
			}
		}
	}
	return found
}

// guestsOf returns the VMs of a task. There is more than one only during a migration.
func (l *lab) guestsOf(job string, task int) (found []guest) {
	of := fmt.Sprintf("-%s-%d-", job, task)
	for _, p := range l.places {
		for _, g := range l.guests()[p.name] {
			if strings.HasPrefix(g.name, "aliquot-") && strings.Contains(g.name, of) {
				found = append(found, g)
			}
		}
	}
	return found
}

// guestIn returns the VM in a cgroup; false if it is starting or ending.
func guestIn(cgroup string) (guest, bool) {
	pids, err := os.ReadFile(filepath.Join(cgroup, "emulator", "cgroup.procs"))
	if err != nil {
		return guest{}, false
	}
	for field := range bytes.FieldsSeq(pids) {
		pid, err := strconv.Atoi(string(field))
		if err != nil {
			continue
		}
		cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if g, ok := parseGuest(cmdline); err == nil && ok {
			g.pid, g.cgroup = pid, cgroup
			return g, true
		}
	}
	return guest{}, false
}

// parseGuest parses the command line that libvirt gives QEMU.
func parseGuest(cmdline []byte) (g guest, ok bool) {
	args := strings.Split(string(cmdline), "\x00")
	for i, arg := range args[:len(args)-1] {
		value := args[i+1]
		switch arg {
		case "-name":
			value, _, _ = strings.Cut(value, ",")
			g.name = strings.TrimPrefix(value, "guest=")
		case "-m":
			value, _, _ = strings.Cut(strings.TrimPrefix(value, "size="), ",")
			g.memory = sizeOf(value)
		}
	}
	return g, g.name != "" && g.memory > 0
}

// sizeOf parses an amount of memory as QEMU does: in MiB unless it ends in k.
func sizeOf(text string) cluster.Bytes {
	number, kilo := strings.CutSuffix(text, "k")
	n, _ := strconv.ParseInt(number, 10, 64)
	if kilo {
		return cluster.Bytes(n << 10)
	}
	return cluster.Bytes(n << 20)
}

// A spent is the use of a CPU cgroup since its creation, and how it was throttled.
type spent struct {
	used      time.Duration
	throttled time.Duration
	periods   int // periods in which it wanted to run
	short     int // of these, periods in which its quota did not suffice
}

// plus returns a + sign·b.
func (a spent) plus(b spent, sign int) spent {
	return spent{
		a.used + time.Duration(sign)*b.used, a.throttled + time.Duration(sign)*b.throttled,
		a.periods + sign*b.periods, a.short + sign*b.short,
	}
}

func (a spent) String() string { return fmt.Sprintf("%d of %d", a.short, a.periods) }

// spentBy reads a CPU cgroup of version 1 or 2.
func spentBy(cgroup string) (spent, error) {
	text, err := os.ReadFile(filepath.Join(cgroup, "cpu.stat"))
	if err != nil {
		return spent{}, err
	}
	stat := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			stat[name], _ = strconv.ParseInt(value, 10, 64)
		}
	}
	s := spent{periods: int(stat["nr_periods"]), short: int(stat["nr_throttled"])}
	if used, v2 := stat["usage_usec"]; v2 {
		s.used = time.Duration(used) * time.Microsecond
		s.throttled = time.Duration(stat["throttled_usec"]) * time.Microsecond
		return s, nil
	}
	s.throttled = time.Duration(stat["throttled_time"])
	// Version 1 may account in a separate hierarchy.
	usage, err := os.ReadFile(filepath.Join(strings.Replace(cgroup, "/sys/fs/cgroup/cpu/", "/sys/fs/cgroup/cpuacct/", 1),
		"cpuacct.usage"))
	if err != nil {
		return spent{}, err
	}
	used, err := strconv.ParseInt(string(bytes.TrimSpace(usage)), 10, 64)
	s.used = time.Duration(used)
	return s, err
}

// vcpus returns the cgroups of the VM's vCPUs.
func (g guest) vcpus() []string {
	folders, _ := filepath.Glob(filepath.Join(g.cgroup, "vcpu*"))
	return folders
}
