package model

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// bench is a fleet of two nodes with two cores each, and a store.
type bench struct {
	*testing.T
	ctx   context.Context
	a, b  *Node
	store string
	next  cluster.JobID
}

// inBubble runs a story in a bubble with its own time.
func inBubble(t *testing.T, story func(b *bench)) {
	store := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := NewFleet(Pace{Boot: time.Second, Save: cluster.MiB, Send: 2 * cluster.MiB},
			zerolog.New(zerolog.NewTestWriter(t)))
		story(&bench{T: t, ctx: t.Context(), a: f.Add("a", 2000), b: f.Add("b", 2000), store: store})
	})
}

// make creates a VM of 10 MiB and one vCPU on node a and lets it run.
func (b *bench) make(cap cluster.CPU, tier cluster.Tier, env map[string]string, command ...string) monitor.VM {
	b.Helper()
	b.next++
	m := monitor.Machine{
		VM:    monitor.VM{Cluster: [16]byte{1}, Run: cluster.RunID{Job: b.next, Number: 1}},
		VCPUs: 1, Memory: 10 * cluster.MiB, Cap: cap, Tier: tier,
	}
	m.Folder = monitor.RunFolder(b.store, m.VM.Run)
	b.ok(m.Folder.Prepare(protocol.Task{Job: b.next.String(), Count: 1, Run: 1, Command: command, Env: env}))
	b.ok(b.a.Create(b.ctx, m))
	b.ok(b.a.Thaw(b.ctx, m.VM))
	return m.VM
}

func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) list(n *Node) monitor.Listing {
	b.Helper()
	l, err := n.List(b.ctx, [16]byte{1})
	b.ok(err)
	return l
}

func (b *bench) guest(vm monitor.VM) reconcile.Guest {
	b.Helper()
	g, err := monitor.RunFolder(b.store, vm.Run).Read()
	b.ok(err)
	return g
}

func (b *bench) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// booted waits until the guest has started, and returns how long that took.
func (b *bench) booted(vm monitor.VM) time.Duration {
	b.Helper()
	began := time.Now()
	for !b.guest(vm).Started {
		if b.wait(10 * time.Millisecond); time.Since(began) > time.Minute {
			b.Fatal("the guest does not start")
		}
	}
	return time.Since(began)
}

func TestAGuestBootsWorksUnderItsCapAndExits(t *testing.T) {
	inBubble(t, func(b *bench) {
		vm := b.make(500, cluster.Foreground, nil, "work", "3", "7")
		if took := b.booted(vm); took < time.Second || took > 3*time.Second {
			b.Errorf("half a core booted within %v what takes half a second to one and a half of CPU time", took)
		}
		b.wait(5900 * time.Millisecond)
		if _, runs := b.list(b.a).Domains[vm.Run]; !runs {
			b.Error("it ended before it had used 3 s of CPU time")
		}
		b.wait(200 * time.Millisecond)
		l := b.list(b.a)
		if _, runs := l.Domains[vm.Run]; runs || !l.Ended[vm.Run].ByGuest {
			b.Errorf("after 3 s of CPU time: %+v", l)
		}
		if exit := b.guest(vm).Exit; exit == nil || exit.Code != 7 {
			b.Errorf("its exit is %+v", exit)
		}
	})
}

func TestACapChangesThePaceAtOnce(t *testing.T) {
	inBubble(t, func(b *bench) {
		vm := b.make(1000, cluster.Foreground, nil, "work", "10")
		b.booted(vm)
		b.wait(5 * time.Second)
		b.ok(b.a.SetShare(b.ctx, vm, 100, cluster.Foreground, 0))
		b.wait(40 * time.Second)
		if b.guest(vm).Exit != nil {
			b.Error("a tenth of a core did 5 s of CPU time in 40 s")
		}
		b.wait(11 * time.Second)
		if b.guest(vm).Exit == nil {
			b.Error("it has not ended after 51 s")
		}
	})
}

func TestBackgroundGetsWhatForegroundLeaves(t *testing.T) {
	inBubble(t, func(b *bench) {
		fore := []monitor.VM{b.make(800, cluster.Foreground, nil, "serve", "100"),
			b.make(800, cluster.Foreground, nil, "serve", "100")}
		back := []monitor.VM{b.make(800, cluster.Background, nil, "serve", "100"),
			b.make(400, cluster.Background, nil, "serve", "50")}
		b.wait(time.Minute)
		_, err := b.a.Sample(b.ctx, [16]byte{1})
		b.ok(err)
		b.wait(10 * time.Second)
		samples, err := b.a.Sample(b.ctx, [16]byte{1})
		b.ok(err)
		got := map[cluster.RunID]cluster.CPU{}
		for _, s := range samples {
			got[s.Run] = s.CPU
		}
		want := map[monitor.VM]cluster.CPU{fore[0]: 800, fore[1]: 800, back[0]: 266, back[1]: 133}
		for vm, cpu := range want {
			if got[vm.Run] != cpu {
				b.Errorf("%v used %v, want %v", vm.Run, got[vm.Run], cpu)
			}
		}
	})
}

