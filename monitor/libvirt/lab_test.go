package libvirt

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// lab is two nodes, seen from within the first node's namespaces.
type lab struct {
	t     testing.TB
	ctx   context.Context
	nodes [2]*Hypervisor
	uris  []string
	image monitor.Image
	store string
	of    [16]byte

	cpu      cluster.CPU                          // that an agent offers of its node
	stop     [2]func()                            // ends a node's agent
	observed func(*Hypervisor) monitor.Hypervisor // stands between an agent and its node; nil: nothing does
}

// newLab needs ALIQUOT_LAB_URIS (two libvirt URIs; the test runs on the first one's node), ALIQUOT_LAB_IMAGE (the built
// guest image) and ALIQUOT_LAB_STORE (a folder that both nodes see).
func newLab(t testing.TB) *lab { return newLabFor(t, 0) }

// newLabFor is newLab for a test that waits for so long.
func newLabFor(t testing.TB, long time.Duration) *lab {
	t.Helper()
	uris := strings.Split(os.Getenv("ALIQUOT_LAB_URIS"), ",")
	if len(uris) != 2 {
		t.Skip("needs two nodes with libvirt: ALIQUOT_LAB_URIS=qemu+tls://A/system,qemu+tls://B/system")
	}
	image, err := monitor.ReadImage(os.Getenv("ALIQUOT_LAB_IMAGE"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute+long)
	t.Cleanup(cancel)
	l := &lab{t: t, ctx: ctx, uris: uris, image: image, cpu: 1000, of: [16]byte{byte(time.Now().UnixNano()), 7, 7}}
	if l.store, err = os.MkdirTemp(os.Getenv("ALIQUOT_LAB_STORE"), "libvirt-test-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(l.store) })
	l.ok(os.Chmod(l.store, 0o755)) // QEMU runs as another user
	for i, uri := range uris {
		h, err := Open(Config{URI: uri, MigrateURI: uri, Accel: "tcg", Data: l.store, Bind: BindThreads,
			Log: zerolog.New(zerolog.NewTestWriter(t))})
		if err != nil {
			t.Fatal(err)
		}
		l.nodes[i] = h
		t.Cleanup(h.Close)
		p, err := h.Describe(ctx)
		l.ok(err)
		t.Logf("node %d: %s; %v; overhead %v", i+1, p.Text, p.Names, p.Overhead)
	}
	return l
}

func (l *lab) ok(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

const patience = 2 * time.Minute // of a busy machine that emulates its VMs

// eventually polls until the condition holds.
func (l *lab) eventually(what string, holds func() bool) {
	l.t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// run starts a run of a shell script with 128 MiB on the first node.
func (l *lab) run(job cluster.JobID, cap cluster.CPU, script string) monitor.Machine {
	l.t.Helper()
	return l.runOn(1, job, cap, script)
}

// runOn is run for a VM of several vCPUs.
func (l *lab) runOn(vcpus int, job cluster.JobID, cap cluster.CPU, script string) monitor.Machine {
	l.t.Helper()
	m := l.described(vcpus, job, cap, script)
	l.ok(l.nodes[0].Create(l.ctx, m))
	return m
}

// described describes a VM that does not exist yet, and is ended with the test.
func (l *lab) described(vcpus int, job cluster.JobID, cap cluster.CPU, script string) monitor.Machine {
	l.t.Helper()
	run := cluster.RunID{Job: job, Number: 1}
	m := monitor.Machine{
		VM: monitor.VM{Cluster: l.of, Run: run}, Project: "test", VCPUs: vcpus, Memory: 128 * cluster.MiB,
		Cap: cap, Image: l.image, Folder: monitor.RunFolder(l.store, run),
	}
	l.ok(m.Folder.Prepare(protocol.Task{Job: job.String(), Count: 1, Run: 1, Command: []string{"/bin/sh", "-c", script}}))
	l.t.Cleanup(func() {
		for _, h := range l.nodes {
			if err := h.Destroy(context.Background(), m.VM); err != nil {
				l.t.Errorf("destroy %v: %v", run, err)
			}
		}
	})
	return m
}

func (l *lab) domain(node int, vm monitor.VM) (reconcile.Domain, bool) {
	l.t.Helper()
	listing, err := l.nodes[node].List(l.ctx, l.of)
	l.ok(err)
	d, ok := listing.Domains[vm.Run]
	return d, ok
}

func (l *lab) guest(m monitor.Machine) reconcile.Guest {
	l.t.Helper()
	g, err := m.Folder.Read()
	l.ok(err)
	return g
}

// counts returns the numbers that the guest has printed, one per line.
func (l *lab) counts(m monitor.Machine) (numbers []int) {
	l.t.Helper()
	file, err := os.ReadFile(m.Folder.Output())
	l.ok(err)
	var decoder protocol.OutputDecoder
	var text bytes.Buffer
	for _, chunk := range decoder.Feed(file) {
		text.Write(chunk.Data)
	}
	for line := range strings.Lines(text.String()) {
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// wantConfined asserts that the processes of the lab's VMs are confined as the node says.
func (l *lab) wantConfined(h *Hypervisor) {
	l.t.Helper()
	processes, err := ProcessesOf(l.of)
	l.ok(err)
	if len(processes) == 0 {
		l.t.Error("no VM has a process")
	}
	for _, p := range processes {
		if is, err := p.inForce(h.chosen.confined.driver); is != h.chosen.confined || err != nil {
			l.t.Errorf("%s: %v, %v; the node promises: %v", p.Name, is, err, h.chosen.confined)
		}
	}
}

// measured returns the CPU that the VM on the first node uses over some seconds.
func (l *lab) measured(vm monitor.VM) monitor.Usage {
	l.t.Helper()
	_, err := l.nodes[0].Sample(l.ctx, l.of)
	l.ok(err)
	time.Sleep(5 * time.Second)
	samples, err := l.nodes[0].Sample(l.ctx, l.of)
	l.ok(err)
	for _, u := range samples {
		if u.Run == vm.Run {
			return u
		}
	}
	l.t.Fatalf("no sample of %v", vm.Run)
	return monitor.Usage{}
}

const counting = "i=0; while :; do i=$((i+1)); [ $((i%20000)) = 0 ] && echo $i; done"

func TestVMKeepsItsCapAndItsCountThroughSaveRestoreAndMigration(t *testing.T) {
	l := newLab(t)
	m := l.runOn(2, 1, 300, counting) // one busy vCPU has all of the cap, the other is idle
	here, there := l.nodes[0], l.nodes[1]
	if d, ok := l.domain(0, m.VM); !ok || d.State != reconcile.Frozen || d.Cap != 300 {
		t.Fatalf("created: %+v, %v; want frozen with 300m", d, ok)
	}
	l.ok(here.Thaw(l.ctx, m.VM))
	l.eventually("the guest has started", func() bool { return l.guest(m).Started })

	l.wantConfined(here)
	u := l.measured(m.VM)
	t.Logf("capped at 300m: %v, throttled %v of %v, above %v, memory %v", u.CPU, u.Throttled, u.Interval,
		u.ParentThrottled, u.Memory)
	if u.CPU > 320 || u.CPU < 280 && u.ParentThrottled == 0 {
		t.Errorf("uses %v, want 300m", u.CPU)
	}
	l.ok(here.SetShare(l.ctx, m.VM, 555, cluster.Background, 0))
	if d, _ := l.domain(0, m.VM); d.Cap != 555 || d.Tier != cluster.Background {
		t.Errorf("read back: %+v, want 555m in the background", d)
	}

	before := l.counts(m)
	began := time.Now()
	l.ok(here.Save(l.ctx, m.VM, m.Folder.Partial()))
	t.Logf("saved in %v", time.Since(began))
	if _, ok := l.domain(0, m.VM); ok {
		t.Error("still there after being saved")
	}
	l.ok(there.Verify(l.ctx, m.VM, m.Folder.Partial()))
	if err := there.Verify(l.ctx, monitor.VM{Cluster: l.of, Run: cluster.RunID{Job: 99, Number: 1}},
		m.Folder.Partial()); err == nil {
		t.Error("the image passes for that of another VM")
	}
	began = time.Now()
	m.Cap, m.Tier = 400, cluster.Foreground
	l.ok(there.Restore(l.ctx, m, m.Folder.Partial()))
	t.Logf("restored in %v", time.Since(began))
	if d, ok := l.domain(1, m.VM); !ok || d.State == reconcile.Running || d.Moving || d.Cap != 400 ||
		d.Tier != cluster.Foreground {
		t.Errorf("restored: %+v, %v; want it to stand still with 400m", d, ok)
	}
	l.ok(there.Thaw(l.ctx, m.VM))
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > len(before)+3 })

	began = time.Now()
	l.ok(there.Migrate(l.ctx, m.VM, 1, l.uris[0], 500, cluster.Foreground))
	t.Logf("migrated in %v", time.Since(began))
	if d, ok := l.domain(0, m.VM); !ok || d.State != reconcile.Frozen || d.Moving || d.Cap != 500 {
		t.Errorf("migrated: %+v, %v; want it to stand still with 500m", d, ok)
	}
	if p, err := there.Ask(l.ctx, l.uris[0], m.VM); err != nil || p != reconcile.Landed {
		t.Errorf("asked after the migration: %v, %v", p, err)
	}
	if p, err := here.Ask(l.ctx, l.uris[1], m.VM); err != nil || p != reconcile.Nowhere {
		t.Errorf("asked the node that it left: %v, %v", p, err)
	}
	l.ok(here.Thaw(l.ctx, m.VM))
	if p, err := there.Ask(l.ctx, l.uris[0], m.VM); err != nil || p != reconcile.There {
		t.Errorf("asked when it runs: %v, %v", p, err)
	}
	length := len(l.counts(m))
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
	for i, n := range l.counts(m) {
		if n != (i+1)*20000 {
			t.Fatalf("line %d is %d: the guest did not go on where it was", i, n)
		}
	}
}

// ahead returns by how many seconds the guest's time of day is ahead of its time since boot, which does not count while
// the VM stands still. It is taken from the latest line of a guest that prints its time.
func (l *lab) ahead(m monitor.Machine) (seconds int64, lines int) {
	l.t.Helper()
	file, err := os.ReadFile(m.Folder.Output())
	l.ok(err)
	var decoder protocol.OutputDecoder
	for _, chunk := range decoder.Feed(file) {
		now, err := strconv.ParseInt(strings.TrimSpace(string(chunk.Data)), 10, 64)
		l.ok(err)
		seconds, lines = now-int64(chunk.Micros/1e6), lines+1
	}
	return seconds, lines
}

func TestTheTimeInAVMIsRightAfterRestoreAndMigration(t *testing.T) {
	l := newLab(t)
	const away = 6 // seconds: much longer than clocks are allowed to differ
	m := l.run(1, 500, "while :; do date +%s; sleep 1; done")
	here, there := l.nodes[0], l.nodes[1]
	l.ok(here.Thaw(l.ctx, m.VM))
	jumps := func(what string, move func()) {
		var before int64
		l.eventually("the guest tells the time", func() (told bool) {
			seconds, lines := l.ahead(m)
			before = seconds
			return lines > 0
		})
		move()
		l.eventually("the time is right after "+what, func() bool {
			now, _ := l.ahead(m)
			return now >= before+away-2
		})
	}
	jumps("a restore", func() {
		l.ok(here.Save(l.ctx, m.VM, m.Folder.Partial()))
		time.Sleep(away * time.Second)
		l.ok(there.Restore(l.ctx, m, m.Folder.Partial()))
		l.ok(there.Thaw(l.ctx, m.VM))
	})
	jumps("a migration", func() {
		l.ok(there.Migrate(l.ctx, m.VM, 1, l.uris[0], 500, cluster.Foreground))
		time.Sleep(away * time.Second)
		l.ok(here.Thaw(l.ctx, m.VM))
	})
}

func TestTheGuestsSystemTakesAtMost37MiBOfATasksMemory(t *testing.T) {
	l := newLab(t)
	m := l.run(1, 1000, "awk '/^MemAvailable/ { print $2 }' /proc/meminfo")
	l.ok(l.nodes[0].Thaw(l.ctx, m.VM))
	l.eventually("the task has ended", func() bool { return l.guest(m).Exit != nil })
	available := cluster.Bytes(l.counts(m)[0]) * 1024
	t.Logf("%v of %v are available", available, m.Memory)
	if available < m.Memory-37*cluster.MiB {
		t.Errorf("%v of %v are available, want all but 37Mi", available, m.Memory)
	}
}

func TestHowAVMEndsIsTold(t *testing.T) {
	l := newLab(t)
	exits := l.run(1, 1000, "exit 7")
	killed := l.run(2, 1000, "sleep 1000")
	for _, m := range []monitor.Machine{exits, killed} {
		l.ok(l.nodes[0].Thaw(l.ctx, m.VM))
	}
	l.eventually("exit reported", func() bool { g := l.guest(exits); return g.Exit != nil && g.Exit.Code == 7 })
	l.eventually("guest started", func() bool { return l.guest(killed).Started })
	processes, err := ProcessesOf(l.of)
	l.ok(err)
	for _, p := range processes {
		if p.UUID == killed.VM.UUID() {
			l.ok(p.Signal(9))
		}
	}
	l.eventually("both ends are known", func() bool {
		listing, err := l.nodes[0].List(l.ctx, l.of)
		l.ok(err)
		self, known := listing.Ended[exits.VM.Run]
		lost, also := listing.Ended[killed.VM.Run]
		return known && self.ByGuest && also && !lost.ByGuest
	})
}

func TestAnUnreadableMemoryImageIsToldFromOtherFailures(t *testing.T) {
	l := newLab(t)
	m := l.run(1, 500, counting)
	h := l.nodes[0]
	l.ok(h.Thaw(l.ctx, m.VM))
	l.eventually("the guest has started", func() bool { return l.guest(m).Started })
	l.ok(h.Save(l.ctx, m.VM, m.Folder.Saved()))
	whole, err := os.ReadFile(m.Folder.Saved())
	l.ok(err)
	for name, content := range map[string][]byte{
		"empty": {},
		"garbage": []byte(
			"no image at all, but long enough for a header, which has some 92 bytes or so, and more than that"),
		"incomplete": append([]byte("LibvirtQemudPart"), whole[16:]...),
	} {
		l.ok(os.WriteFile(m.Folder.Partial(), content, 0o600))
		if err := h.Verify(l.ctx, m.VM, m.Folder.Partial()); !errors.Is(err, monitor.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := h.Verify(l.ctx, m.VM, m.Folder.Used()); err == nil || errors.Is(err, monitor.ErrUnreadable) {
		t.Errorf("a missing file: %v", err)
	}
	l.ok(h.Verify(l.ctx, m.VM, m.Folder.Saved()))
}

func TestAMoveThatIsGivenUpLeavesTheVMRunning(t *testing.T) {
	l := newLab(t)
	m := l.run(1, 500, counting)
	h := l.nodes[0]
	l.ok(h.Thaw(l.ctx, m.VM))
	l.eventually("the guest has started", func() bool { return l.guest(m).Started })
	for what, move := range map[string]func() error{
		"save":    func() error { return h.Save(l.ctx, m.VM, m.Folder.Partial()) },
		"migrate": func() error { return h.Migrate(l.ctx, m.VM, 1, l.uris[1], 500, cluster.Foreground) },
	} {
		ended := make(chan error, 1)
		go func() { ended <- move() }()
		began := time.Now()
		var err error
		for waiting := true; waiting; { // an abort that comes before the job has begun does nothing
			l.ok(h.Abort(l.ctx, m.VM))
			select {
			case err = <-ended:
				waiting = false
			case <-time.After(5 * time.Millisecond):
			}
		}
		t.Logf("%s given up in %v: %v", what, time.Since(began), err)
		if err == nil {
			t.Fatalf("the %s was faster than its abort", what)
		}
		l.eventually("it runs on", func() bool {
			d, ok := l.domain(0, m.VM)
			return ok && d.State == reconcile.Running && !d.Moving
		})
	}
	length := len(l.counts(m))
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
}

func TestKVMIsUsedOnlyAfterItHasBootedAGuest(t *testing.T) {
	l := newLab(t)
	h, err := Open(Config{URI: l.uris[0], Trial: l.image, Data: l.store, Log: zerolog.New(zerolog.NewTestWriter(t))})
	l.ok(err)
	t.Cleanup(h.Close)
	began := time.Now()
	p, err := h.Describe(l.ctx)
	l.ok(err)
	t.Logf("%s, after %.1f s", p.Text, time.Since(began).Seconds())
	v, err := (qemu{h}).recall()
	if _, missing := os.Stat("/dev/kvm"); missing == nil && (err != nil ||
		v.Works != strings.HasPrefix(p.Names[0], "kvm/")) {
		t.Errorf("remembered %+v, %v", v, err)
	}
	if (qemu{h}).boot(l.ctx, "tcg") != nil {
		t.Error("the trial's guest does not boot under TCG either: the trial proves nothing")
	}
}
