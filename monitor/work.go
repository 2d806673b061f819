package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// work holds the agent's actions for runs and their outcomes, until the leader has drawn its conclusions.
type work struct {
	busy    map[cluster.RunID]reconcile.Action
	after   map[cluster.RunID]int // the run stays busy until a later snapshot than this has been taken
	failed  map[cluster.RunID]reconcile.Failure
	resting map[cluster.RunID]rest
	answers map[cluster.RunID]answer
	missing map[cluster.RunID]time.Time // since when an ordered run has no VM here
	tries   map[cluster.RunID]int
	hidden  map[cluster.RunID]time.Time // since when a run's files on the store are unreadable
	ready   map[cluster.RunID]readiness // preparations for VMs that are to arrive
}

// rest is a failed action and the time of its next attempt.
type rest struct {
	verb  reconcile.Verb
	until time.Time
}

// answer is a peer's answer about a run. It holds only for the move for which it was asked: in the next
// move the VM may come from the node to which it went.
type answer struct {
	presence reconcile.Presence
	move     cluster.MoveID
	at       time.Time
}

const (
	answerLife = 2 * time.Second       // how long a peer's answer is valid
	endDelay   = 2 * time.Second       // how late the event about a VM's end may come
	firstAsk   = 10 * time.Millisecond // pause before a peer without an answer is asked again; doubles
	mostAsk    = time.Second
	firstPause = 500 * time.Millisecond // pause before a failed action is tried again; doubles
	mostPause  = 30 * time.Second
	quickLimit = 15 * time.Second // for quick calls to the hypervisor
	startLimit = 10 * time.Minute // for fetching an image and creating a VM
	moveLimit  = time.Hour        // for reading, writing or sending memory; the leader gives up earlier
)

// outcome is the result of an action.
type outcome struct {
	action   reconcile.Action
	presence reconcile.Presence
	release  func() // of Expect, if it succeeded
	err      error
	took     time.Duration
}

// open reports whether a peer must be asked again, because it had no answer yet or because an arriving
// VM is still at its source.
func (o *outcome) open() bool {
	if o.action.Verb != reconcile.Ask || o.err != nil {
		return false
	}
	return o.presence == reconcile.Unknown || o.presence == reconcile.Coming ||
		o.presence == reconcile.There && o.action.Order.Want == cluster.Arrive
}

func newWork() work {
	return work{
		busy: map[cluster.RunID]reconcile.Action{}, after: map[cluster.RunID]int{},
		failed: map[cluster.RunID]reconcile.Failure{}, resting: map[cluster.RunID]rest{},
		answers: map[cluster.RunID]answer{}, missing: map[cluster.RunID]time.Time{}, tries: map[cluster.RunID]int{},
		ready: map[cluster.RunID]readiness{},
	}
}

// begin runs an action in its own goroutine.
func (a *Agent) begin(ctx context.Context, action reconcile.Action, here bool) {
	lapses := a.lapses.Load()
	if action.Beside() {
		go a.intervene(ctx, action, lapses)
		return
	}
	a.work.busy[action.Run] = action
	vm, patience := VM{a.of, action.Run}, min(mostAsk, firstAsk<<min(a.work.tries[action.Run], 10))
	go func() {
		began := time.Now()
		o := outcome{action: action}
		if action.Verb == reconcile.Expect {
			o.release, o.err = a.expect(ctx, vm, action.Order.Move)
		} else {
			o.presence, o.err = a.do(ctx, action, lapses, vm, here)
		}
		o.took = time.Since(began)
		if o.open() {
			select {
			case <-time.After(patience):
			case <-ctx.Done():
			}
		}
		select {
		case a.done <- o:
		case <-ctx.Done():
		}
	}()
}

// intervene carries out an action beside another one, whose goroutine reports that one's end.
func (a *Agent) intervene(ctx context.Context, action reconcile.Action, lapses int64) {
	ctx, cancel := context.WithTimeout(ctx, quickLimit)
	defer cancel()
	do := a.hypervisor.Abort
	if action.Verb == reconcile.Wake {
		do = a.hypervisor.Wake
	}
	err := a.leased(lapses)
	if err == nil {
		err = do(ctx, VM{a.of, action.Run})
	}
	if err != nil {
		a.config.Log.Warn().Err(err).Stringer("run", action.Run).Stringer("action", action.Verb).Msg("action failed")
	}
}

// finish records the result of an action. The run stays busy until the next snapshot has seen it.
func (a *Agent) finish(o outcome) {
	run := o.action.Run
	a.work.after[run] = a.snapshots
	log := a.config.Log.Info()
	if o.err != nil {
		log = a.config.Log.Warn().Err(o.err)
	}
	log.Stringer("run", run).Stringer("action", o.action.Verb).Dur("took", o.took).Msg("action ended")
	a.work.note(o, time.Now())
	a.look()
}