func TestAGuestThatIsStarvedForAnHourGoesOnWhereItWas(t *testing.T) {
	inBubble(t, func(b *bench) {
		vm := b.make(1000, cluster.Background, nil, "work", "10", "7")
		b.booted(vm)
		b.wait(4 * time.Second)
		busy := []monitor.VM{b.make(1000, cluster.Foreground, nil, "serve", "100"),
			b.make(1000, cluster.Foreground, nil, "serve", "100")}
		b.wait(time.Hour)
		if d := b.list(b.a).Domains[vm.Run]; d.State != reconcile.Running || d.Tier != cluster.Background || d.Cap != 1000 {
			b.Errorf("after an hour: %+v, want it to run in the background", d)
		}
		for _, other := range busy {
			b.ok(b.a.Destroy(b.ctx, other))
		}
		b.wait(5900 * time.Millisecond)
		if exit := b.guest(vm).Exit; exit != nil {
			b.Errorf("with 4 s of work before the hour it has ended 5.9 s after it: %+v", exit)
		}
		b.wait(200 * time.Millisecond)
		if exit := b.guest(vm).Exit; exit == nil || exit.Code != 7 {
			b.Errorf("with 4 s of work before the hour it has ended 6.1 s after it as %+v", exit)
		}
	})
}

func TestASavedGuestGoesOnWhereItWas(t *testing.T) {
	inBubble(t, func(b *bench) {
		vm := b.make(1000, cluster.Foreground, nil, "work", "10")
		b.booted(vm)
		b.wait(4 * time.Second)
		path := filepath.Join(b.store, "image")
		began := time.Now()
		b.ok(b.a.Save(b.ctx, vm, path))
		if took := time.Since(began); took != 10*time.Second {
			b.Errorf("10 MiB at 1 MiB/s were written within %v", took)
		}
		if l := b.list(b.a); len(l.Domains)+len(l.Ended) > 0 {
			b.Errorf("a saved VM is left as %+v", l)
		}
		b.wait(time.Hour)
		b.ok(b.b.Restore(b.ctx, monitor.Machine{VM: vm, Cap: 1000, Tier: cluster.Foreground}, path))
		if d := b.list(b.b).Domains[vm.Run]; d.State != reconcile.Frozen {
			b.Errorf("restored as %+v", d)
		}
		b.wait(time.Hour)
		if b.guest(vm).Exit != nil {
			b.Error("it went on before it was let")
		}
		b.ok(b.b.Thaw(b.ctx, vm))
		b.wait(5900 * time.Millisecond)
		if b.guest(vm).Exit != nil {
			b.Error("it has not gone on where it was")
		}
		b.wait(200 * time.Millisecond)
		if b.guest(vm).Exit == nil {
			b.Error("it has not ended after 10 s in all")
		}
	})
}

func TestAMigratedGuestRunsOnUntilItIsHandedOver(t *testing.T) {
	inBubble(t, func(b *bench) {
		vm := b.make(1000, cluster.Foreground, nil, "work", "20")
		b.booted(vm)
		done := make(chan error, 1)
		go func() { done <- b.a.Migrate(b.ctx, vm, 1, "model://b", 500, cluster.Background) }()
		b.wait(4 * time.Second)
		if d := b.list(b.a).Domains[vm.Run]; d.State != reconcile.Running || !d.Moving {
			b.Errorf("under way it is %+v", d)
		}
		samples, err := b.a.Sample(b.ctx, [16]byte{1})
		if b.ok(err); samples[0].Progress.Done != 8*cluster.MiB || samples[0].Progress.Total != 10*cluster.MiB {
			b.Errorf("after 4 s at 2 MiB/s: %+v", samples[0].Progress)
		}
		b.ok(<-done)
		there := b.list(b.b).Domains[vm.Run]
		if len(b.list(b.a).Domains) > 0 || there.State != reconcile.Frozen || there.Cap != 500 ||
			there.Tier != cluster.Background {
			b.Errorf("arrived as %+v", there)
		}
		for peer, want := range map[string]reconcile.Presence{"model://a": reconcile.Nowhere, "model://b": reconcile.Landed} {
			if got, err := b.a.Ask(b.ctx, peer, vm); got != want || err != nil {
				b.Errorf("%s says %v, %v", peer, got, err)
			}
		}
		b.ok(b.b.Thaw(b.ctx, vm))
		b.wait(29 * time.Second) // 5 s were done during the move; 15 s at half a core
		if b.guest(vm).Exit != nil {
			b.Error("what it did on the way counts twice")
		}
		b.wait(2 * time.Second)
		if b.guest(vm).Exit == nil {
			b.Error("what it did on the way is lost")
		}
	})
}

