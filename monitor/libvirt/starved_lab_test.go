package libvirt

import (
	"cmp"
	"os"
	"slices"
	"testing"
	"time"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
)

// busy starts a VM in the foreground for each CPU of the machine. Together they leave nothing of the first node.
func (l *lab) busy() (all []monitor.Machine) {
	l.t.Helper()
	for job := cluster.JobID(91); job < 93; job++ {
		m := l.run(job, 1000, "while :; do :; done")
		l.ok(l.nodes[0].Thaw(l.ctx, m.VM))
		all = append(all, m)
	}
	l.eventually("both guests have started", func() bool { return l.guest(all[0]).Started && l.guest(all[1]).Started })
	return all
}

// wantRunBy asserts which of the first processors of a node may run the VM's first vCPU.
func (l *lab) wantRunBy(node int, vm monitor.VM, want ...bool) {
	l.t.Helper()
	l.ok(l.nodes[node].domain(l.ctx, vm, func(d *libvirt.Domain) error {
		pins, err := d.GetVcpuPinInfo(libvirt.DOMAIN_AFFECT_LIVE)
		if err == nil && !slices.Equal(pins[0][:len(want)], want) {
			l.t.Errorf("processors that may run its vCPU: %v, want %v", pins[0], want)
		}
		return err
	}))
}

func TestAVMInTheBackgroundIsMadeAndMovedOnABusyNode(t *testing.T) {
	l := newLab(t)
	here, there := l.nodes[0], l.nodes[1]
	busy := l.busy()
	m := l.described(1, 5, 500, counting)
	m.Tier, m.Core = cluster.Background, 2
	took := func(what string, do func() error) {
		t.Helper()
		began := time.Now()
		l.ok(do())
		t.Logf("%s in %v", what, time.Since(began))
	}
	inBackground := func(what string) {
		t.Helper()
		if d, ok := l.domain(0, m.VM); !ok || d.Tier != cluster.Background || d.Cap != 500 {
			t.Errorf("%s: %+v, %v; want 500m in the background", what, d, ok)
		}
		l.wantRunBy(0, m.VM, false, true)
	}
	took("made", func() error { return here.Create(l.ctx, m) })
	inBackground("made")
	for _, b := range busy {
		l.ok(here.Freeze(l.ctx, b.VM))
	}
	l.ok(here.Thaw(l.ctx, m.VM))
	l.eventually("the guest counts", func() bool { return len(l.counts(m)) > 3 })
	for _, b := range busy {
		l.ok(here.Thaw(l.ctx, b.VM))
	}
	took("saved", func() error { return here.Save(l.ctx, m.VM, m.Folder.Partial()) })
	took("restored", func() error { return here.Restore(l.ctx, m, m.Folder.Partial()) })
	inBackground("restored")
	l.ok(here.Thaw(l.ctx, m.VM))
	took("moved away", func() error { return here.Migrate(l.ctx, m.VM, 1, l.uris[1], 500, cluster.Background) })
	l.wantRunBy(1, m.VM, true, true)
	l.ok(there.Thaw(l.ctx, m.VM))
	took("moved back", func() error { return there.Migrate(l.ctx, m.VM, 1, l.uris[0], 500, cluster.Background) })
	l.ok(here.Thaw(l.ctx, m.VM))
	l.ok(here.SetShare(l.ctx, m.VM, 500, cluster.Background, 1))
	l.wantRunBy(0, m.VM, true, false)
	l.ok(here.SetShare(l.ctx, m.VM, 500, cluster.Background, 0))
	l.wantRunBy(0, m.VM, true, true)
	took("frozen", func() error { return here.Freeze(l.ctx, m.VM) })
	took("ended", func() error { return here.Destroy(l.ctx, m.VM) })
}

// starvation returns how long a run is starved: several times as long as a lease, or as ALIQUOT_STARVATION says.
func starvation(t *testing.T) time.Duration {
	t.Helper()
	text := cmp.Or(os.Getenv("ALIQUOT_STARVATION"), "30s")
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("ALIQUOT_STARVATION: %v", err)
	}
	return d
}

func TestARunThatIsStarvedLosesNothing(t *testing.T) {
	lasts := starvation(t)
	l := newLabFor(t, lasts)
	l.cpu = 2000 // twice what the node may use
	lead := l.agents(10 * time.Second)
	job, m := l.submit(lead, counting)
	task := cluster.TaskID{Job: job}
	lead.move(cluster.Move{Kind: cluster.Start, Task: task, To: 1, CPU: 500, Tier: cluster.Background})
	l.reaches(lead, job, "started in the background", running(1, 500))
	l.eventually("the guest counts", func() bool { return len(l.counts(m)) > 3 })

	var busy []cluster.JobID
	for range 4 { // twice as many as processors, so that one is on each of them, however busy the machine is
		id, _ := l.submit(lead, "while :; do :; done")
		busy = append(busy, id)
		lead.move(cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: id}, To: 1, CPU: 500})
		l.reaches(lead, id, "started in the foreground", running(1, 500))
	}
	l.eventually("it is starved", func() bool {
		lead.mu.Lock()
		defer lead.mu.Unlock()
		u, known := lead.usage[m.VM.Run]
		return known && u.CPU < 50 // millicores, a tenth of its cap
	})
	for began := time.Now(); time.Since(began) < lasts; time.Sleep(time.Second) {
		if now := lead.task(job); !running(1, 500)(now) || now.Run != 1 {
			t.Fatalf("%v after it was starved: %+v", time.Since(began), now)
		}
	}

	for _, id := range busy {
		lead.apply(cluster.Cancel{Job: id, Cause: cluster.Cause{Text: "test"}})
		lead.move(cluster.Move{Kind: cluster.Stop, Task: cluster.TaskID{Job: id}, From: 1})
		l.reaches(lead, id, "stopped", func(t cluster.Task) bool { return t.Phase == cluster.Done })
	}
	before := len(l.counts(m))
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > before+10 })
	for i, n := range l.counts(m) {
		if n != (i+1)*20000 {
			t.Fatalf("line %d is %d: the guest did not go on where it was", i, n)
		}
	}
}