// note records an answer or a failure.
func (w *work) note(o outcome, now time.Time) {
	run := o.action.Run
	delete(w.answers, run)
	if o.err == nil {
		delete(w.resting, run)
		if o.release != nil {
			w.prepared(o)
		}
		if o.open() {
			w.tries[run]++
		} else {
			delete(w.tries, run)
		}
		if o.action.Verb == reconcile.Ask {
			w.answers[run] = answer{o.presence, o.action.Order.Move, now}
		}
		return
	}
	if o.action.Concludes() {
		w.failed[run] = reconcile.Failure{Move: o.action.Order.Move, Cause: o.err.Error(),
			Lost: errors.Is(o.err, ErrUnreadable)}
		if o.action.Verb != reconcile.Restore { // a complete VM is not restored again; its last steps are retried
			return
		}
	}
	w.resting[run] = rest{o.action.Verb, now.Add(min(mostPause, firstPause<<min(w.tries[run], 10)))}
	w.tries[run]++
}

// settle frees the runs whose actions ended before the snapshot began.
func (w *work) settle(number int) {
	for run, after := range w.after {
		if number > after {
			delete(w.after, run)
			delete(w.busy, run)
		}
	}
}

// follow forgets runs and moves that are no longer ordered.
func (w *work) follow(o cluster.Orders) {
	moves := map[cluster.RunID]cluster.MoveID{}
	for _, order := range o.Runs {
		moves[order.Run] = order.Move
	}
	for run, f := range w.failed {
		if move, ordered := moves[run]; !ordered || move != f.Move {
			delete(w.failed, run)
		}
	}
	for run, a := range w.answers {
		if move, ordered := moves[run]; !ordered || move != a.move {
			delete(w.answers, run)
		}
	}
	w.unprepare(moves)
	for run := range w.tries {
		if _, ordered := moves[run]; !ordered {
			delete(w.tries, run)
		}
	}
}

// forgive drops expired rests and answers, and reports whether another look is needed.
func (w *work) forgive(now time.Time) bool {
	changed := false
	for run, r := range w.resting {
		if now.After(r.until) {
			delete(w.resting, run)
			changed = true
		}
	}
	for run, a := range w.answers {
		if now.Sub(a.at) > answerLife {
			delete(w.answers, run)
			changed = true
		}
	}
	for _, since := range w.missing {
		changed = changed || now.Sub(since) > endDelay
	}
	return changed
}

func (w *work) rests() map[cluster.RunID]reconcile.Verb {
	all := make(map[cluster.RunID]reconcile.Verb, len(w.resting))
	for run, r := range w.resting {
		all[run] = r.verb
	}
	return all
}

func (w *work) peers() map[cluster.RunID]reconcile.Presence {
	all := make(map[cluster.RunID]reconcile.Presence, len(w.answers))
	for run, a := range w.answers {
		all[run] = a.presence
	}
	return all
}

// ended adds ends that the hypervisor did not observe, because it or the node was restarted meanwhile.
func (w *work) ended(orders cluster.Orders, s *snapshot) map[cluster.RunID]reconcile.End {
	all := make(map[cluster.RunID]reconcile.End, len(s.Ended))
	for run, end := range s.Ended {
		all[run] = end
	}
	now, missing := time.Now(), map[cluster.RunID]time.Time{}
	for _, o := range orders.Runs {
		_, here := s.Domains[o.Run]
		if _, busy := w.busy[o.Run]; here || busy {
			continue
		}
		missing[o.Run] = now
		if since, known := w.missing[o.Run]; known {
			missing[o.Run] = since
		}
		if _, told := all[o.Run]; !told && now.Sub(missing[o.Run]) > endDelay {
			all[o.Run] = reconcile.End{Cause: "its VM is gone from the node; the node or its hypervisor was restarted"}
		}
	}
	w.missing = missing
	return all
}

// do carries out an action, which began after so many leases had expired, and waits for its end.
func (a *Agent) do(ctx context.Context, action reconcile.Action, lapses int64, vm VM,
	here bool) (reconcile.Presence, error) {
	limit := quickLimit
	switch action.Verb {
	case reconcile.Start:
		limit = startLimit
	case reconcile.Restore, reconcile.Save, reconcile.Migrate:
		limit = moveLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	o, h := action.Order, a.hypervisor
	folder := a.store.Folder(action.Run)
	switch action.Verb {
	case reconcile.Start:
		return 0, a.start(ctx, o, lapses, vm, folder)
	case reconcile.Restore:
		return 0, a.restore(ctx, o, lapses, vm, folder, here)
	case reconcile.Save:
		return 0, a.save(ctx, vm, folder)
	case reconcile.Finish:
		return 0, a.adopt(ctx, vm, folder)
	case reconcile.Discard:
		return 0, folder.discard()
	case reconcile.Migrate:
		return 0, h.Migrate(ctx, vm, o.Move, o.Peer, o.CPU, o.Tier)
	case reconcile.Ask:
		if o.Peer == "" && o.Want == cluster.Leave {
			return reconcile.Nowhere, nil
		}
		return h.Ask(ctx, o.Peer, vm)
	case reconcile.Lower, reconcile.Raise:
		return 0, h.SetShare(ctx, vm, o.CPU, o.Tier, o.Core)
	case reconcile.Freeze:
		return 0, h.Freeze(ctx, vm)
	case reconcile.Thaw:
		return 0, a.letRun(ctx, vm, lapses)
	case reconcile.Destroy:
		return 0, h.Destroy(ctx, vm)
	}
	panic(fmt.Sprintf("monitor: unknown action %v", action.Verb))
}
