package fence

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"aliquot/monitor"
)

func TestDutyFollowsFromTheLeaseAndTheClock(t *testing.T) {
	lease := monitor.Lease{Until: 100 * time.Second, Boot: "now"}
	for _, c := range []struct {
		name string
		at   time.Duration
		boot string
		want Duty
	}{
		{"valid", 99 * time.Second, "now", Watch},
		{"at its end", 100 * time.Second, "now", Freeze},
		{"within fence-after", 1899 * time.Second, "now", Freeze},
		{"after fence-after", 1900 * time.Second, "now", Destroy},
		{"of an earlier boot", 10 * time.Second, "later", Freeze},
		{"of an earlier boot, long ago", 1801 * time.Second, "later", Destroy},
	} {
		if got := DutyAt(c.at, c.boot, lease, afterUsual); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// grip records its calls. With hang it never answers, like a stopped daemon.
type grip struct {
	done []string
	of   [16]byte
	hang bool
	err  error
}

func (g *grip) act(ctx context.Context, what string) error {
	if g.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	g.done = append(g.done, what)
	return g.err
}

func (g *grip) Freeze(ctx context.Context, of [16]byte) error {
	g.of = of
	return g.act(ctx, "freeze")
}

func (g *grip) Destroy(ctx context.Context, of [16]byte) error {
	g.of = of
	return g.act(ctx, "destroy")
}

func (g *grip) Try(context.Context, [16]byte) error { return g.err }

// look reads the lease and carries out the duty.
func (f *Fence) look(ctx context.Context) error {
	k := f.recent()
	f.knowledge.Store(&k)
	return f.enforce(ctx, k)
}

// recent is what the fence learns next.
func (f *Fence) recent() knowledge {
	if k := f.knowledge.Load(); k != nil {
		return f.read(*k)
	}
	return f.read(knowledge{})
}

func newFence(t *testing.T, until time.Duration) (*Fence, *grip, *grip, string) {
	t.Helper()
	data := t.TempDir()
	lease := monitor.Lease{Cluster: [16]byte{1}, Until: until, Boot: "now"}
	if err := monitor.WriteLease(data, lease, monitor.Lease{}); err != nil {
		t.Fatal(err)
	}
	gentle, firm := &grip{}, &grip{}
	f, err := New(Config{Data: data, Boot: "now", Log: zerolog.Nop()}, gentle, firm)
	if err != nil {
		t.Fatal(err)
	}
	return f, gentle, firm, data
}

func TestNothingIsTouchedUnderAValidLease(t *testing.T) {
	f, gentle, firm, _ := newFence(t, monitor.BootTime()+time.Hour)
	if err := f.look(t.Context()); err != nil || len(gentle.done)+len(firm.done) > 0 {
		t.Errorf("did %v and %v, %v", gentle.done, firm.done, err)
	}
}

func TestTheFirmGripIsUsedWhenTheGentleOneIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, gentle, firm, _ := newFence(t, 1)
		f.config.After = 1 << 62
		gentle.hang = true
		began := time.Now()
		if err := f.look(t.Context()); err != nil || len(firm.done) != 1 || firm.done[0] != "freeze" {
			t.Errorf("did %v, %v; want one freeze", firm.done, err)
		}
		if took := time.Since(began); took != patience {
			t.Errorf("waited %v, want %v", took, patience)
		}
	})
}

func TestVMsAreDestroyedLongAfterTheLease(t *testing.T) {
	f, gentle, firm, _ := newFence(t, 1)
	f.config.After = 1
	gentle.err = errors.New("the daemon is gone")
	if err := f.look(t.Context()); err != nil || len(firm.done) != 1 || firm.done[0] != "destroy" {
		t.Errorf("did %v, %v; want one destroy", firm.done, err)
	}
	firm.err = errors.New("not permitted")
	if err := f.look(t.Context()); !errors.Is(err, firm.err) || !errors.Is(err, gentle.err) {
		t.Errorf("%v does not tell both causes; the watchdog must not be kept quiet", err)
	}
}

