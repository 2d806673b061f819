package monitor

import (
	"context"

	"aliquot/cluster"
)

// readiness is what was prepared for the VM that a move brings here. It is released when the move is over.
type readiness struct {
	move    cluster.MoveID
	release func()
}

// expect prepares for a VM that a peer is about to send. Only hypervisors that are Expecters are asked to.
func (a *Agent) expect(ctx context.Context, vm VM, move cluster.MoveID) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, quickLimit)
	defer cancel()
	return a.hypervisor.(Expecter).Expect(ctx, vm, move, a.store.Folder(vm.Run))
}

// prepared records what an action has prepared.
func (w *work) prepared(o outcome) {
	if earlier, is := w.ready[o.action.Run]; is {
		go earlier.release() // which may wait for a disk
	}
	w.ready[o.action.Run] = readiness{o.action.Order.Move, o.release}
}

// unprepare releases what was prepared for moves other than the given ones, by run.
func (w *work) unprepare(moves map[cluster.RunID]cluster.MoveID) {
	for run, r := range w.ready {
		if move, ordered := moves[run]; !ordered || move != r.move {
			go r.release()
			delete(w.ready, run)
		}
	}
}

// unready returns the runs that are ordered to arrive and that the hypervisor has not prepared for.
func (a *Agent) unready(orders cluster.Orders) map[cluster.RunID]bool {
	all := map[cluster.RunID]bool{}
	if _, expects := a.hypervisor.(Expecter); !expects {
		return all
	}
	for _, o := range orders.Runs {
		if o.Want == cluster.Arrive && a.work.ready[o.Run].move != o.Move {
			all[o.Run] = true
		}
	}
	return all
}
