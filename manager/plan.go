package manager

import (
	"context"
	"fmt"
	"sync"

	"aliquot/cluster"
	"aliquot/policy/ceiling"
	"aliquot/scheduler"
)

// maxPlans is the number of announced plans kept for ApplyPlan.
const maxPlans = 64

// announced holds the decisions of the plans announced lately, oldest first.
type announced struct {
	mu    sync.Mutex
	plans []announcement
}

type announcement struct {
	basis    uint64
	wish     string // the hypothesis as a text, equal only for equal hypotheses
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

// Plan decides on a copy of the current view with the hypothesis applied and the tick due.
func (m *Manager) Plan(ctx context.Context, h scheduler.Hypothesis) (scheduler.Preview, error) {
	before, err := m.Snapshot(ctx)
	if err != nil {
		return scheduler.Preview{}, err
	}
	h.Tick = true
	plan, err := scheduler.Foresee(before, h, m.parsePolicy)
	if err != nil {
		return scheduler.Preview{}, err
	}
	if bound, ok := ceiling.Yield(plan.After.View()); ok {
		plan.Bound = &bound
	}
	m.announced.put(announcement{plan.Basis, h.String(), plan.Adopt})
	return plan, nil
}

// ApplyPlan carries out the announced plan exactly, or rejects with cluster.CodeStaleBasis.
func (m *Manager) ApplyPlan(ctx context.Context, actor cluster.Actor, request string, h scheduler.Hypothesis,
	basis uint64) (cluster.Result, error) {
	h.Tick = true
	decision, ok := m.announced.get(basis, h.String())
	if !ok {
		return cluster.Result{}, &cluster.Rejection{Code: cluster.CodeStaleBasis, Field: "basis",
			Detail: fmt.Sprintf("this manager has no such recent plan for revision %d: request the plan again", basis)}
	}
	return m.Do(ctx, actor, request, cluster.Enact{Basis: basis, Wish: h.Wish(), Decision: decision})
}
