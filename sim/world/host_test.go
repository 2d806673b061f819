package world

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/model"
	"aliquot/monitor/reconcile"
)

// host is the hypervisor of one boot of a node. Its calls take time; it may hang or fail.
type host struct {
	*model.Node
	node *node

	mu    sync.Mutex
	hung  chan struct{}               // closed when it answers again; nil: it does not hang
	since time.Time                   // when it began to hang
	flaky int                         // percent of its calls that fail
	slow  time.Duration               // that a restore takes more
	weak  bool                        // no process of the machine can be stopped
	dead  bool                        // the machine has lost its power
	late  map[cluster.RunID]time.Time // when calls took effect whose callers had given up
}

var _ monitor.Hypervisor = (*host)(nil)

var errFull = errors.New("no space left on device")

var errFlaky = errors.New("the hypervisor's daemon closed the connection")

func (w *world) newHost(n *node) *host {
	return &host{Node: w.fleet.Add(n.name, n.offer.CPU), node: n, late: map[cluster.RunID]time.Time{}}
}

// enter waits as long as a call takes to be answered.
func (h *host) enter(ctx context.Context, call, of string) error {
	c := h.node.world.chance
	if !rest(ctx, c.between("call "+call+h.node.name+of, time.Millisecond, 12*time.Millisecond)) {
		return ctx.Err()
	}
	h.mu.Lock()
	hung, flaky, dead := h.hung, h.flaky, h.dead
	h.mu.Unlock()
	if hung != nil {
		select {
		case <-hung:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if dead || flaky > 0 && c.percent("flaky "+call+h.node.name+of, flaky) {
		return errFlaky
	}
	return ctx.Err()
}

// leave fails after the call took effect, now and then.
func (h *host) leave(call, of string) error {
	h.mu.Lock()
	flaky := h.flaky
	h.mu.Unlock()
	if flaky > 0 && h.node.world.chance.percent("answer "+call+h.node.name+of, flaky/2) {
		return errFlaky
	}
	return nil
}

// do makes a call that changes a VM, and lets the checks look at the result. A call that waits for a hypervisor that
// hangs takes effect even if its caller gives up meanwhile.
func (h *host) do(ctx context.Context, call string, vm monitor.VM, change func(context.Context) error) error {
	return h.doWith(ctx, call, vm, nil, change)
}

// doWith is do for a call that concerns another node, too.
func (h *host) doWith(ctx context.Context, call string, vm monitor.VM, peer *node,
	change func(context.Context) error) error {
	w := h.node.world
	w.strike(call, false, h.node, peer)
	if err := h.enter(ctx, call, vm.Run.String()); err != nil {
		if hung := h.hanging(); hung != nil && !errors.Is(err, errFlaky) {
			go h.doLate(hung, call, vm, change)
		}
		return err
	}
	err := change(ctx)
	w.checks.changed(h, call, vm, err)
	if w.strike(call, true, h.node, peer) {
		return errors.Join(err, errFlaky)
	}
	return errors.Join(err, h.leave(call, vm.Run.String()))
}

// doLate makes a call once the hypervisor answers again.
func (h *host) doLate(hung chan struct{}, call string, vm monitor.VM, change func(context.Context) error) {
	w := h.node.world
	select {
	case <-hung:
	case <-w.ctx.Done():
		return
	}
	if !rest(w.ctx, w.chance.between("late "+call+h.node.name+vm.Run.String(), 0, 300*time.Millisecond)) || h.isDead() {
		return
	}
	h.set(func(h *host) { h.late[vm.Run] = time.Now() })
	err := change(w.ctx)
	w.checks.changed(h, "late "+call, vm, err)
	if rest(w.ctx, lateThaw+time.Millisecond) {
		w.checks.once(vm.Run.Task())
	}
}

// lateThaw is how long a VM may run although it must not, after a late call has let it run: the fence acts each second.
const lateThaw = 1500 * time.Millisecond

// thawedLate reports whether a late call has just changed the VM.
func (h *host) thawedLate(run cluster.RunID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Since(h.late[run]) < lateThaw
}

func (h *host) hanging() chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hung
}

// hangs returns how long the hypervisor has not answered.
func (h *host) hangs() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hung == nil {
		return 0
	}
	return time.Since(h.since)
}

func (h *host) isDead() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead
}

func (h *host) List(ctx context.Context, of [16]byte) (monitor.Listing, error) {
	if err := h.enter(ctx, "list", ""); err != nil {
		return monitor.Listing{}, err
	}
	return h.Node.List(ctx, of)
}

func (h *host) Sample(ctx context.Context, of [16]byte) ([]monitor.Usage, error) {
	if err := h.enter(ctx, "sample", ""); err != nil {
		return nil, err
	}
	return h.Node.Sample(ctx, of)
}

// Create gives the guest files that stay open whatever happens to the node's mount.
func (h *host) Create(ctx context.Context, m monitor.Machine) error {
	h.node.world.checks.made(m)
	return h.do(ctx, "create", m.VM, func(ctx context.Context) error {
		m.Folder = monitor.RunFolder(h.node.world.store, m.VM.Run)
		return h.Node.Create(ctx, m)
	})
}

func (h *host) SetShare(ctx context.Context, vm monitor.VM, cap cluster.CPU, tier cluster.Tier,
	core cluster.CoreID) error {
	return h.do(ctx, "set share of", vm, func(ctx context.Context) error {
		return h.Node.SetShare(ctx, vm, cap, tier, core)
	})
}

