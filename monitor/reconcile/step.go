package reconcile

import (
	"slices"

	"aliquot/cluster"
)

// Step returns what to do now, in the order in which to begin it, and what is true now, by run.
// About runs of which nothing can be said at the moment it says nothing.
func Step(w World) ([]Action, []cluster.Observation) {
	s := step{World: w}
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
	return inOrder(s.actions, w.Busy), s.seen
}

// Supersedes tells whether orders may follow those taken last: monitors refuse what a
// former leader says.
func Supersedes(o, last cluster.Orders) bool {
	return slices.Compare([]uint64{o.Generation, o.Epoch, o.Revision}, []uint64{last.Generation, last.Epoch, last.Revision}) >= 0
}

type step struct {
	World
	actions []Action
	seen    []cluster.Observation
}

func (s *step) observe(o cluster.Observation) { s.seen = append(s.seen, o) }

// act asks for an action unless the same has just failed.
func (s *step) act(v Verb, o cluster.Order) {
	if s.Resting[o.Run] == v {
		return
	}
	s.actions = append(s.actions, Action{Verb: v, Run: o.Run, Order: o})
}

// order handles one run that is ordered.
func (s *step) order(o cluster.Order) {
	if doing, busy := s.Busy[o.Run]; busy {
		if o.Aborted && (doing.Verb == Save || doing.Verb == Migrate) {
			s.act(Abort, o)
		}
		return
	}
	d, here := s.Domains[o.Run]
	if s.Unread[o.Run] {
		s.unread(o, d, here)
		return
	}
	switch exit := s.Guests[o.Run].Exit; {
	case exit != nil && here && o.Want == cluster.Arrive && d.State != Running:
		// The source's file says so; what is coming here is what is left of the VM.
	case exit != nil && here:
		s.act(Destroy, o)
	case exit != nil:
		s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenExited, Exit: exit})
		s.discard(o)
	case here && d.State == Dying:
		// Soon it is gone; then its end is known.
	case here:
		s.present(o, d)
	default:
		s.absent(o)
	}
}

// unread handles a run of which it is not known what the store has: it may have ended, begun or been saved. Only
// what is right in any case is done, and nothing is said, but that a VM which nobody has asked for yet will not be made here.
func (s *step) unread(o cluster.Order, d Domain, here bool) {
	switch {
	case !here && s.Untried[o.Run] && (o.Want == cluster.Begin || o.Want == cluster.Restore):
		if f, failed := s.failure(o); failed {
			s.fail(o, f)
		}
	case !here:
	case o.Want == cluster.Vanish:
		s.act(Destroy, o)
	case o.Want == cluster.Stay && d.State == Running && (d.Cap != o.CPU || d.Tier != o.Tier):
		s.act(share(o, d), o)
	}
}

// failure is that of the ordered move, if it has failed.
func (s *step) failure(o cluster.Order) (Failure, bool) {
	f, ok := s.Failed[o.Run]
	ok = ok && f.Move == o.Move
	if !ok && o.Aborted {
		return Failure{Move: o.Move, Cause: "given up as ordered"}, true
	}
	return f, ok
}

func (s *step) fail(o cluster.Order, f Failure) {
	s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenFailed, Cause: f.Cause})
}

// discard deletes what memory images of the run are left.
func (s *step) discard(o cluster.Order) {
	if s.Images[o.Run] != (Image{}) {
		s.act(Discard, o)
	}
}

// strays handles what the orders do not mention: a VM of ours is destroyed only when State
// vouches that its run is over; otherwise it is kept, frozen, for people to decide.
func (s *step) strays(ordered map[cluster.RunID]bool) {
	given := map[cluster.RunID]bool{}
	for _, run := range s.Orders.Destroy {
		given[run] = true
		if _, here := s.Domains[run]; !here && !ordered[run] {
			s.observe(cluster.Observation{Run: run, Seen: cluster.SeenAbsent})
		}
	}
	for run, d := range s.Domains {
		if _, busy := s.Busy[run]; !busy && !ordered[run] {
			s.stray(run, d, given[run])
		}
	}
}

func (s *step) stray(run cluster.RunID, d Domain, given bool) {
	o := cluster.Order{Run: run}
	switch {
	case given:
		if s.Resting[run] == Destroy { // it has failed: people may have to see to it
			s.observe(cluster.Observation{Run: run, Seen: cluster.SeenStray})
		}
		s.act(Destroy, o)
	case d.State == Dying, d.Moving:
		// On its way out, or in before the order to expect it.
	case d.State == Running:
		s.act(Freeze, o)
		fallthrough
	default:
		s.observe(cluster.Observation{Run: run, Seen: cluster.SeenStray})
	}
}