func TestASwitchOverThatIsCutLeavesTheGuestHereOrInDoubt(t *testing.T) {
	type left struct{ here, there reconcile.State }
	const none = reconcile.State(99)
	for how, want := range map[HandOver]left{
		Kept: {reconcile.Running, none},
		Torn: {reconcile.Running, reconcile.Frozen},
		Held: {reconcile.Doubtful, reconcile.Frozen},
	} {
		inBubble(t, func(b *bench) {
			b.a.fleet.HandOver = func(monitor.VM, string, string) HandOver { return how }
			vm := b.make(1000, cluster.Foreground, nil, "serve", "100")
			if err := b.a.Migrate(b.ctx, vm, 1, "model://b", 500, cluster.Foreground); !errors.Is(err, errCut) {
				t.Errorf("%v: %v", how, err)
			}
			state := func(n *Node) reconcile.State {
				if d, there := b.list(n).Domains[vm.Run]; there {
					return d.State
				}
				return none
			}
			if got := (left{state(b.a), state(b.b)}); got != want {
				t.Errorf("%v leaves %v, want %v", how, got, want)
			}
		})
	}
}

func TestAMoveThatIsGivenUpOrFailsLeavesTheGuestAsItWas(t *testing.T) {
	inBubble(t, func(b *bench) {
		vm := b.make(1000, cluster.Foreground, map[string]string{"MODEL_FAULT": "migrate"}, "serve", "100")
		path := filepath.Join(b.store, "image")
		moves := map[string]func() error{
			"a migration that fails": func() error { return b.a.Migrate(b.ctx, vm, 1, "model://b", 500, cluster.Foreground) },
			"a migration to nowhere": func() error { return b.a.Migrate(b.ctx, vm, 1, "model://c", 500, cluster.Foreground) },
			"a save that is given up": func() error {
				go func() { time.Sleep(time.Second); b.a.Abort(b.ctx, vm) }()
				return b.a.Save(b.ctx, vm, path)
			},
			"a save for which time runs out": func() error {
				ctx, cancel := context.WithTimeout(b.ctx, time.Second)
				defer cancel()
				return b.a.Save(ctx, vm, path)
			},
		}
		for name, move := range moves {
			if err := move(); err == nil {
				b.Errorf("%s: no error", name)
			}
			if d := b.list(b.a).Domains[vm.Run]; d.State != reconcile.Running || d.Moving || len(b.list(b.b).Domains) > 0 {
				b.Errorf("%s leaves %+v", name, d)
			}
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			b.Errorf("a save that was given up left its file: %v", err)
		}
	})
}

func TestFaultsComeAsTheTaskAsksForThem(t *testing.T) {
	inBubble(t, func(b *bench) {
		crash := b.make(1000, cluster.Foreground, map[string]string{"MODEL_FAULT": "crash"}, "serve", "100")
		silent := b.make(1000, cluster.Foreground, map[string]string{"MODEL_FAULT": "silent,save"}, "work", "1")
		b.wait(time.Minute)
		ended := b.list(b.a).Ended
		if end, there := ended[crash.Run]; !there || end.ByGuest {
			b.Errorf("a crash is %+v", end)
		}
		if end := ended[silent.Run]; !end.ByGuest || b.guest(silent).Exit != nil {
			b.Errorf("a silent end is %+v", end)
		}
	})
}

func TestAnImageOfAnotherVMIsUnreadable(t *testing.T) {
	inBubble(t, func(b *bench) {
		one, other := b.make(1000, cluster.Foreground, nil, "serve", "1"), b.make(1000, cluster.Foreground, nil, "serve", "1")
		path := filepath.Join(b.store, "image")
		b.ok(b.a.Save(b.ctx, one, path))
		b.ok(b.a.Verify(b.ctx, one, path))
		if err := b.a.Verify(b.ctx, other, path); !errors.Is(err, monitor.ErrUnreadable) {
			b.Errorf("the image of another: %v", err)
		}
		b.ok(os.WriteFile(path, []byte(`{"VM":`), 0o644))
		if err := b.b.Restore(b.ctx, monitor.Machine{VM: one}, path); !errors.Is(err, monitor.ErrUnreadable) {
			b.Errorf("half an image: %v", err)
		}
	})
}

func TestAProgramThatIsNotKnownIsNotRunAndSaysSo(t *testing.T) {
	inBubble(t, func(b *bench) {
		vm := b.make(1000, cluster.Foreground, nil, "/bin/echo", "hello")
		b.wait(time.Minute)
		if exit := b.guest(vm).Exit; exit == nil || exit.Code != 0 {
			b.Errorf("its exit is %+v", exit)
		}
		text, err := os.ReadFile(monitor.RunFolder(b.store, vm.Run).Output())
		b.ok(err)
		chunks := new(protocol.OutputDecoder).Feed(text)
		if len(chunks) != 2 || string(chunks[0].Data) != "this guest is modelled: /bin/echo was not run\n" {
			b.Errorf("it says %+v", chunks)
		}
	})
}
