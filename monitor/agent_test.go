package monitor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// hypervisor answers List by its function. It records every call that would change a VM, and fails it.
type hypervisor struct {
	Hypervisor
	list    func(context.Context) (Listing, error)
	created chan Machine
	resumed chan string // paths of memory images
	frozen  chan VM
}

func (h *hypervisor) Describe(context.Context) (Platform, error) {
	return Platform{Names: []string{"p"}, Text: "test", Overhead: 1}, nil
}
func (h *hypervisor) Changes() <-chan struct{} { return nil }
func (h *hypervisor) List(ctx context.Context, _ [16]byte) (Listing, error) {
	return h.list(ctx)
}
func (h *hypervisor) Sample(context.Context, [16]byte) ([]Usage, error) { return nil, nil }
func (h *hypervisor) Create(_ context.Context, m Machine) error {
	h.created <- m
	return errors.New("no room")
}
func (h *hypervisor) Restore(_ context.Context, _ Machine, path string) error {
	h.resumed <- path
	return errors.New("no room")
}
func (h *hypervisor) Freeze(ctx context.Context, vm VM) error {
	select {
	case h.frozen <- vm:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// line is both link and session; each Connect gives a new session.
type line struct {
	of      [16]byte
	orders  chan cluster.Orders
	leases  chan time.Duration
	reports chan cluster.Report
	joins   chan *line
	closed  chan struct{}
	beats   atomic.Int64 // of the agent's loop
}

func (l *line) Connect(_ context.Context, describe func() cluster.Join) (Session, error) {
	s := &line{of: l.of, orders: make(chan cluster.Orders, 1), leases: make(chan time.Duration, 1),
		reports: l.reports, joins: l.joins, closed: make(chan struct{})}
	if describe().Name == "" {
		return nil, errors.New("a node without a name")
	}
	l.joins <- s
	return s, nil
}
func (l *line) Node() cluster.NodeID          { return 1 }
func (l *line) Cluster() [16]byte             { return l.of }
func (l *line) Orders() <-chan cluster.Orders { return l.orders }
func (l *line) Leases() <-chan time.Duration  { return l.leases }
func (l *line) SendUsage([]Usage, Host)       {}
func (l *line) Alive()                        { l.beats.Add(1) }
func (l *line) Report(ctx context.Context, r cluster.Report) error {
	select {
	case l.reports <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
func (l *line) Close() {
	select {
	case <-l.closed:
	default:
		close(l.closed)
		close(l.orders)
	}
}

// bench is a running agent and the first session that it opened.
type bench struct {
	t          *testing.T
	agent      *Agent
	hypervisor *hypervisor
	session    *line
	data       string
	ended      chan error
}

func newBench(t *testing.T, list func(context.Context) (Listing, error)) *bench {
	t.Helper()
	return newBenchIn(t, Usual, list)
}

func newBenchIn(t *testing.T, rhythm Rhythm, list func(context.Context) (Listing, error)) *bench {
	t.Helper()
	before := goleak.IgnoreCurrent()
	dir := t.TempDir()
	b := &bench{t: t, data: dir, ended: make(chan error, 1),
		hypervisor: &hypervisor{list: list, created: make(chan Machine, 9), resumed: make(chan string, 9),
			frozen: make(chan VM, 9)}}
	images := filepath.Join(dir, "images", strings.Repeat("a", 64))
	if err := os.MkdirAll(images, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kernel", "cmdline"} {
		if err := os.WriteFile(filepath.Join(images, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := &line{of: [16]byte{1}, reports: make(chan cluster.Report, 99), joins: make(chan *line, 9)}
	a, err := New(Config{Name: "n1", CPU: 1000, Memory: 1, Store: dir, Images: filepath.Join(dir, "images"), Data: dir,
		Rhythm: rhythm, Log: zerolog.Nop()},
		b.hypervisor, link, present{})
	if err != nil {
		t.Fatal(err)
	}
	b.agent = a
	ctx, cancel := context.WithCancel(context.Background())
	go func() { b.ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-b.ended
		goleak.VerifyNone(t, before)
	})
	b.session = receive(t, link.joins)
	return b
}

type present struct{}

func (present) Ensure(context.Context, string) error { return nil }

func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case x := <-c:
		return x
	case <-time.After(20 * time.Second):
		t.Fatal("nothing came within 20 s")
		panic("unreachable")
	}
}

func (b *bench) order(epoch, revision uint64, job cluster.JobID) {
	b.session.orders <- cluster.Orders{
		Cluster: b.session.of, Generation: 1, Epoch: epoch, Revision: revision, Node: 1,
		Runs: []cluster.Order{beginning(job, cluster.MoveID(revision))},
	}
}

// beginning returns the order to begin the job's only task.
func beginning(job cluster.JobID, move cluster.MoveID) cluster.Order {
	return cluster.Order{Run: cluster.RunID{Job: job, Number: 1}, Want: cluster.Begin, Move: move, CPU: 100,
		Spec: &cluster.Spec{Tasks: 1, Need: 1000, Image: "i@sha256:" + strings.Repeat("a", 64), Command: []string{"true"}}}
}

// eventually polls until the condition holds, with a deadline.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

func nothing(context.Context) (Listing, error) { return Listing{}, nil }

// gated returns a function that lists nothing. Each call announces itself and waits at the gate.
func gated() (gate, entered chan bool, list func(context.Context) (Listing, error)) {
	gate, entered = make(chan bool), make(chan bool, 99)
	return gate, entered, func(ctx context.Context) (Listing, error) {
		entered <- true
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return Listing{}, ctx.Err()
	}
}

func TestAHypervisorThatHangsStopsNeitherLeaseNorReports(t *testing.T) {
	b := newBench(t, func(ctx context.Context) (Listing, error) {
		<-ctx.Done()
		return Listing{}, ctx.Err()
	})
	receive(t, b.session.reports)
	b.order(1, 10, 1)
	for i := range 3 {
		until := BootTime() + time.Duration(i+1)*time.Minute
		b.session.leases <- until
		eventually(t, "the lease is written down", func() bool {
			l, err := ReadLease(b.data)
			return err == nil && l.Until == until && l.Epoch == 1 && len(l.Runs) == 1
		})
	}
}

func TestADiskThatHangsStopsNoHeartbeat(t *testing.T) {
	b := newBench(t, nothing)
	sign := filepath.Join(b.data, FenceFile)
	if err := syscall.Mkfifo(sign, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // let its reader go
		writer, err := os.OpenFile(sign, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(sign)
		writer.Close()
	})
	before := b.session.beats.Load()
	eventually(t, "the loop goes on", func() bool { return b.session.beats.Load() >= before+4 })
	b.session.leases <- BootTime() + time.Minute
	b.order(1, 10, 1)
	receive(t, b.hypervisor.created)
}

func TestOrdersAreFollowedAndTheirFailureIsReported(t *testing.T) {
	b := newBench(t, nothing)
	b.session.leases <- BootTime() + time.Minute
	b.order(5, 10, 1)
	if m := receive(t, b.hypervisor.created); m.VM.Run.Job != 1 || m.Cap != 100 || m.VCPUs != 1 {
		t.Errorf("made %+v", m)
	}
	for {
		r := receive(t, b.session.reports)
		if len(r.Observations) > 0 {
			o := r.Observations[0]
			if o.Seen != cluster.SeenFailed || o.Move != 10 || o.Cause != "no room" {
				t.Errorf("reported %+v", o)
			}
			break
		}
	}
	b.order(4, 99, 2) // a former leader's
	b.order(5, 11, 3)
	if m := receive(t, b.hypervisor.created); m.VM.Run.Job != 3 {
		t.Errorf("followed a former leader: made %v", m.VM.Run)
	}
}

func TestOrdersFromBeforeALapseAreNotFollowed(t *testing.T) {
	stray := cluster.RunID{Job: 9, Number: 1}
	var show = make(chan bool, 1)
	b := newBench(t, func(context.Context) (Listing, error) {
		select {
		case v := <-show:
			show <- v
			return Listing{Domains: map[cluster.RunID]reconcile.Domain{stray: {State: reconcile.Running}}}, nil
		default:
			return Listing{}, nil
		}
	})
	b.session.leases <- BootTime() + time.Second
	b.order(5, 10, 1)
	receive(t, b.hypervisor.created)
	first := b.session
	b.session = receive(t, first.joins)
	select {
	case <-first.closed:
	default:
		t.Error("the session of before the lapse is still open")
	}
	b.session.leases <- BootTime() + time.Minute
	show <- true
	receive(t, b.session.reports)
	select {
	case vm := <-b.hypervisor.frozen:
		t.Errorf("acted on %v by old orders", vm.Run)
	case <-time.After(2 * Usual.Tick):
	}
	b.order(5, 10, 1)
	if vm := receive(t, b.hypervisor.frozen); vm.Run != stray {
		t.Errorf("froze %v", vm.Run)
	}
}

func TestOrdersAreNotJudgedByASightOfBefore(t *testing.T) {
	gate, entered, list := gated()
	b := newBench(t, list)
	receive(t, entered) // this snapshot was begun without orders and looks for no run's files
	folder := RunFolder(b.data, someRun)
	if err := os.MkdirAll(string(folder.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{folder.Control(), folder.Saved()} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.session.leases <- BootTime() + time.Minute
	b.session.orders <- cluster.Orders{Cluster: b.session.of, Epoch: 1, Revision: 1, Node: 1, Runs: []cluster.Order{{
		Run: someRun, Want: cluster.Restore, Move: 3, CPU: 100, Spec: &cluster.Spec{Tasks: 1, Need: 1000, Image: "i@sha256:" +
			strings.Repeat("a", 64)},
	}}}
	eventually(t, "the orders are taken", func() bool { _, err := ReadLease(b.data); return err == nil })
	eventually(t, "the store is proven", func() bool { return b.agent.store.Proof().Proven })
	close(gate)
	if path := receive(t, b.hypervisor.resumed); path != folder.Saved() {
		t.Errorf("restored from %s", path)
	}
	for {
		if r := receive(t, b.session.reports); len(r.Observations) > 0 {
			if o := r.Observations[0]; o.Seen != cluster.SeenFailed || o.Cause != "no room" {
				t.Errorf("reported %+v: judged before it was looked at", o)
			}
			return
		}
	}
}

func TestANodeOfOneClusterDoesNotJoinAnother(t *testing.T) {
	data := t.TempDir()
	lease := Lease{Cluster: [16]byte{2}, Until: 1, Generation: 3, Epoch: 4, Revision: 5}
	if err := WriteLease(data, lease, Lease{}); err != nil {
		t.Fatal(err)
	}
	link := &line{of: [16]byte{1}, joins: make(chan *line, 1)}
	a, err := New(Config{Name: "n1", Data: data, Log: zerolog.Nop()}, &hypervisor{list: nothing}, link, present{})
	if err != nil {
		t.Fatal(err)
	}
	if a.last.Generation != 3 || a.last.Epoch != 4 || a.last.Revision != 5 {
		t.Errorf("forgot the orders taken before the restart: %+v", a.last)
	}
	if err := a.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "belongs to cluster 02") {
		t.Errorf("ended with %v", err)
	}
	select {
	case <-receive(t, link.joins).closed:
	default:
		t.Error("the session is left open")
	}
}

func TestARunWhoseFilesCannotBeReadHidesNoOther(t *testing.T) {
	b := newBench(t, nothing)
	hidden := RunFolder(b.data, cluster.RunID{Job: 1, Number: 1})
	if err := os.MkdirAll(string(hidden.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	// The file is a link to itself: opening it gives another error than that it does not exist.
	if err := os.Symlink(filepath.Base(hidden.Control()), hidden.Control()); err != nil {
		t.Fatal(err)
	}
	b.session.leases <- BootTime() + time.Minute
	b.session.orders <- cluster.Orders{Cluster: b.session.of, Epoch: 1, Revision: 1, Node: 1,
		Runs: []cluster.Order{beginning(1, 3), beginning(2, 3)}}
	if m := receive(t, b.hypervisor.created); m.VM.Run.Job != 2 {
		t.Errorf("made %v, of which it is not known whether it has begun", m.VM.Run)
	}
	if !b.agent.store.Proof().Proven {
		eventually(t, "the store is proven all the same", func() bool { return b.agent.store.Proof().Proven })
	}
	if err := os.Remove(hidden.Control()); err != nil {
		t.Fatal(err)
	}
	if m := receive(t, b.hypervisor.created); m.VM.Run.Job != 1 {
		t.Errorf("made %v again", m.VM.Run)
	}
}

func TestAStoreThatHangsIsNotProvenAndTheNodeGoesOn(t *testing.T) {
	b := newBench(t, nothing)
	answer := make(chan bool)
	b.agent.reader.read = func(cluster.RunID) files { <-answer; return files{} }
	eventually(t, "the store is proven", func() bool { return b.agent.store.Proof().Proven })
	b.session.leases <- BootTime() + time.Minute
	b.order(1, 10, 1)
	told := make(chan cluster.Report)
	go func() {
		for r := range b.session.reports {
			if !r.StoreProven {
				told <- r
				return
			}
		}
	}()
	if r := receive(t, told); len(r.Observations) > 0 {
		t.Errorf("said %+v", r.Observations)
	}
	close(answer)
	if m := receive(t, b.hypervisor.created); m.VM.Run.Job != 1 {
		t.Errorf("made %v when the store had answered", m.VM.Run)
	}
}

func TestAStartThatTheStoreKeepsBackCanBeGivenUp(t *testing.T) {
	b := newBench(t, nothing)
	answer := make(chan bool)
	b.agent.reader.read = func(cluster.RunID) files { <-answer; return files{} }
	defer close(answer)
	b.session.leases <- BootTime() + time.Minute
	o := beginning(1, 10)
	o.Aborted = true
	b.session.orders <- cluster.Orders{Cluster: b.session.of, Epoch: 1, Revision: 10, Node: 1, Runs: []cluster.Order{o}}
	for {
		if r := receive(t, b.session.reports); len(r.Observations) > 0 {
			if o := r.Observations[0]; o.Seen != cluster.SeenFailed || o.Move != 10 {
				t.Errorf("reported %+v", o)
			}
			return
		}
	}
}

func TestWhatAnEarlierMonitorMayHaveBegunIsNotGivenUpUnseen(t *testing.T) {
	data := t.TempDir()
	if err := WriteLease(data, Lease{Cluster: [16]byte{1}, Runs: []cluster.RunID{someRun}}, Lease{}); err != nil {
		t.Fatal(err)
	}
	a, err := New(Config{Name: "n1", Data: data, Log: zerolog.Nop()}, &hypervisor{list: nothing}, &line{}, present{})
	if err != nil {
		t.Fatal(err)
	}
	if all := a.tried.untried(map[cluster.RunID]bool{someRun: true, {Job: 9, Number: 1}: true}); all[someRun] ||
		!all[cluster.RunID{Job: 9, Number: 1}] {
		t.Errorf("untried: %v", all)
	}
}

func TestAStoreThatHangsWhileAVMIsMadeHoldsItUpForALimitedTime(t *testing.T) {
	b := newBench(t, nothing)
	hang := make(chan bool)
	defer close(hang)
	b.agent.images = hanging(hang)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	run := cluster.RunID{Job: 1, Number: 1}
	err := b.agent.start(ctx, beginning(1, 10), 0, VM{[16]byte{1}, run}, RunFolder(b.data, run))
	if !errors.Is(err, context.DeadlineExceeded) || b.agent.tried.has(run) {
		t.Errorf("%v, tried: %v", err, b.agent.tried.has(run))
	}
}

// hanging is an image source on a store that hangs.
type hanging chan bool

func (h hanging) Ensure(context.Context, string) error { <-h; return errors.New("late") }

func TestASightOfBeforeALapseDoesNotSurviveIt(t *testing.T) {
	gate, entered, list := gated()
	b := newBench(t, list)
	receive(t, entered)
	b.session.leases <- BootTime() + 2*time.Second
	b.order(5, 10, 1)
	eventually(t, "the orders are taken", func() bool {
		l, err := ReadLease(b.data)
		return err == nil && l.Revision == 10
	})
	gate <- true
	receive(t, entered) // this snapshot was begun for the first orders
	b.session = receive(t, b.session.joins)
	b.session.leases <- BootTime() + time.Minute
	b.order(5, 11, 2)
	eventually(t, "the next orders are taken", func() bool {
		l, err := ReadLease(b.data)
		return err == nil && l.Revision == 11
	})
	close(gate)
	if m := receive(t, b.hypervisor.created); m.VM.Run.Job != 2 {
		t.Errorf("made %v by orders of before the lapse", m.VM.Run)
	}
}

func TestNothingIsThawedOnceTheLeaseHasRunOut(t *testing.T) {
	a, err := New(Config{Name: "n1", Data: t.TempDir(), Log: zerolog.Nop()}, &hypervisor{list: nothing},
		&line{}, present{})
	if err != nil {
		t.Fatal(err)
	}
	a.leaseEnd.Store(int64(BootTime())) // while the action waited for a processor
	run := cluster.RunID{Job: 1, Number: 1}
	if _, err := a.do(t.Context(), reconcile.Action{Verb: reconcile.Thaw, Run: run}, 0, VM{Run: run}, true); err == nil ||
		!strings.Contains(err.Error(), "lease") {
		t.Errorf("thawed: %v", err)
	}
}

// thawing is a hypervisor that lets VMs run.
type thawing struct{ *hypervisor }

func (thawing) Thaw(context.Context, VM) error { return nil }

// A hypervisor may hang while a VM is made, for longer than the lease, and until the next lease has come.
func TestTheNextLeaseDoesNotLetRunWhatBeganUnderTheLast(t *testing.T) {
	a, err := New(Config{Name: "n1", Data: t.TempDir(), Log: zerolog.Nop()}, thawing{&hypervisor{list: nothing}},
		&line{}, present{})
	if err != nil {
		t.Fatal(err)
	}
	a.until = BootTime() // it has expired
	a.renew(BootTime() + time.Minute)
	run := cluster.RunID{Job: 1, Number: 1}
	thaw := reconcile.Action{Verb: reconcile.Thaw, Run: run}
	if _, err := a.do(t.Context(), thaw, 0, VM{Run: run}, true); err == nil || !strings.Contains(err.Error(), "lease") {
		t.Errorf("thawed: %v", err)
	}
	if _, err := a.do(t.Context(), thaw, 1, VM{Run: run}, true); err != nil {
		t.Errorf("under the next lease: %v", err)
	}
}

// balky is a hypervisor that takes orders to abort and does not follow them.
type balky struct {
	*hypervisor
	aborts int
}

func (b *balky) Abort(context.Context, VM) error { b.aborts++; return nil }

func TestAMoveThatDoesNotEndIsNotAbortedWithoutAPause(t *testing.T) {
	b := &balky{hypervisor: &hypervisor{list: nothing}}
	a, err := New(Config{Name: "n1", Data: t.TempDir(), Log: zerolog.Nop()}, b, &line{}, present{})
	if err != nil {
		t.Fatal(err)
	}
	a.leaseEnd.Store(int64(BootTime() + time.Minute))
	a.intervene(t.Context(), reconcile.Action{Verb: reconcile.Abort, Run: cluster.RunID{Job: 1, Number: 1}}, 0)
	if b.aborts != 1 || len(a.wake) > 0 {
		t.Errorf("aborted %d times, and the agent looks again at once: %v", b.aborts, len(a.wake) > 0)
	}
}

func TestARestartedMonitorSamplesTheVMsOfItsCluster(t *testing.T) {
	data, of := t.TempDir(), [16]byte{1}
	if err := WriteLease(data, Lease{Cluster: of}, Lease{}); err != nil {
		t.Fatal(err)
	}
	a, err := New(Config{Name: "n1", Data: data, Log: zerolog.Nop()}, &hypervisor{list: nothing}, &line{}, present{})
	if err != nil {
		t.Fatal(err)
	}
	if member := a.member.Load(); member == nil || *member != of {
		t.Errorf("it samples those of %v, its lease is of %v", member, of)
	}
}