func TestVMsAreFrozenForHalfAnHourUnlessConfiguredOtherwise(t *testing.T) {
	for at, want := range map[time.Duration]string{29 * time.Minute: "freeze", 31 * time.Minute: "destroy"} {
		data, gentle := t.TempDir(), &grip{}
		if err := monitor.WriteLease(data, monitor.Lease{Until: 1, Boot: "now"}, monitor.Lease{}); err != nil {
			t.Fatal(err)
		}
		clock := func() time.Duration { return at }
		f, err := New(Config{Data: data, Boot: "now", Log: zerolog.Nop(), Boottime: clock}, gentle, &grip{})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.look(t.Context()); err != nil || len(gentle.done) != 1 || gentle.done[0] != want {
			t.Errorf("%v after the lease's end: did %v, %v; want one %s", at, gentle.done, err, want)
		}
	}
}

func TestALeaseThatVanishesIsRemembered(t *testing.T) {
	f, gentle, _, data := newFence(t, 1)
	f.config.After = 1 << 62
	if err := f.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(data, monitor.LeaseFile)); err != nil {
		t.Fatal(err)
	}
	if err := f.look(t.Context()); err != nil || len(gentle.done) != 2 {
		t.Errorf("did %v, %v; want two freezes", gentle.done, err)
	}
}

func TestANodeWithoutALeaseEverHasNothingToFence(t *testing.T) {
	gentle, firm := &grip{}, &grip{}
	f, err := New(Config{Data: t.TempDir(), Boot: "now", Log: zerolog.Nop()}, gentle, firm)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.look(t.Context()); err != nil || len(gentle.done)+len(firm.done) > 0 {
		t.Errorf("did %v and %v, %v", gentle.done, firm.done, err)
	}
}

