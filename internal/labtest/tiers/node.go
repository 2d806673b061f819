package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/libvirt"
)

// node is the lab's node on which this program runs.
type node struct {
	ctx        context.Context
	hypervisor *libvirt.Hypervisor
	store      string
	core       int
	of         [16]byte
	jobs       cluster.JobID // of all VMs so far
}

func open(ctx context.Context, uri, store string, core int) (*node, error) {
	h, err := libvirt.Open(libvirt.Config{URI: uri, MigrateURI: uri, Accel: "tcg", Data: store,
		Bind: libvirt.BindThreads,
		Log:  zerolog.New(os.Stderr)})
	if err != nil {
		return nil, err
	}
	n := &node{ctx: ctx, hypervisor: h, store: store, core: core, of: [16]byte{'t', 'w', 'o'}}
	return n, n.eventually("libvirt answers", func() bool {
		_, err := h.Describe(ctx)
		return err == nil
	})
}

func (n *node) eventually(what string, holds func() bool) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-n.ctx.Done():
			return fmt.Errorf("not in time: %s", what)
		}
	}
	return nil
}

// A machine is a VM with its cgroup.
type machine struct {
	monitor.Machine
	pid     int
	account account
}

// unbound is a cap that throttles no VM of one vCPU. A cap of exactly a core would where the machine's own CPU is taken
// away for a while, because the kernel charges that to the VM that ran.
const unbound = 2 * cluster.Core

// start returns a VM that works in turns of some milliseconds, on the node's core.
func (n *node) start(turn int) (*machine, error) {
	n.jobs++
	run := cluster.RunID{Job: n.jobs, Number: 1}
	m := &machine{Machine: monitor.Machine{
		VM: monitor.VM{Cluster: n.of, Run: run}, VCPUs: 1, Memory: 32 * cluster.MiB, Cap: unbound,
		Core:   cluster.CoreID(n.core + 1),
		Image:  monitor.Image{Kernel: filepath.Join(n.store, "burst"), Cmdline: strconv.Itoa(turn)},
		Folder: monitor.RunFolder(n.store, run),
	}}
	task := protocol.Task{Job: run.Job.String(), Count: 1, Run: 1, Command: []string{"burst"}}
	if err := m.Folder.Prepare(task); err != nil {
		return nil, err
	}
	if err := n.hypervisor.Create(n.ctx, m.Machine); err != nil {
		return nil, err
	}
	if err := n.pin(m); err != nil {
		return nil, err
	}
	if err := n.find(m); err != nil {
		return nil, err
	}
	if err := n.hypervisor.Thaw(n.ctx, m.VM); err != nil {
		return nil, err
	}
	return m, n.eventually(m.VM.Name()+" works", func() bool { return m.lines() > 0 })
}

// pin binds QEMU's own threads to the node's core too.
func (n *node) pin(m *machine) error {
	virsh := exec.Command("virsh", "-q", "emulatorpin", "--live", m.VM.Name(), strconv.Itoa(n.core))
	if out, err := virsh.CombinedOutput(); err != nil {
		return fmt.Errorf("pin %s: %w: %s", m.VM.Name(), err, out)
	}
	return nil
}

// find finds the VM's process and its cgroup.
func (n *node) find(m *machine) error {
	processes, err := libvirt.ProcessesOf(n.of)
	if err != nil {
		return err
	}
	for _, p := range processes {
		if p.UUID == m.VM.UUID() {
			m.pid = p.Pid
			m.account, err = accountOf(p.Pid)
			return err
		}
	}
	return fmt.Errorf("no process of %s", m.VM.Name())
}

// lines counts the lines that the guest has written.
func (m *machine) lines() int {
	text, _ := os.ReadFile(m.Folder.Console())
	return bytes.Count(text, []byte("\n"))
}

// A done is the guest's own account of its work, at a time by its processor's clock.
type done struct {
	rounds, clock uint64
}

// work returns the guest's next line.
func (n *node) work(m *machine) (d done, err error) {
	before := m.lines()
	if err := n.eventually(m.VM.Name()+" writes", func() bool { return m.lines() > before }); err != nil {
		return done{}, err
	}
	text, err := os.ReadFile(m.Folder.Console())
	if err != nil {
		return done{}, err
	}
	lines := bytes.Split(text, []byte("\n"))
	_, err = fmt.Sscanf(string(lines[len(lines)-2]), "%x %x", &d.rounds, &d.clock)
	return d, err
}
