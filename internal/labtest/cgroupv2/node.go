package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	peer       string
	store      string
	of         [16]byte
	out        *json.Encoder
}

func open(ctx context.Context, uri, peer, store string) (*node, error) {
	h, err := libvirt.Open(libvirt.Config{URI: uri, MigrateURI: uri, Accel: "tcg", Data: store,
		Bind: libvirt.BindThreads,
		Log:  zerolog.New(os.Stderr)})
	if err != nil {
		return nil, err
	}
	n := &node{ctx, h, peer, store, [16]byte{'v', '2'}, json.NewEncoder(os.Stdout)}
	return n, n.eventually("libvirt answers", func() bool {
		_, err := h.Describe(ctx)
		return err == nil
	})
}

func (n *node) eventually(what string, holds func() bool) error {
	tick := time.NewTicker(50 * time.Millisecond)
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

func (n *node) machine(job cluster.JobID, vcpus int, cap cluster.CPU) *monitor.Machine {
	run := cluster.RunID{Job: job, Number: 1}
	return &monitor.Machine{
		VM: monitor.VM{Cluster: n.of, Run: run}, VCPUs: vcpus, Memory: 32 * cluster.MiB, Cap: cap,
		Image: monitor.Image{Kernel: filepath.Join(n.store, "spin")}, Folder: monitor.RunFolder(n.store, run),
	}
}

// create creates a VM that does not run yet and prints its sight.
func (n *node) create(job cluster.JobID, vcpus int, cap cluster.CPU) (*monitor.Machine, error) {
	m := n.machine(job, vcpus, cap)
	if err := m.Folder.Prepare(protocol.Task{Job: job.String(), Count: 1, Run: 1, Command: []string{"spin"}}); err != nil {
		return nil, err
	}
	if err := n.hypervisor.Create(n.ctx, *m); err != nil {
		return nil, err
	}
	return m, n.show("created", m, use{})
}

// start creates a VM of one vCPU and returns when it spins under its cap. The VM boots with a whole CPU, because
// booting is emulated twice.
func (n *node) start(job cluster.JobID, cap cluster.CPU) (*monitor.Machine, error) {
	m, err := n.create(job, 1, cap)
	if err != nil {
		return nil, err
	}
	if err := n.hypervisor.SetShare(n.ctx, m.VM, cluster.Core, m.Tier, m.Core); err != nil {
		return nil, err
	}
	if err := n.hypervisor.Thaw(n.ctx, m.VM); err != nil {
		return nil, err
	}
	if err := n.eventually(m.VM.Name()+" spins", func() bool { return spins(m) }); err != nil {
		return nil, err
	}
	return m, n.set(m, cap, m.Tier)
}

func (n *node) set(m *monitor.Machine, cap cluster.CPU, tier cluster.Tier) error {
	m.Cap, m.Tier = cap, tier
	return n.hypervisor.SetShare(n.ctx, m.VM, cap, tier, m.Core)
}

// spins reports whether the guest has written its first byte.
func spins(m *monitor.Machine) bool {
	info, err := os.Stat(m.Folder.Console())
	return err == nil && info.Size() > 0
}
