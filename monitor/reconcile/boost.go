package reconcile

import (
	"time"

	"aliquot/cluster"
)

// longestBoot is the age from which on a VM boots with its own share, because it may never report its start.
const longestBoot = 10 * time.Minute

// boosts returns the caps of VMs that are booting here. Beyond its share, each may use what no order claims, up to one
// core of the node, because a kernel boots on one vCPU. The first runs get it; when they have started, it goes to the
// next. So many small VMs boot one after another at full speed, and nobody's share suffers. Caps in the background
// claim nothing.
func (w *World) boosts() map[cluster.RunID]cluster.CPU {
	caps, spare := map[cluster.RunID]cluster.CPU{}, w.CPU
	for _, o := range w.Orders.Runs {
		if o.Tier == cluster.Foreground {
			spare -= o.CPU
		}
	}
	for _, o := range w.Orders.Runs {
		if extra := min(spare, min(w.Speed.Reference(cluster.Core), w.CPU)-o.CPU); extra > 0 && w.boots(o) {
			caps[o.Run] = o.CPU + extra
			spare -= extra
		}
	}
	return caps
}

// boots reports whether the run's VM is here, not older than a boot takes, and its guest has not reported its start.
func (w *World) boots(o cluster.Order) bool {
	d, here := w.Domains[o.Run]
	g := w.Guests[o.Run]
	booting := here && d.Age < longestBoot && !w.Unread[o.Run] && !g.Started && g.Exit == nil
	return booting && (o.Want == cluster.Begin || o.Want == cluster.Stay)
}

// boosted reports whether the VM, whose guest has started, has its boost still. If so, its cap is about to fall, and
// until then nothing is said about it: its progress counts from its own cap on. A Resize in progress may have the same
// look; its cap counts as it falls.
func (s *step) boosted(o cluster.Order, d Domain) bool {
	resized := o.Want == cluster.Stay && o.Move != 0
	return s.Lease && d.Cap > o.CPU && !resized && s.Resting[o.Run] != Lower
}
