package libvirt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/fence"
	"aliquot/monitor/reconcile"
)

const digest = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// onDisk is an image source for images that are on the disk already.
type onDisk struct{}

func (onDisk) Ensure(context.Context, string) error { return nil }

// agents runs an agent for each node of the lab.
func (l *lab) agents(lease time.Duration) *leader {
	l.t.Helper()
	images := filepath.Join(l.store, "images")
	l.ok(os.Mkdir(images, 0o755))
	l.ok(os.Symlink(os.Getenv("ALIQUOT_LAB_IMAGE"), filepath.Join(images, digest)))
	lead := newLeader(l.t, l.of, lease)
	lead.apply(cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: digest, Kind: "kernel"}})
	for i := range l.nodes {
		l.start(lead, i)
		l.t.Cleanup(func() {
			l.stop[i]()
			l.t.Logf("node %d left: %v", i+1, l.destroyAll(l.nodes[i]))
		})
		l.eventually("node joined and store proven", func() bool {
			lead.mu.Lock()
			defer lead.mu.Unlock()
			n := lead.state.Node(cluster.NodeID(i + 1))
			return n != nil && n.StoreProven
		})
	}
	return lead
}

// start runs the agent of a node until l.stop is called for it.
func (l *lab) start(lead *leader, node int) {
	l.t.Helper()
	var to monitor.Hypervisor = l.nodes[node]
	if l.observed != nil {
		to = l.observed(l.nodes[node])
	}
	ctx, cancel := context.WithCancel(context.Background())
	a, err := monitor.New(monitor.Config{
		Name: "n" + strconv.Itoa(node+1), CPU: l.cpu, Memory: 1024 * cluster.MiB,
		Store: l.store, Images: filepath.Join(l.store, "images"), Data: l.data(node),
		Log: zerolog.New(zerolog.NewTestWriter(l.t)).With().Int("node", node+1).Logger(),
	}, to, link{lead}, onDisk{})
	l.ok(err)
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	l.stop[node] = func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			l.t.Errorf("agent %d ended with %v", node+1, err)
		}
	}
}

func (l *lab) data(node int) string {
	dir := filepath.Join(l.store, "data"+strconv.Itoa(node))
	l.ok(os.MkdirAll(dir, 0o755))
	return dir
}

func (l *lab) destroyAll(h *Hypervisor) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return Gentle{h}.Destroy(ctx, l.of)
}

func (l *lab) submit(lead *leader, script string) (cluster.JobID, monitor.Machine) {
	l.t.Helper()
	job := lead.apply(cluster.Submit{Spec: &cluster.Spec{
		Name: "test", Owner: "test", Project: "test", Tasks: 1, Need: 1000,
		Requirement: cluster.Requirement{Memory: 96 * cluster.MiB},
		Image:       "busybox@sha256:" + digest, Command: []string{"/bin/sh", "-c", script},
	}}).Job
	run := cluster.RunID{Job: job, Number: 1}
	return job, monitor.Machine{VM: monitor.VM{Cluster: l.of, Run: run}, Folder: monitor.RunFolder(l.store, run)}
}

func (l *lab) reaches(lead *leader, job cluster.JobID, what string, holds func(cluster.Task) bool) {
	l.t.Helper()
	began := time.Now()
	l.eventually(what, func() bool { return !lead.moving(job) && holds(lead.task(job)) })
	l.t.Logf("%s after %.2f s", what, time.Since(began).Seconds())
}

func running(node cluster.NodeID, cap cluster.CPU) func(cluster.Task) bool {
	return func(t cluster.Task) bool {
		return t.Phase == cluster.Running && !t.Frozen && t.Node == node && t.Observed == cap
	}
}

