package manager

import (
	"context"
	"fmt"
	"sync"

	"aliquot/cluster"
	"aliquot/manager/cycle"
	"aliquot/migrate"
	"aliquot/policy/ceiling"
	"aliquot/web"
)

// maxPlans is how many announced plans are remembered, so that they can be carried out exactly.
const maxPlans = 64

// announced are the decisions behind the plans that were given out lately, oldest first.
type announced struct {
	mu    sync.Mutex
	plans []announcement
}

type announcement struct {
	basis    uint64
	wish     string // the hypothesis, in Go syntax: equal wishes are equal strings
	decision cluster.Adopt
}

func (a *announced) put(p announcement) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.plans = append(a.plans, p)
	if len(a.plans) > maxPlans {
		a.plans = a.plans[1:]
	}
}

func (a *announced) get(basis uint64, wish string) (cluster.Adopt, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.plans {
		if p.basis == basis && p.wish == wish {
			return p.decision, true
		}
	}
	return cluster.Adopt{}, false
}

// Plan decides on a copy of the current view, with the hypothesis applied and the tick due.
func (m *Manager) Plan(ctx context.Context, h web.Hypothesis) (web.PlanResult, error) {
	before, err := m.View(ctx)
	if err != nil {
		return web.PlanResult{}, err
	}
	result := web.PlanResult{Basis: before.Revision, Before: before}
	draft := before.State.Clone()
	if wish := wishOf(h); wish != nil {
		r := draft.Apply(draft.Revision+1, cluster.Command{At: before.At, Actor: system, Action: wish})
		if r.Rejection != nil {
			return web.PlanResult{}, r.Rejection
		}
		if h.Submit != nil {
			result.Job = r.Job
		}
	} else {
		draft.Occasion.Next = before.At
	}
	p, err := m.parsePolicy(draft.Policy)
	if err != nil {
		return web.PlanResult{}, err
	}
	view := draft.View(before.At)
	chosen := p.Decide(view)
	decision := cycle.Adoption(view, view.Pending(), chosen)
	r := draft.Apply(draft.Revision+1, cluster.Command{At: before.At, Actor: system, Epoch: draft.Epoch, Action: decision})
	if r.Rejection != nil {
		return web.PlanResult{}, r.Rejection
	}
	result.After = draft.View(before.At)
	result.Moves, result.Blocked = planned(migrate.Build(result.After))
	if bound, ok := ceiling.Yield(result.After); ok {
		result.Bound = &bound
	}
	result.Refuse, result.Why, result.Weighed = decision.Refuse, decision.Why, chosen.Weighed
	m.announced.put(announcement{result.Basis, wishText(h), decision})
	return result, nil
}

// ApplyPlan carries out exactly what was announced, or rejects with cluster.CodeStaleBasis.
func (m *Manager) ApplyPlan(ctx context.Context, actor cluster.Actor, request string, h web.Hypothesis, basis uint64) (cluster.Result, error) {
	decision, ok := m.announced.get(basis, wishText(h))
	if !ok {
		return cluster.Result{}, &cluster.Rejection{Code: cluster.CodeStaleBasis, Field: "basis",
			Detail: fmt.Sprintf("this manager has announced no such plan for revision %d lately: ask for the plan again", basis)}
	}
	return m.Do(ctx, actor, request, cluster.Enact{Basis: basis, Wish: wishOf(h), Decision: decision})
}

func wishOf(h web.Hypothesis) cluster.Action {
	switch {
	case h.Drain != 0:
		return cluster.SetNode{Node: h.Drain, Want: cluster.Drain}
	case h.Submit != nil:
		return cluster.Submit{Spec: h.Submit}
	case h.Policy != nil:
		return cluster.SetPolicy{Name: h.Policy.Name, Period: h.Policy.Period}
	}
	return nil
}

func wishText(h web.Hypothesis) string {
	return fmt.Sprintf("%d %+v %+v", h.Drain, h.Submit, h.Policy)
}

func planned(p migrate.Plan) (moves []web.PlannedMove, blocked []web.BlockedTask) {
	for _, s := range p.Steps {
		moves = append(moves, web.PlannedMove{Move: s.Move, After: s.After})
	}
	for _, b := range p.Blocked {
		blocked = append(blocked, web.BlockedTask{Task: b.Task, Obstacle: string(b.Why)})
	}
	return moves, blocked
}
