package monitor

import (
	"errors"
	"fmt"
	"time"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// ErrUnreached is wrapped by errors about calls that certainly did not reach the hypervisor.
var ErrUnreached = errors.New("the hypervisor was not reached")

// hear records whether the hypervisor has answered a listing that was requested now, with the error or nil. It logs the
// loss, once a minute at most while it lasts, and the return.
func (a *Agent) hear(err error) {
	now, log := time.Now(), &a.config.Log
	if err == nil {
		if lasted, tell := a.failing.ends(now); tell {
			log.Info().Stringer("after", lasted.Round(time.Second)).Msg("the hypervisor answers again")
		}
		a.mute = false
		return
	}
	tell := a.failing.fails(now)
	silent := now.Sub(a.failing.since) >= a.config.Rhythm.Silence
	switch {
	case silent && (tell || !a.mute):
		log.Error().Err(err).Msg("the hypervisor is silent; no VM can start, stop or move here until it answers")
		a.failing.tell(now)
	case tell:
		log.Warn().Err(err).Msg("cannot list the node's VMs; trying again")
	}
	if silent {
		a.mute = true
		a.outbox.add(a.work.giveUp(a.last.Runs, a.tried, err))
	}
}

// giveUp fails the runs that should begin or resume here but whose VM was never requested because the hypervisor is
// silent. They may start elsewhere at once.
func (w *work) giveUp(orders []cluster.Order, tried *tried, why error) (seen []cluster.Observation) {
	for _, o := range orders {
		_, busy := w.busy[o.Run]
		_, over := w.after[o.Run]
		if o.Want != cluster.Begin && o.Want != cluster.Restore || tried.has(o.Run) || busy && !over {
			continue
		}
		f, failed := w.failed[o.Run]
		if !failed || f.Move != o.Move {
			f = reconcile.Failure{Move: o.Move, Cause: fmt.Sprintf("the hypervisor of the node does not answer: %v", why)}
			w.failed[o.Run] = f
		}
		seen = append(seen, cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenFailed, Cause: f.Cause})
	}
	return seen
}
