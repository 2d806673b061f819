package main

import (
	"os"

	"aliquot/cluster"
	"aliquot/monitor"
)

// The jobs of the VMs. Both travellers move from one node to the other between the two halves.
const (
	wide cluster.JobID = iota + 1
	first
	second
)

// shares prints caps and tiers on a node with room: after creation, after changes, and after saving and restoring.
func shares(n *node) error {
	still, err := n.create(wide, 2, 500)
	if err != nil {
		return err
	}
	if err := n.hypervisor.Destroy(n.ctx, still.VM); err != nil {
		return err
	}
	one, err := n.start(first, 100)
	if err != nil {
		return err
	}
	two, err := n.start(second, 300)
	if err != nil {
		return err
	}
	if err := n.measure("capped", one, two); err != nil {
		return err
	}
	if err := n.set(one, 250, cluster.Foreground); err != nil {
		return err
	}
	if err := n.saveAndRestore(two); err != nil {
		return err
	}
	if err := n.measure("changed and restored", one, two); err != nil {
		return err
	}
	if err := tiers(n, one, two); err != nil {
		return err
	}
	for _, m := range []*monitor.Machine{one, two} {
		if err := n.hypervisor.Migrate(n.ctx, m.VM, 1, n.peer, 500, cluster.Foreground); err != nil {
			return err
		}
	}
	return nil
}

// tiers runs two VMs, either of which may use a whole CPU, on one CPU.
func tiers(n *node, front, back *monitor.Machine) error {
	front.Core, back.Core = 1, 1
	if err := n.set(front, 1000, cluster.Foreground); err != nil {
		return err
	}
	if err := n.set(back, 1000, cluster.Background); err != nil {
		return err
	}
	if err := n.measure("both tiers busy", front, back); err != nil {
		return err
	}
	if err := n.hypervisor.Freeze(n.ctx, front.VM); err != nil {
		return err
	}
	if err := n.measure("background alone", back); err != nil {
		return err
	}
	return n.hypervisor.Thaw(n.ctx, front.VM)
}

// overload prints the sights of VMs on a node with less CPU than the sum of their caps.
func overload(n *node) error {
	one, two := n.machine(first, 1, 500), n.machine(second, 1, 500)
	for _, m := range []*monitor.Machine{one, two} {
		if err := n.hypervisor.Thaw(n.ctx, m.VM); err != nil {
			return err
		}
	}
	return n.measure("moved and overloaded", one, two)
}

func (n *node) saveAndRestore(m *monitor.Machine) error {
	image := m.Folder.Saved()
	if err := n.hypervisor.Save(n.ctx, m.VM, image); err != nil {
		return err
	}
	if err := n.hypervisor.Verify(n.ctx, m.VM, image); err != nil {
		return err
	}
	if err := n.hypervisor.Restore(n.ctx, *m, image); err != nil {
		return err
	}
	if err := os.Remove(image); err != nil {
		return err
	}
	return n.hypervisor.Thaw(n.ctx, m.VM)
}
