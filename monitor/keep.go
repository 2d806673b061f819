package monitor

import (
	"context"
	"time"
)

// leaseOutcome reports whether a lease was written down.
type leaseOutcome struct {
	lease Lease
	err   error
}

// keepLease writes leases down for the fence until ctx ends. A slow disk delays it, but not the loop.
func (a *Agent) keepLease(ctx context.Context) {
	var before Lease
	for {
		select {
		case <-ctx.Done():
			return
		case lease := <-a.leases:
			a.config.BeforeWrite()
			err := WriteLease(a.config.Data, lease, before)
			if err == nil {
				before = lease
			}
			select {
			case a.noted <- leaseOutcome{lease, err}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// watchFence reads the fence's sign of life until ctx ends. A sign that cannot be read is as old as the last.
func (a *Agent) watchFence(ctx context.Context) {
	for tick := time.NewTicker(a.config.Rhythm.Tick); ; {
		if sign, err := ReadSign(a.config.Data); err == nil {
			a.sign.Store(&sign)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}

// fenceAlive reports whether the fence has given a sign of life lately.
func (a *Agent) fenceAlive() bool {
	sign := a.sign.Load()
	return sign != nil && sign.Boot == a.config.Boot && a.config.Boottime() < sign.At+fenceLife
}

// writeLease passes the lease on for writing. Without orders the lease would allow no run.
func (a *Agent) writeLease() {
	if a.grant == 0 || a.until == 0 {
		return
	}
	lease := Lease{
		Cluster: a.of, Until: a.until, Boot: a.config.Boot,
		Generation: a.last.Generation, Epoch: a.last.Epoch, Revision: a.last.Revision,
	}
	for _, o := range a.last.Runs {
		lease.Runs = append(lease.Runs, o.Run)
	}
	if lease.allows(a.wanted) {
		return
	}
	a.wanted = lease
	select {
	case <-a.leases: // an older lease whose writing has not begun
	default:
	}
	a.leases <- lease
}

// note records whether a lease was written. A failed one is tried again with the next.
func (a *Agent) note(o leaseOutcome) {
	a.written = o.lease
	if o.err == nil {
		return
	}
	a.config.Log.Error().Err(o.err).
		Msg("cannot write the lease for the fence; it will freeze the VMs when the last lease ends; check the data folder")
	if a.wanted.allows(o.lease) {
		a.wanted = Lease{}
	}
}

// told reports whether the last lease, written or not, allows the ordered runs. A restarted monitor must know which
// runs may have begun.
func (a *Agent) told() bool {
	if a.wanted.Boot == "" {
		return true // there was no lease, or its writing failed
	}
	written := a.written
	written.Until = a.wanted.Until
	return a.wanted.allows(written)
}
