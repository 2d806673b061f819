package libvirt

import (
	"slices"
	"testing"
	"time"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
)

// runsOn reports whether exactly that one of the node's first two CPUs may run the VM's vCPU.
func (l *lab) runsOn(node, cpu int, vm monitor.VM) (holds bool) {
	return l.nodes[node].domain(l.ctx, vm, func(d *libvirt.Domain) error {
		pins, err := d.GetVcpuPinInfo(libvirt.DOMAIN_AFFECT_LIVE)
		holds = err == nil && slices.Equal(pins[0][:2], []bool{cpu == 0, cpu == 1})
		return err
	}) == nil && holds
}

// A node of two CPUs offers both whole, so that it has two processors.
func TestARunIsBoundToTheProcessorOfItsPlacementWhereverItGoes(t *testing.T) {
	l := newLab(t)
	l.cpu = 2000
	lead := l.agents(10 * time.Second)
	job, m := l.submit(lead, counting)
	task := cluster.TaskID{Job: job}
	place := func(node cluster.NodeID, core cluster.CoreID) {
		t.Helper()
		lead.apply(cluster.Adopt{Set: []cluster.Holding{{Job: job, Placement: cluster.Placement{
			Grant: cluster.Background.Grant(500), Nodes: []cluster.NodeID{node}, Cores: []cluster.CoreID{core}}}}})
	}
	move := func(what string, m cluster.Move) {
		t.Helper()
		m.Task, m.CPU, m.Tier = task, 500, cluster.Background
		lead.move(m)
		l.reaches(lead, job, what, running(max(m.From, m.To), 500))
	}

	place(1, 2)
	move("started", cluster.Move{Kind: cluster.Start, To: 1})
	l.eventually("it is bound where it starts", func() bool { return l.runsOn(0, 1, m.VM) })
	place(1, 1)
	l.eventually("it is bound to another processor in place", func() bool { return l.runsOn(0, 0, m.VM) })

	place(2, 2)
	lead.move(cluster.Move{Kind: cluster.Migrate, Task: task, From: 1, To: 2, CPU: 500, Tier: cluster.Background})
	l.reaches(lead, job, "migrated", running(2, 500))
	l.eventually("it is bound where it arrives", func() bool { return l.runsOn(1, 1, m.VM) })

	lead.move(cluster.Move{Kind: cluster.Pause, Task: task, From: 2})
	l.reaches(lead, job, "paused", func(t cluster.Task) bool { return t.Phase == cluster.Saved })
	place(1, 2)
	move("resumed", cluster.Move{Kind: cluster.Resume, To: 1})
	l.eventually("it is bound where it is resumed", func() bool { return l.runsOn(0, 1, m.VM) })

	l.stop[0]()
	l.start(lead, 0)
	before := len(l.counts(m))
	l.eventually("it goes on under a new agent", func() bool { return len(l.counts(m)) > before+2 })
	if !l.runsOn(0, 1, m.VM) {
		t.Error("a new agent bound it to another processor")
	}
	for i, n := range l.counts(m) {
		if n != (i+1)*20000 {
			t.Fatalf("line %d is %d: the guest did not go on where it was", i, n)
		}
	}
}
