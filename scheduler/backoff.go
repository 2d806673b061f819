package scheduler

import (
	"reflect"
	"slices"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
)

// Bounds of a back-off. Each wait is twice as long as the one before.
const (
	// short, because commands in between explain a first failure: the next attempt succeeds
	firstBackoff = 100 * cluster.Millisecond
	mostBackoff  = cluster.Minute
)

// Backoff is the memory of a leader's loop. It keeps the loop from repeating proposals that change nothing: a
// decision that can be adopted only in part leaves its occasion pending, and a plan that State refuses remains the
// plan.
//
// Time is the time of the views, so the same views and outcomes give the same proposals. The zero Backoff holds
// nothing back. It is used by one goroutine.
type Backoff struct {
	decisions pause
	decided   cluster.Time     // time of the view that the last decision was made on
	left      cluster.Occasion // part of the last decision's occasion that is still pending
	moves     Refused
}

// Step returns the next proposal: one Adopt if there is an occasion to decide on; otherwise one StartMoves if the
// adopted target is not reached and moves may start; otherwise nil. It skips decisions and moves that are held back.
// A decision that is held back does not stop the moves of the adopted target.
func (b *Backoff) Step(v *cluster.View, p policy.Policy, l migrate.Limits) cluster.Action {
	if seen := v.Pending(); !seen.Empty() && !b.holds(v, seen) {
		b.decided = v.At
		return Adoption(v, seen, p.Decide(v))
	}
	return b.Moves(v, l)
}

// Moves is the function Moves without the moves that are held back.
func (b *Backoff) Moves(v *cluster.View, l migrate.Limits) cluster.Action {
	if a := Moves(v, l); a != nil && !b.moves.Holds(a, v.At) {
		return a
	}
	return nil
}

// holds reports whether the pending occasion is only the part that could not be adopted, and it is too early to
// decide on it again.
func (b *Backoff) holds(v *cluster.View, pending cluster.Occasion) bool {
	return b.decisions.holds(v.At) && pending.Within(b.left)
}

// Note records the outcome of an action that Step or Moves returned: whether State refused it, and the view
// afterwards.
func (b *Backoff) Note(a cluster.Action, refused bool, after *cluster.View) {
	adopt, decided := a.(cluster.Adopt)
	if !decided {
		b.moves.Note(a, refused, after.At)
		return
	}
	if b.left = adopt.Seen; !refused {
		b.left = b.remainder(adopt, after)
	}
	if b.left.Empty() {
		b.decisions = pause{}
	} else {
		b.decisions.extend(after.At)
	}
}

// remainder returns the part of the pending occasion that the adopted decision did not settle: events and jobs that
// it was made on or decided, and alarms that it set in the past. Everything else that is pending happened in the
// meantime.
func (b *Backoff) remainder(a cluster.Adopt, after *cluster.View) (left cluster.Occasion) {
	for _, alarm := range a.Alarms {
		if alarm.At <= b.decided {
			left.Due = append(left.Due, alarm)
		}
	}
	for _, id := range after.Pending().Submitted {
		_, seen := slices.BinarySearch(a.Seen.Submitted, id)
		if seen || slices.ContainsFunc(a.Set, func(h cluster.Holding) bool { return h.Job == id }) {
			left.Submitted = append(left.Submitted, id)
		}
	}
	return left
}

// WakeAt returns the next time after the view at which there may be something to propose; zero: none until something
// changes.
func (b *Backoff) WakeAt(v *cluster.View) cluster.Time {
	wake := v.WakeAt()
	for _, p := range []pause{b.decisions, b.moves.pause} {
		if p.holds(v.At) && (wake == 0 || p.until < wake) {
			wake = p.until
		}
	}
	return wake
}

// Undecided returns the jobs of the decision that is held back and the length of the back-off; zero: no decision is
// held back.
func (b *Backoff) Undecided() (jobs []cluster.JobID, wait cluster.Time) {
	return b.left.Submitted, b.decisions.wait
}

// Refused holds back an action that State has refused. It does not hold back other actions.
type Refused struct {
	pause
	action cluster.Action
}

// Holds reports whether the action is the refused one and it is too early to propose it again.
func (r *Refused) Holds(a cluster.Action, now cluster.Time) bool {
	return r.pause.holds(now) && reflect.DeepEqual(r.action, a)
}

// Note records whether State refused the action.
func (r *Refused) Note(a cluster.Action, refused bool, now cluster.Time) {
	if !refused {
		*r = Refused{}
		return
	}
	r.action = a
	r.extend(now)
}

// pause is a waiting time that doubles each time.
type pause struct {
	until cluster.Time
	wait  cluster.Time // present length; zero: no pause
}

func (p *pause) holds(now cluster.Time) bool { return now < p.until }

func (p *pause) extend(now cluster.Time) {
	p.wait = min(max(2*p.wait, firstBackoff), mostBackoff)
	p.until = now + p.wait
}
