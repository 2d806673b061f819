// Package scheduler computes the leader's next proposal as a pure function of the view. The live manager and the
// simulator run the same code. The package has no loop of its own.
//
// It proposes one thing at a time: a decision while an occasion is pending, otherwise the moves of the plan that may
// start.
//
// Invariant: the same view, policy and limits give the same proposal.
package scheduler

import (
	"slices"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
)

// Moves returns the proposal when there is nothing to decide: one StartMoves if the adopted target is not reached and
// moves may start, otherwise nil.
func Moves(v *cluster.View, l migrate.Limits) cluster.Action {
	if moves := migrate.Build(v).Ready(v, l); len(moves) > 0 {
		return cluster.StartMoves{Moves: moves}
	}
	return nil
}

// Adoption returns the command that adopts the decision: its difference to the present target. Placements are ordered
// by falling priority, dropped jobs by rising priority, so that the state keeps the right ones if it can no longer
// adopt all. Adoption computes the decision's reasons.
func Adoption(v *cluster.View, seen cluster.Occasion, d policy.Decision) cluster.Adopt {
	a := cluster.Adopt{Basis: v.Revision(), Seen: seen, Tick: v.NextTick(), Refuse: d.Refuse, Alarms: v.Agenda(d.Alarms),
		By: d.By, Kill: d.Kill}
	if d.Why != nil {
		a.Why = slices.Collect(d.Why)
	}
	var set, drop []change
	for id, p := range d.Target.Since(v.TargetAll()) {
		j := v.Job(id)
		c := change{j, j.Priority(v.At), p[1]}
		switch {
		case c.placement == nil:
			drop = append(drop, c)
		case p[0] == nil || !keeps(v, j, p[0], p[1]):
			set = append(set, c)
		}
	}
	slices.SortFunc(drop, func(x, y change) int { return y.compare(x) })
	for _, c := range drop {
		a.Drop = append(a.Drop, c.job.ID)
	}
	slices.SortFunc(set, change.compare)
	a.Set = slices.Grow(a.Set, len(set))
	for _, c := range set {
		a.Set = append(a.Set, cluster.Holding{Job: c.job.ID, Placement: live(v, c.job, c.placement)})
	}
	return a
}

// change is a decision's change to a job.
type change struct {
	job       *cluster.Job
	priority  float64
	placement *cluster.Placement
}

func (c change) compare(o change) int {
	return policy.ByPriority(c.priority, int(c.job.ID), o.priority, int(o.job.ID))
}

// keeps reports whether the placement is the present one, once its cap is no more than the job can use on slow nodes.
func keeps(v *cluster.View, j *cluster.Job, now, wanted *cluster.Placement) bool {
	if now.Grant == wanted.Grant {
		return false // it differs in its nodes
	}
	kept := *wanted
	kept.Grant = v.Grant(j, wanted)
	return kept.Equal(now)
}

// live returns the placement in the form that decisions use: with nodes of live tasks only, and a grant that all
// managers know.
func live(v *cluster.View, j *cluster.Job, p *cluster.Placement) cluster.Placement {
	l := p.Live()
	l.Grant = v.Grant(j, p)
	return l
}
