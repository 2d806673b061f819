package monitor

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/cluster"
)

// impatient is a rhythm in which a hypervisor soon counts as silent.
var impatient = Rhythm{Tick: 10 * time.Millisecond, List: 20 * time.Millisecond, Sample: time.Hour,
	Read: time.Hour, Silence: time.Millisecond}

// deaf lists nothing until it is cured.
func deaf() (cured *atomic.Bool, list func(context.Context) (Listing, error)) {
	cured = new(atomic.Bool)
	return cured, func(context.Context) (Listing, error) {
		if cured.Load() {
			return Listing{}, nil
		}
		return Listing{}, errors.New("connection refused")
	}
}

// awaitReport returns the first report that the test accepts.
func (b *bench) awaitReport(accept func(cluster.Report) bool) cluster.Report {
	b.t.Helper()
	for {
		if r := receive(b.t, b.session.reports); accept(r) {
			return r
		}
	}
}

func TestAHypervisorThatIsSilentIsReported(t *testing.T) {
	cured, list := deaf()
	b := newBenchIn(t, impatient, list)
	b.awaitReport(func(r cluster.Report) bool { return r.HypervisorSilent })
	cured.Store(true)
	b.awaitReport(func(r cluster.Report) bool { return !r.HypervisorSilent })
}

func TestAStartThatASilentHypervisorNeverGotFailsAtOnce(t *testing.T) {
	_, list := deaf()
	b := newBenchIn(t, impatient, list)
	b.session.leases <- BootTime() + time.Hour
	b.order(1, 10, 1)
	r := b.awaitReport(func(r cluster.Report) bool { return len(r.Observations) > 0 })
	if o := r.Observations[0]; o.Seen != cluster.SeenFailed || o.Move != 10 || o.Run.Job != 1 {
		t.Errorf("the untried start was reported as %+v", o)
	}
}

func TestAStartThatASilentHypervisorMayHaveGotIsNotGivenUp(t *testing.T) {
	w, known := newWork(), newTried([]cluster.RunID{{Job: 1, Number: 1}})
	orders := []cluster.Order{beginning(1, 10), beginning(2, 11),
		{Run: cluster.RunID{Job: 3, Number: 1}, Want: cluster.Stay}}
	seen := w.giveUp(orders, known, errors.New("connection refused"))
	if len(seen) != 1 || seen[0].Run.Job != 2 || seen[0].Move != 11 {
		t.Errorf("only the second run was never requested, and given up are %+v", seen)
	}
}

func TestARunIsUntriedIfItsOnlyRequestDidNotReachTheHypervisor(t *testing.T) {
	a := &Agent{tried: newTried(nil)}
	run := cluster.RunID{Job: 1, Number: 1}
	a.try(run, func() error { return ErrUnreached })
	if a.tried.has(run) {
		t.Error("it counts as tried although no request reached the hypervisor")
	}
	a.try(run, func() error { return errors.New("timed out") })
	a.try(run, func() error { return ErrUnreached })
	if !a.tried.has(run) {
		t.Error("it counts as untried although a request may have reached the hypervisor")
	}
}