func TestOrdersComeTrueOnRealNodes(t *testing.T) {
	l := newLab(t)
	lead := l.agents(10 * time.Second)
	job, m := l.submit(lead, counting)
	task := cluster.TaskID{Job: job}

	lead.move(cluster.Move{Kind: cluster.Start, Task: task, To: 1, CPU: 300})
	l.reaches(lead, job, "started with 300m", running(1, 300))
	l.eventually("its use is known", func() bool {
		lead.mu.Lock()
		defer lead.mu.Unlock()
		u := lead.usage[m.VM.Run]
		return u.CPU > 250 && u.CPU < 330 && u.Memory > 96*cluster.MiB
	})
	lead.move(cluster.Move{Kind: cluster.Resize, Task: task, From: 1, CPU: 500})
	l.reaches(lead, job, "resized to 500m", running(1, 500))
	lead.move(cluster.Move{Kind: cluster.Pause, Task: task, From: 1})
	l.reaches(lead, job, "paused", func(t cluster.Task) bool { return t.Phase == cluster.Saved && t.Image > 0 })
	lead.move(cluster.Move{Kind: cluster.Resume, Task: task, To: 2, CPU: 400})
	l.reaches(lead, job, "resumed on the other node", running(2, 400))
	l.eventually("its image is deleted", func() bool {
		left, _ := filepath.Glob(m.Folder.Saved() + "*")
		return len(left) == 0
	})
	lead.move(cluster.Move{Kind: cluster.Migrate, Task: task, From: 2, To: 1, CPU: 600})
	l.reaches(lead, job, "migrated back", running(1, 600))

	l.ok(killLibvirtd())
	lead.move(cluster.Move{Kind: cluster.Resize, Task: task, From: 1, CPU: 700})
	l.reaches(lead, job, "resized after libvirtd was killed", running(1, 700))

	length := len(l.counts(m))
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
	for i, n := range l.counts(m) {
		if n != (i+1)*20000 {
			t.Fatalf("line %d is %d: the guest did not go on where it was", i, n)
		}
	}
	processes, err := ProcessesOf(l.of)
	l.ok(err)
	for _, p := range processes {
		l.ok(p.Signal(syscall.SIGKILL))
	}
	l.reaches(lead, job, "lost with its QEMU", func(t cluster.Task) bool {
		return t.Phase == cluster.Idle && t.Losses == 1
	})
	lead.move(cluster.Move{Kind: cluster.Start, Task: task, To: 1, CPU: 300})
	l.reaches(lead, job, "started anew", func(t cluster.Task) bool { return running(1, 300)(t) && t.Run == 2 })
	lead.apply(cluster.Cancel{Job: job, Cause: cluster.Cause{Text: "test"}})
	lead.move(cluster.Move{Kind: cluster.Stop, Task: task, From: 1})
	l.reaches(lead, job, "stopped", func(t cluster.Task) bool { return t.Phase == cluster.Done })

	fails, _ := l.submit(lead, "exit 3")
	lead.move(cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: fails}, To: 1, CPU: 1000})
	l.reaches(lead, fails, "failed with its exit code", func(t cluster.Task) bool {
		return t.Phase == cluster.Done && t.Exit != nil && t.Exit.Code == 3
	})
}

func TestVMsLiveOnWhileTheirMonitorIsAwayAndAreTakenUpAgain(t *testing.T) {
	l := newLab(t)
	lead := l.agents(time.Minute)
	goes, m := l.submit(lead, counting)
	ends, _ := l.submit(lead, "sleep 3; exit 5")
	for _, job := range []cluster.JobID{goes, ends} {
		lead.move(cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: 1, CPU: 500})
		l.reaches(lead, job, "started", running(1, 500))
	}
	l.stop[0]()
	l.eventually("one ends meanwhile", func() bool {
		_, here := l.domain(0, monitor.VM{Cluster: l.of, Run: cluster.RunID{Job: ends, Number: 1}})
		return !here
	})
	length := len(l.counts(m))
	lead.move(cluster.Move{Kind: cluster.Resize, Task: cluster.TaskID{Job: goes}, From: 1, CPU: 700})
	l.start(lead, 0)
	l.reaches(lead, goes, "resized", running(1, 700))
	l.reaches(lead, ends, "its exit is known", func(t cluster.Task) bool { return t.Exit != nil && t.Exit.Code == 5 })
	l.eventually("the other counts on", func() bool { return len(l.counts(m)) > length+3 })
	if task := lead.task(goes); task.Run != 1 || task.Losses != 0 {
		t.Errorf("it was started anew: %+v", task)
	}
}

