package reconcile

import (
	"slices"

	"aliquot/cluster"
)

// Step returns the actions to begin now, in order, and the present observations, by run. It omits
// runs about which nothing is certain at the moment.
func Step(w World) ([]Action, []cluster.Observation) {
	s := step{World: w, boost: w.boosts()}
	ordered := map[cluster.RunID]bool{}
	for _, o := range w.Orders.Runs {
		ordered[o.Run] = true
		s.order(o)
	}
	s.strays(ordered)
	if !w.Lease {
		s.actions = nil
	}
	slices.SortFunc(s.seen, func(a, b cluster.Observation) int { return a.Run.Compare(b.Run) })
	return w.inOrder(s.actions), s.seen
}

// Supersedes reports whether orders may follow the last ones taken. Monitors refuse orders of a former
// leader.
func Supersedes(o, last cluster.Orders) bool {
	return slices.Compare([]uint64{o.Generation, o.Epoch, o.Revision},
		[]uint64{last.Generation, last.Epoch, last.Revision}) >= 0
}

type step struct {
	World
	boost   map[cluster.RunID]cluster.CPU // caps of VMs that boot
	actions []Action
	seen    []cluster.Observation
}

func (s *step) observe(o cluster.Observation) { s.seen = append(s.seen, o) }

// act requests an action unless the same one has just failed.
func (s *step) act(v Verb, o cluster.Order) {
	if s.Resting[o.Run] == v {
		return
	}
	s.actions = append(s.actions, Action{Verb: v, Run: o.Run, Order: o})
}

// order handles one ordered run.
func (s *step) order(o cluster.Order) {
	d, here := s.Domains[o.Run]
	d.Cap = s.meant(d.Cap, o.CPU)
	doing, busy := s.Busy[o.Run]
	if s.waits(d, doing) {
		s.act(Wake, o)
		return
	}
	if busy {
		if o.Aborted && (doing.Verb == Save || doing.Verb == Migrate) {
			s.act(Abort, o)
		}
		return
	}
	if s.Unread[o.Run] {
		s.unread(o, d, here)
		return
	}
	switch exit := s.Guests[o.Run].Exit; {
	case d.Half:
		s.act(Destroy, o)
	case exit != nil && here && o.Want == cluster.Arrive && d.State != Running:
		// The guest exited on the source; only a remnant of the VM arrives here.
	case exit != nil && here:
		s.act(Destroy, o)
	case exit != nil:
		s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenExited, Exit: exit})
		s.discard(o)
	case here && d.State == Dying:
		// It will be gone soon; then its end is known.
	case here:
		s.present(o, d)
	default:
		s.absent(o)
	}
}

// meant returns the ordered cap if the one in force is what comes of it. Hypervisors enforce no cap of less than a
// millisecond per second, which is up to 10 millicores of the reference.
func (w *World) meant(inForce, ordered cluster.CPU) cluster.CPU {
	thousand := cluster.CPU(cluster.ReferenceSpeed)
	least := (cluster.CPU(w.Speed.Known()) + thousand/2) / thousand
	if ordered < least && inForce == least {
		return ordered
	}
	return inForce
}

// waits reports whether the hypervisor waits for a VM's process, which a signal has stopped.
func (s *step) waits(d Domain, doing Action) bool {
	return d.Stopped && (d.Moving || doing.needsProcess())
}

// unread handles a run whose files on the store are unreadable: it may have ended, begun or been saved. Only safe
// actions are taken, and nothing is reported, with one exception: a VM that was never requested will not be created
// here.
func (s *step) unread(o cluster.Order, d Domain, here bool) {
	switch {
	case !here && s.Untried[o.Run] && (o.Want == cluster.Begin || o.Want == cluster.Restore):
		if f, failed := s.failure(o); failed {
			s.fail(o, f)
		}
	case !here:
	case o.Want == cluster.Vanish:
		s.act(Destroy, o)
	case o.Want == cluster.Stay && d.State == Running && !d.has(o.CPU, o):
		s.act(share(o, d), o)
	}
}

// failure returns the failure of the ordered move, if it has failed.
func (s *step) failure(o cluster.Order) (Failure, bool) {
	f, ok := s.Failed[o.Run]
	ok = ok && f.Move == o.Move
	if !ok && o.Aborted {
		return Failure{Move: o.Move, Cause: "aborted as ordered"}, true
	}
	return f, ok
}

func (s *step) fail(o cluster.Order, f Failure) {
	s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenFailed, Cause: f.Cause})
}

// discard deletes the remaining memory images of the run.
func (s *step) discard(o cluster.Order) {
	if s.Images[o.Run] != (Image{}) {
		s.act(Discard, o)
	}
}

// strays handles the VMs that the orders do not mention. A VM of the cluster is destroyed only if the
// leader orders that, because its run is over. Otherwise it is frozen and kept for people to decide.
func (s *step) strays(ordered map[cluster.RunID]bool) {
	given := map[cluster.RunID]bool{}
	for _, run := range s.Orders.Destroy {
		given[run] = true
		if _, here := s.Domains[run]; !here && !ordered[run] {
			s.observe(cluster.Observation{Run: run, Seen: cluster.SeenAbsent})
		}
	}
	for run, d := range s.Domains {
		doing, busy := s.Busy[run]
		switch {
		case ordered[run]:
		case s.waits(d, doing) && (busy || !given[run]):
			s.act(Wake, cluster.Order{Run: run})
		case !busy:
			s.stray(run, d, given[run])
		}
	}
}

func (s *step) stray(run cluster.RunID, d Domain, given bool) {
	o := cluster.Order{Run: run}
	switch {
	case given:
		if s.Resting[run] == Destroy { // it has failed; people may have to act
			s.observe(cluster.Observation{Run: run, Seen: cluster.SeenStray})
		}
		s.act(Destroy, o)
	case d.State == Dying, d.Moving:
		// It is leaving, or arriving before its order.
	case d.State == Running:
		s.act(Freeze, o)
		fallthrough
	default:
		s.observe(cluster.Observation{Run: run, Seen: cluster.SeenStray})
	}
}