func (h *host) Save(ctx context.Context, vm monitor.VM, path string) error {
	return h.do(ctx, "save", vm, func(ctx context.Context) error {
		h.node.hung.wait(ctx)
		if h.node.world.full.Load() > 0 {
			return errors.Join(os.WriteFile(path, []byte("half"), 0o644), errFull)
		}
		return h.Node.Save(ctx, vm, path)
	})
}

func (h *host) Restore(ctx context.Context, m monitor.Machine, path string) error {
	return h.do(ctx, "restore", m.VM, func(ctx context.Context) error {
		h.node.hung.wait(ctx)
		h.mu.Lock()
		slow := h.slow
		h.mu.Unlock()
		if !rest(ctx, slow) {
			return ctx.Err()
		}
		return h.Node.Restore(ctx, m, path)
	})
}

func (h *host) Migrate(ctx context.Context, vm monitor.VM, move cluster.MoveID, peer string, cap cluster.CPU,
	tier cluster.Tier) error {
	other := h.node.world.at(peer)
	return h.doWith(ctx, "migrate", vm, other, func(ctx context.Context) error {
		if other == nil || !h.node.world.network.both(h.node.name, other.name) {
			return errors.New("the peer cannot be reached")
		}
		return h.Node.Migrate(ctx, vm, move, peer, cap, tier)
	})
}

func (h *host) Freeze(ctx context.Context, vm monitor.VM) error {
	return h.do(ctx, "freeze", vm, func(ctx context.Context) error { return h.Node.Freeze(ctx, vm) })
}

func (h *host) Thaw(ctx context.Context, vm monitor.VM) error {
	return h.do(ctx, "thaw", vm, func(ctx context.Context) error { return h.Node.Thaw(ctx, vm) })
}

func (h *host) Destroy(ctx context.Context, vm monitor.VM) error {
	return h.do(ctx, "destroy", vm, func(ctx context.Context) error { return h.Node.Destroy(ctx, vm) })
}

func (h *host) Ask(ctx context.Context, peer string, vm monitor.VM) (reconcile.Presence, error) {
	if err := h.enter(ctx, "ask", vm.Run.String()); err != nil {
		return reconcile.Unknown, err
	}
	other := h.node.world.at(peer)
	if other == nil || !h.node.world.network.both(h.node.name, other.name) {
		return reconcile.Unknown, errors.New("the peer cannot be reached")
	}
	if err := other.machine().enter(ctx, "answer", vm.Run.String()); err != nil {
		return reconcile.Unknown, err
	}
	return h.Node.Ask(ctx, peer, vm)
}

// hang makes all calls wait until the result is called.
func (h *host) hang() (again func()) {
	hung := make(chan struct{})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hung, h.since = hung, time.Now()
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.hung == hung {
			h.hung = nil
		}
		close(hung)
	}
}

func (h *host) set(change func(h *host)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(h)
}

// lose ends all VMs, as a loss of power does.
func (h *host) lose() {
	h.set(func(h *host) { h.dead = true })
	for run := range h.domains() {
		_ = h.Node.Destroy(context.Background(), monitor.VM{Cluster: clusterID, Run: run})
	}
}

// domains returns the VMs as they are, however the hypervisor behaves.
func (h *host) domains() map[cluster.RunID]reconcile.Domain {
	listing, err := h.Node.List(context.Background(), clusterID)
	h.node.world.must(err)
	return listing.Domains
}

// gentle is the fence's grip through the hypervisor, firm the one that needs only the machine.
type (
	gentle struct{ *host }
	firm   struct{ *host }
)

func (g gentle) Freeze(ctx context.Context, of [16]byte) error {
	return g.each(ctx, of, func(vm monitor.VM, d reconcile.Domain) error {
		if d.State != reconcile.Running {
			return nil
		}
		return g.host.Freeze(ctx, vm)
	})
}

func (g gentle) Destroy(ctx context.Context, of [16]byte) error {
	return g.each(ctx, of, func(vm monitor.VM, _ reconcile.Domain) error { return g.host.Destroy(ctx, vm) })
}

func (g gentle) Try(ctx context.Context, of [16]byte) error {
	_, err := g.List(ctx, of)
	return err
}

func (f firm) Try(context.Context, [16]byte) error { return f.able() }

var errWeak = errors.New("the process does not stop")

func (f firm) able() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.weak {
		return errWeak
	}
	return nil
}

func (g gentle) each(ctx context.Context, of [16]byte, do func(monitor.VM, reconcile.Domain) error) error {
	listing, err := g.List(ctx, of)
	failed := []error{err}
	for _, run := range sortedRuns(listing.Domains) {
		failed = append(failed, do(monitor.VM{Cluster: of, Run: run}, listing.Domains[run]))
	}
	return errors.Join(failed...)
}

func (f firm) Freeze(ctx context.Context, of [16]byte) error {
	if err := f.able(); err != nil {
		return err
	}
	var failed []error
	for run, d := range f.domains() {
		if d.State == reconcile.Running {
			failed = append(failed, f.Node.Freeze(ctx, monitor.VM{Cluster: of, Run: run}))
		}
	}
	return errors.Join(failed...)
}

func (f firm) Destroy(ctx context.Context, of [16]byte) error {
	if err := f.able(); err != nil {
		return err
	}
	var failed []error
	for run := range f.domains() {
		failed = append(failed, f.Node.Destroy(ctx, monitor.VM{Cluster: of, Run: run}))
	}
	return errors.Join(failed...)
}