func TestANodeWithoutALeaseIsFrozenAndThawed(t *testing.T) {
	l := newLab(t)
	lead := l.agents(3 * time.Second)
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	f, err := fence.New(fence.Config{Data: l.data(0), Log: zerolog.New(zerolog.NewTestWriter(t))},
		Gentle{l.nodes[0]}, Firm{})
	l.ok(err)
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	defer func() { cancel(); <-ended }()

	job, m := l.submit(lead, counting)
	lead.move(cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: 1, CPU: 500})
	l.reaches(lead, job, "started", running(1, 500))
	l.eventually("the fence is told alive", func() bool {
		lead.mu.Lock()
		defer lead.mu.Unlock()
		return lead.state.Node(1).FenceAlive
	})
	lead.sever(true)
	began := time.Now()
	l.eventually("frozen without a lease", func() bool {
		d, ok := l.domain(0, m.VM)
		return ok && d.State == reconcile.Frozen
	})
	t.Logf("frozen %.1f s after the link was cut", time.Since(began).Seconds())
	length := len(l.counts(m))
	lead.sever(false)
	l.eventually("thawed by the leader's orders", func() bool {
		d, ok := l.domain(0, m.VM)
		return ok && d.State == reconcile.Running
	})
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
}

func TestAVMStoppedByASignalIsSeenFrozenAndThawed(t *testing.T) {
	l := newLab(t)
	m := l.run(1, 500, counting)
	l.ok(l.nodes[0].Thaw(l.ctx, m.VM))
	l.eventually("the guest has started", func() bool { return l.guest(m).Started })
	l.ok(Firm{}.Freeze(l.ctx, l.of))
	l.eventually("it is frozen", func() bool {
		d, ok := l.domain(0, m.VM)
		return ok && d.State == reconcile.Frozen
	})
	l.ok(l.nodes[0].Thaw(l.ctx, m.VM))
	length := len(l.counts(m))
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
}

// A fence without libvirt stops VMs that are just being made or are arriving. libvirt waits for such a process for
// ever.
func TestAVMStoppedByASignalWhileItIsMadeOrArrivesGoesOn(t *testing.T) {
	l := newLab(t)
	lead := l.agents(time.Minute)
	for _, delay := range []time.Duration{0, 200 * time.Millisecond} {
		job, m := l.submit(lead, counting)
		task := cluster.TaskID{Job: job}
		lead.move(cluster.Move{Kind: cluster.Start, Task: task, To: 1, CPU: 500})
		l.stopEarly(m.VM, delay)
		l.reaches(lead, job, "started", running(1, 500))
		lead.move(cluster.Move{Kind: cluster.Migrate, Task: task, From: 1, To: 2, CPU: 500})
		l.reaches(lead, job, "migrated", running(2, 500))
		lead.move(cluster.Move{Kind: cluster.Migrate, Task: task, From: 2, To: 1, CPU: 500})
		l.stopEarly(m.VM, delay)
		l.reaches(lead, job, "migrated back", running(1, 500))
		length := len(l.counts(m))
		l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
		l.ok(l.nodes[0].Destroy(l.ctx, m.VM))
	}
}

// stopEarly stops the process of a VM so long after it has appeared on the first node.
func (l *lab) stopEarly(vm monitor.VM, delay time.Duration) {
	l.t.Helper()
	var made Process
	l.eventually("its process appears", func() bool {
		all, err := ProcessesOf(l.of)
		l.ok(err)
		i := slices.IndexFunc(all, func(p Process) bool { return p.UUID == vm.UUID() })
		if i >= 0 {
			made = all[i]
		}
		return i >= 0
	})
	time.Sleep(delay) // this waits for nothing; it meets different moments
	l.ok(made.Signal(syscall.SIGSTOP))
}

