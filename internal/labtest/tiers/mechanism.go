package main

import (
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
)

// mechanisms put the background VM in its place. Both VMs are in the foreground before.
var mechanisms = map[string]func(*node, *machine) error{
	"shares":            (*node).shares,
	"SCHED_IDLE":        func(_ *node, m *machine) error { return m.each(idle) },
	"nice 19":           func(_ *node, m *machine) error { return m.each(nice) },
	"cpu.idle":          func(_ *node, m *machine) error { return m.write("cpu.idle", "1") },
	"shares+SCHED_IDLE": both,
}

func (n *node) shares(m *machine) error {
	return n.hypervisor.SetShare(n.ctx, m.VM, m.Cap, cluster.Background, m.Core)
}

func both(n *node, m *machine) error {
	if err := n.shares(m); err != nil {
		return err
	}
	return m.each(idle)
}

// each calls f for each thread of the VM's process.
func (m *machine) each(f func(thread int) error) error {
	threads, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(m.pid), "task"))
	for _, thread := range threads {
		id, _ := strconv.Atoi(thread.Name())
		if err == nil {
			err = f(id)
		}
	}
	return err
}

func idle(thread int) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}, 0)
}

func nice(thread int) error { return unix.Setpriority(unix.PRIO_PROCESS, thread, 19) }

// write sets a setting of the VM's cgroup.
func (m *machine) write(file, value string) error {
	return os.WriteFile(filepath.Join(m.account.cpu, file), []byte(value), 0)
}
