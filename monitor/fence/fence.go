// Package fence stops a node's VMs when the node's lease has run out: they may have been started
// elsewhere by then.
//
// It is a small process of its own that works when all else fails. It needs only the lease file and
// the machine's own clock, not the monitor, not the network, and not even the hypervisor's daemon if
// that is silent. After the lease's end it freezes all VMs of the cluster; much later it destroys
// them. It never thaws: the monitor does, when a leader renews the lease and still wants the VMs here.
//
// An unreadable lease file renews nothing. The last lease that was read remains valid to its end,
// whether it was read in this life or noted by the previous process beside its sign of life. A lease
// that was only noted destroys nothing, because later ones may have existed. If there is no lease at
// all, the VMs of the cluster that the node is marked with are frozen, since no leader vouches for
// them. So an unreadable file alone never resets the machine, and VMs of other clusters are never
// touched.
//
// The loop that acts knows the lease from memory and waits for no disk. Others read the lease and write the sign of
// life. The fence is alive only while its last action succeeded and one of its grips could act now.
//
// Invariants: a VM is frozen at most a few seconds after the lease's end, by whatever means works;
// only VMs of a cluster are touched; the watchdog, if armed, is fed only while that holds.
//
// Reference: C. Gray and D. Cheriton, "Leases" (SOSP 1989), and the self-fencing of the kernel's
// Documentation/watchdog/watchdog-api.rst.
package fence

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"aliquot/monitor"
)

// Grip is a means to control a cluster's VMs on the node. Both methods act on all of them and may be
// repeated. Freeze returns nil only if none is left running, Destroy only if none is left. Try changes nothing and
// returns nil only if the other two could act now.
type Grip interface {
	Freeze(ctx context.Context, of [16]byte) error
	Destroy(ctx context.Context, of [16]byte) error
	Try(ctx context.Context, of [16]byte) error
}

// Config configures a fence.
type Config struct {
	Data     string        // the node's data folder, with the lease
	Boot     string        // "": the kernel's
	After    time.Duration // from the lease's end until VMs are destroyed; 0: 30 minutes
	Watchdog string        // device to arm; "auto": /dev/watchdog where it can be armed; "" or "none": none
	Log      zerolog.Logger

	Boottime    func() time.Duration // the clock of leases; nil: CLOCK_BOOTTIME
	BeforeWrite func()               // called before a sign of life is written, and may take long; nil: nothing is
}

const (
	every      = time.Second     // between looks at the lease
	tryEvery   = 4 * time.Second // between trials of the grips; a sign of life is valid for longer
	patience   = 5 * time.Second // with the gentle grip
	afterUsual = 30 * time.Minute
)

// Duty is the action that a fence has to take.
type Duty uint8

// The duties.
const (
	Watch   Duty = iota // the lease is valid
	Freeze              // it has run out
	Destroy             // long ago
)

func (d Duty) String() string { return [...]string{"watch", "freeze", "destroy"}[d] }

// DutyAt returns the duty at the given time of the boot, for the last lease. A lease of an earlier
// boot is void.
func DutyAt(now time.Duration, boot string, lease monitor.Lease, after time.Duration) Duty {
	until := lease.Until
	if lease.Boot != boot {
		until = 0
	}
	switch {
	case now < until:
		return Watch
	case now < until+after:
		return Freeze
	}
	return Destroy
}

// Fence watches one node's lease.
type Fence struct {
	config       Config
	gentle, firm Grip
	knowledge    atomic.Pointer[knowledge]
	signs        chan monitor.FenceSign // to be written; the newest
	duty         Duty
	tried        time.Time // when a grip could last act
	watchdog     *watchdog
}

// New returns a fence. It tries the gentle grip first, which goes through the hypervisor's daemon, and
// the firm one when that fails or is silent.
func New(config Config, gentle, firm Grip) (*Fence, error) {
	if config.After == 0 {
		config.After = afterUsual
	}
	if config.Boottime == nil {
		config.Boottime = monitor.BootTime
	}
	if config.BeforeWrite == nil {
		config.BeforeWrite = func() {}
	}
	if config.Boot == "" {
		boot, err := monitor.BootID()
		if err != nil {
			return nil, err
		}
		config.Boot = boot
	}
	return &Fence{config: config, gentle: gentle, firm: firm, signs: make(chan monitor.FenceSign, 1)}, nil
}

// Run watches the lease until ctx ends. It fails if a watchdog that was named explicitly cannot be
// armed.
func (f *Fence) Run(ctx context.Context) error {
	w, err := choose(f.config.Watchdog, usual, f.config.Log)
	if err != nil {
		return err
	}
	if w != nil {
		f.watchdog = w
		defer w.disarm()
	}
	go f.learn(ctx)
	go f.keepSigns(ctx)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if k := f.knowledge.Load(); k != nil {
			f.act(ctx, *k)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// act carries out the present duty. If that succeeds and a grip could act now, it signs that the fence is alive.
func (f *Fence) act(ctx context.Context, k knowledge) {
	if err := f.enforce(ctx, k); err != nil {
		f.config.Log.Error().Err(err).Stringer("duty", f.duty).Msg("could not act on the expired lease; retrying")
		return
	}
	if f.watchdog != nil {
		f.watchdog.quiet()
	}
	if err := f.try(ctx, k); err != nil {
		f.config.Log.Error().Err(err).Msg("the fence could stop no VM; the leader will treat the node as unfenced")
		return
	}
	f.sign(k)
}

// enforce carries out the present duty.
func (f *Fence) enforce(ctx context.Context, k knowledge) error {
	switch {
	case k.known:
	case k.blind && k.unmarked != nil:
		return k.unmarked
	case k.blind:
		return f.firmly(ctx, k.mark, Grip.Freeze)
	default:
		return nil // the node was never allowed to run a VM
	}
	duty := DutyAt(f.config.Boottime(), f.config.Boot, k.lease, f.config.After)
	if k.recalled {
		duty = min(duty, Freeze)
	}
	if duty != f.duty {
		f.config.Log.Warn().Stringer("duty", duty).Stringer("before", f.duty).Msg("the fence's duty changed")
		f.duty = duty
	}
	switch duty {
	case Freeze:
		return f.firmly(ctx, k.lease.Cluster, Grip.Freeze)
	case Destroy:
		return f.firmly(ctx, k.lease.Cluster, Grip.Destroy)
	}
	return nil
}

// try finds out from time to time whether one of the grips could act. The firm one needs nobody else.
func (f *Fence) try(ctx context.Context, k knowledge) error {
	if time.Since(f.tried) < tryEvery {
		return nil
	}
	call, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := f.firm.Try(call, k.lease.Cluster)
	if err != nil {
		if gently := f.gentle.Try(call, k.lease.Cluster); gently != nil {
			return fmt.Errorf("%w; and %w", err, gently)
		}
	}
	f.tried = time.Now()
	return nil
}

// firmly tries one grip after the other.
func (f *Fence) firmly(ctx context.Context, of [16]byte, grip func(Grip, context.Context, [16]byte) error) error {
	call, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	gently := grip(f.gentle, call, of)
	if gently == nil {
		return nil
	}
	if err := grip(f.firm, ctx, of); err != nil {
		return fmt.Errorf("%w; before that: %w", err, gently)
	}
	return nil
}