func TestKillingLibvirtdDuringAMigrationLeavesOneVM(t *testing.T) {
	l := newLab(t)
	lead := l.agents(time.Minute)
	job, m := l.submit(lead, counting)
	task := cluster.TaskID{Job: job}
	lead.move(cluster.Move{Kind: cluster.Start, Task: task, To: 1, CPU: 500})
	l.reaches(lead, job, "started", running(1, 500))
	for delay := 100 * time.Millisecond; delay <= 900*time.Millisecond; delay += 100 * time.Millisecond {
		length := len(l.counts(m))
		lead.move(cluster.Move{Kind: cluster.Migrate, Task: task, From: 1, To: 2, CPU: 500})
		time.Sleep(delay) // this waits for nothing; it meets different moments of the migration
		l.ok(killLibvirtd())
		l.reaches(lead, job, "settled", func(t cluster.Task) bool { return running(t.Node, 500)(t) })
		at := lead.task(job).Node
		l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
		here, there := l.runs(0, m.VM), l.runs(1, m.VM)
		t.Logf("killed after %v: it is on node %d; runs on 1: %v, on 2: %v", delay, at, here, there)
		if here == there || here != (at == 1) {
			t.Errorf("killed after %v: on node %d as reported, runs on 1: %v, on 2: %v", delay, at, here, there)
		}
		if at == 2 {
			lead.move(cluster.Move{Kind: cluster.Migrate, Task: task, From: 2, To: 1, CPU: 500})
			l.reaches(lead, job, "migrated back", running(1, 500))
		}
	}
	for i, n := range l.counts(m) {
		if n != (i+1)*20000 {
			t.Fatalf("line %d is %d: the guest did not go on where it was, or ran twice", i, n)
		}
	}
}

func TestTheFenceReachesVMsWhenLibvirtIsSilent(t *testing.T) {
	l := newLab(t)
	lead := l.agents(3 * time.Second)
	ctx, cancel := context.WithCancel(l.ctx)
	f, err := fence.New(fence.Config{Data: l.data(0), Log: zerolog.New(zerolog.NewTestWriter(t))},
		Gentle{l.nodes[0]}, Firm{})
	l.ok(err)
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	job, m := l.submit(lead, counting)
	lead.move(cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: 1, CPU: 500})
	l.reaches(lead, job, "started", running(1, 500))

	daemon, err := libvirtd()
	l.ok(err)
	l.ok(syscall.Kill(daemon, syscall.SIGSTOP))
	defer syscall.Kill(daemon, syscall.SIGCONT)
	lead.sever(true)
	began := time.Now()
	l.eventually("stopped by a signal", func() bool {
		processes, err := ProcessesOf(l.of)
		l.ok(err)
		return len(processes) == 1 && processes[0].Stopped()
	})
	t.Logf("stopped %.1f s after the link was cut", time.Since(began).Seconds())
	l.ok(syscall.Kill(daemon, syscall.SIGCONT))
	lead.sever(false)
	length := len(l.counts(m))
	l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length+3 })
}

// tapped creates no VMs. It records when it is asked to create one.
type tapped struct {
	*Hypervisor
	asked chan time.Time
}

func (h tapped) Create(context.Context, monitor.Machine) error {
	h.asked <- time.Now()
	return errors.New("not made: only the time matters")
}

// The benchmark measures the time from a durable submission to the hypervisor's call, on idle nodes.
func BenchmarkFromSubmissionToCreate(b *testing.B) {
	l := newLab(b)
	asked := make(chan time.Time, 1)
	l.observed = func(h *Hypervisor) monitor.Hypervisor { return tapped{h, asked} }
	lead := l.agents(time.Minute)
	var took []time.Duration
	for b.Loop() {
		job, _ := l.submit(lead, "true")
		began := time.Now()
		lead.move(cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: 1, CPU: 10})
		took = append(took, (<-asked).Sub(began))
		l.eventually("the failure is reported", func() bool { return !lead.moving(job) })
		lead.apply(cluster.Cancel{Job: job, Cause: cluster.Cause{Text: "measured"}})
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// runs reports whether the VM runs on the node.
func (l *lab) runs(node int, vm monitor.VM) bool {
	l.t.Helper()
	p, err := l.nodes[1-node].Ask(l.ctx, l.uris[node], vm)
	l.ok(err)
	return p == reconcile.There
}

// killLibvirtd kills the daemon of the test's own node. The node's init is told to restart it.
func killLibvirtd() error {
	pid, err := libvirtd()
	if err != nil {
		return err
	}
	for syscall.Kill(pid, syscall.SIGKILL) == nil { // until its address is free
		time.Sleep(10 * time.Millisecond)
	}
	return syscall.Kill(1, syscall.SIGUSR1)
}

// libvirtd returns the pid of the daemon of the test's own node.
func libvirtd() (int, error) {
	text, err := os.ReadFile("/run/libvirt/libvirtd.pid")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}