func damage(t *testing.T, data string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(data, monitor.LeaseFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWithADamagedLeaseTheNodesOwnClusterIsStoppedAndTheMachineLivesOn(t *testing.T) {
	f, gentle, firm, data := newFence(t, monitor.BootTime()+time.Hour)
	damage(t, data)
	gentle.err = errors.New("the daemon is gone")
	if err := f.look(t.Context()); err != nil || len(firm.done) != 1 || firm.done[0] != "freeze" ||
		firm.of != [16]byte{1} {
		t.Errorf("did %v of %x, %v; want one freeze of its own cluster", firm.done, firm.of, err)
	}
	firm.err = errors.New("not permitted")
	if err := f.look(t.Context()); !errors.Is(err, firm.err) {
		t.Errorf("ended with %v; the watchdog must not be kept quiet", err)
	}
}

func TestASignWithoutALeaseTellsAFenceNothing(t *testing.T) {
	f, gentle, _, data := newFence(t, monitor.BootTime()+time.Hour)
	if err := monitor.WriteSign(data, monitor.FenceSign{At: 1, Boot: "now"}); err != nil {
		t.Fatal(err)
	}
	damage(t, data)
	if err := f.look(t.Context()); err != nil || len(gentle.done) != 1 || gentle.done[0] != "freeze" {
		t.Errorf("did %v, %v; want one freeze of its own cluster", gentle.done, err)
	}
}

func TestAFenceThatCannotTellWhoseItsNodeIsTouchesNobodys(t *testing.T) {
	data, gentle, firm := t.TempDir(), &grip{}, &grip{}
	f, err := New(Config{Data: data, Boot: "now", Log: zerolog.Nop()}, gentle, firm)
	if err != nil {
		t.Fatal(err)
	}
	damage(t, data)
	if err := f.look(t.Context()); err == nil || len(gentle.done)+len(firm.done) > 0 {
		t.Errorf("did %v and %v, %v; the watchdog must not be kept quiet", gentle.done, firm.done, err)
	}
}

func TestADamagedLeaseIsNotRenewedButGoesOnToItsEnd(t *testing.T) {
	f, gentle, firm, data := newFence(t, monitor.BootTime()+time.Hour)
	if err := f.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	damage(t, data)
	if err := f.look(t.Context()); err != nil || len(gentle.done)+len(firm.done) > 0 {
		t.Errorf("before its end: did %v and %v, %v", gentle.done, firm.done, err)
	}
	f.knowledge.Load().lease.Until = 1
	f.config.After = 1 << 62
	if err := f.look(t.Context()); err != nil || len(gentle.done) != 1 || gentle.of != [16]byte{1} {
		t.Errorf("after its end: did %v of %x, %v", gentle.done, gentle.of, err)
	}
}

func TestAFenceThatStartsAgainRemembersALeaseThatWasDamagedMeanwhile(t *testing.T) {
	f, _, _, data := newFence(t, 1)
	if err := f.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go f.keepSigns(ctx)
	f.sign(*f.knowledge.Load())
	awaitSign(t, data)
	cancel()
	damage(t, data)
	gentle, firm := &grip{}, &grip{}
	next, err := New(Config{Data: data, Boot: "now", After: 1, Log: zerolog.Nop()}, gentle, firm)
	if err != nil {
		t.Fatal(err)
	}
	if err := next.look(t.Context()); err != nil || len(gentle.done) != 1 || gentle.done[0] != "freeze" ||
		gentle.of != [16]byte{1} || len(firm.done) > 0 {
		t.Errorf("did %v of %x, %v; want one freeze of its own cluster: the lease may have been renewed since", gentle.done,
			gentle.of, err)
	}
	if err := monitor.WriteLease(data, monitor.Lease{Cluster: [16]byte{1}, Until: 1, Boot: "now"},
		monitor.Lease{}); err != nil {
		t.Fatal(err)
	}
	if err := next.look(t.Context()); err != nil || gentle.done[len(gentle.done)-1] != "destroy" {
		t.Errorf("did %v, %v; the lease can be read again, and is long over", gentle.done, err)
	}
}

func TestTheFenceSignsWhileItRuns(t *testing.T) {
	f, _, _, data := newFence(t, monitor.BootTime()+time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	awaitSign(t, data)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// awaitSign waits for the fence's first sign of life.
func awaitSign(t *testing.T, data string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := monitor.ReadSign(data); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("no sign within 10 s")
		}
	}
}

func TestAFenceSignsIfItCouldActAndFeedsTheWatchdogIfItHasActed(t *testing.T) {
	for _, c := range []struct {
		name         string
		until        time.Duration
		gentle, firm error
		signs, feeds bool
	}{
		{"both grips work", monitor.BootTime() + time.Hour, nil, nil, true, true},
		{"one works", monitor.BootTime() + time.Hour, nil, errors.New("not permitted"), true, true},
		{"one has worked", 1, nil, errors.New("not permitted"), true, true},
		{"none would work", monitor.BootTime() + time.Hour, errors.New("gone"), errors.New("not permitted"), false, true},
		{"none has worked", 1, errors.New("gone"), errors.New("not permitted"), false, false},
	} {
		f, gentle, firm, data := newFence(t, c.until)
		f.config.After = 1 << 62
		gentle.err, firm.err = c.gentle, c.firm
		device, err := os.Create(filepath.Join(data, "watchdog"))
		if err != nil {
			t.Fatal(err)
		}
		f.watchdog = &watchdog{device}
		f.act(t.Context(), f.recent())
		if signs := len(f.signs) == 1; signs != c.signs {
			t.Errorf("%s: a sign of life: %v", c.name, signs)
		}
		if fed, err := os.ReadFile(device.Name()); err != nil || (len(fed) > 0) != c.feeds {
			t.Errorf("%s: the watchdog gets %q, %v", c.name, fed, err)
		}
		f.watchdog.disarm()
		if _, err := device.WriteString("more"); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: a watchdog that is still open: %v", c.name, err)
		}
		if fed, err := os.ReadFile(device.Name()); err != nil || !strings.HasSuffix(string(fed), "V") {
			t.Errorf("%s: disarmed, the watchdog has got %q, %v", c.name, fed, err)
		}
	}
}

func TestAFenceWhoseDiskHangsActsOnTheLeaseThatItKnows(t *testing.T) {
	f, gentle, _, data := newFence(t, 1)
	f.config.After = 1 << 62
	k := f.recent()
	if err := os.Remove(filepath.Join(data, monitor.LeaseFile)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(data, monitor.LeaseFile), 0o600); err != nil { // its reader waits forever
		t.Fatal(err)
	}
	for range 3 { // nobody writes the signs either
		f.act(t.Context(), k)
	}
	if len(gentle.done) != 3 {
		t.Errorf("did %v; want three freezes", gentle.done)
	}
}
