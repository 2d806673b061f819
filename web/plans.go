package web

import (
	"context"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/scheduler"
	"aliquot/web/api"
	"aliquot/wording"
)

func (s *server) registerPlans(to huma.API) {
	register(s, to, unaudited(operation("make-plan", "POST", "/v1/plan", cluster.User, "Make a plan",
		"Decides on a copy of the present state with the hypothesis applied, and shows the moves. Nothing is changed.")),
		s.makePlan)
	register(s, to, operation("apply-plan", "POST", "/v1/plan/apply", cluster.Operator, "Apply a plan",
		"Carries out exactly the plan announced for that basis, or answers 409 stale_basis. A drain that would break promises is refused unless force is set, which no other plan takes. Setting a policy requires an admin."), s.applyPlan)
}

func (s *server) makePlan(ctx context.Context, in *struct{ Body api.Hypothesis }) (*body[api.Plan], error) {
	h, err := s.hypothesis(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	if h.Submit != nil {
		if err := s.runnable(s.manager.Latest(), h.Submit); err != nil {
			return nil, inside("submit", err)
		}
	}
	result, err := s.manager.Plan(ctx, h)
	if err != nil {
		return nil, err
	}
	return answer(planJSON(&result)), nil
}

func (s *server) applyPlan(ctx context.Context, in *struct {
	Keyed
	Body api.PlanOrder
}) (*body[api.Accepted], error) {
	h, err := s.hypothesis(ctx, &in.Body.Hypothesis)
	if err != nil {
		return nil, err
	}
	if in.Body.Force && h.Drain == 0 {
		return nil, newProblem(string(cluster.CodeInvalid), "force",
			"only a plan of a drain takes force")
	}
	if h.Submit != nil {
		if err := s.runnableNow(ctx, in.Key, h.Submit); err != nil {
			return nil, inside("hypothesis.submit", err)
		}
	}
	switch {
	case h.Policy != nil:
		recordOf(ctx).about(h.Policy.Name)
	case h.Drain != 0:
		recordOf(ctx).about(in.Body.Hypothesis.Drain)
	}
	if a := actor(ctx); h.Policy != nil && a.Role < cluster.Admin {
		return nil, newProblem(string(cluster.CodeForbidden), "hypothesis",
			"the token %q has the role %v; setting a policy needs admin", bearer(ctx).Name, a.Role)
	}
	h.Force = in.Body.Force
	result, err := s.manager.ApplyPlan(ctx, actor(ctx), request(ctx, in.Key), h, in.Body.Basis)
	if err == nil && result.Rejection != nil {
		err = result.Rejection
	}
	return accepted(result), err
}

func (s *server) hypothesis(ctx context.Context, in *api.Hypothesis) (h scheduler.Hypothesis, err error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return h, err
	}
	assumed := 0
	if in.Drain != "" {
		n, err := nodeNamed(v, in.Drain)
		if err != nil {
			return h, err
		}
		h.Drain = n.ID
		assumed++
	}
	if in.Submit != nil {
		if h.Submit, err = specOf(in.Submit, actor(ctx), imagesOf(v)); err != nil {
			return h, inside("submit", err)
		}
		assumed++
	}
	if in.Stand != nil {
		if h.Stand, err = s.standOf(ctx, in.Stand); err != nil {
			return h, inside("stand", err)
		}
		assumed++
	}
	if in.Policy != nil {
		if h.Policy, err = s.policyOf(ctx, in.Policy); err != nil {
			return h, inside("policy", err)
		}
		assumed++
	}
	if assumed > 1 {
		return h, newProblem(string(cluster.CodeInvalid), "", "a plan takes only one hypothesis: drain, submit, stand or policy")
	}
	return h, nil
}

// inside prefixes the field of an error with the outer field.
func inside(outer string, err error) error {
	p := problemOf(err)
	if p.Field != "" {
		p.Field = outer + "." + p.Field
	}
	return p
}

func planJSON(p *scheduler.Preview) api.Plan {
	after := reader{view: p.After}
	out := api.Plan{Basis: p.Basis, Moves: []api.Move{}, Blocked: []api.BlockedTask{}, Jobs: outlooks(p),
		Refusals: []api.PlanRefusal{}, Cancelled: cancelled(p), Broken: broken(p)}
	for _, step := range p.Plan.Steps {
		move := after.moveJSON(&step.Move)
		move.After = step.After
		out.Moves = append(out.Moves, move)
	}
	for _, b := range p.Plan.Blocked {
		out.Blocked = append(out.Blocked, api.BlockedTask{Job: b.Task.Job.String(), Task: b.Task.Index,
			Obstacle: string(b.Why)})
	}
	out.Blocked = append(out.Blocked, staying(p.After)...)
	for _, r := range p.Adopt.Refuse {
		out.Refusals = append(out.Refusals, api.PlanRefusal{Job: r.Job.String(), Why: whyJSON(p.After, r.Reason)})
	}
	for _, r := range p.Later {
		out.Refusals = append(out.Refusals,
			api.PlanRefusal{Job: r.Job.String(), Why: whyJSON(p.After, r.Reason), Later: true})
	}
	out.YieldBefore, out.RunningBefore = least(p.Before)
	out.YieldAfter, out.RunningAfter = least(p.After)
	out.YieldBound = p.Bound
	out.Yields = api.YieldChange{Before: yieldSummary(p.Before), After: yieldSummary(p.After)}
	out.Nodes, out.Paused, out.Cost, out.Weighed = nodeOutlooks(p), paused(p), costOf(p), weighedJSON(p.Weighed)
	return out
}

// staying lists the tasks whose VMs are on draining nodes and are not to leave them, each with the reason of its job.
func staying(v *cluster.Snapshot) (list []api.BlockedTask) {
	for j := range v.Jobs() {
		p := v.Target(j.ID)
		for i := range j.Tasks {
			t := &j.Tasks[i]
			if p == nil || !t.Present() || !v.Node(t.Node).Draining || !slices.Contains(p.Nodes, t.Node) {
				continue
			}
			list = append(list, api.BlockedTask{Job: j.ID.String(), Task: i, Obstacle: whyJSON(v, v.Reason(j)).Text})
		}
	}
	return list
}

func weighedJSON(w *cluster.Weighed) *api.Weighed {
	if w == nil {
		return nil
	}
	return &api.Weighed{
		Beneficial: w.Beneficial(), Jobs: w.Jobs, GainSeconds: w.Gain.Seconds(), CostSeconds: w.Cost.Seconds(),
		HorizonSeconds: w.Horizon.Seconds(), Margin: w.Margin,
		Resting: w.Resting, RestSeconds: w.Rest.Seconds(), Fixed: w.Fixed, Text: wording.Weighed(w),
	}
}

// least returns the least yield of the placed standard jobs, 0 for one in the background, and the number of all placed
// jobs.
func least(v *cluster.Snapshot) (yield *float64, jobs int) {
	for id, p := range v.TargetAll().All() {
		j := v.Job(id)
		y := yieldOf(j, p)
		if y == nil {
			y = new(float64)
		}
		if j.Spec.Class == cluster.StandardClass && (yield == nil || *y < *yield) {
			yield = y
		}
		jobs++
	}
	return yield, jobs
}

// outlooks lists the jobs that the plan changes, by id, and those that it would leave waiting for good.
func outlooks(p *scheduler.Preview) []api.JobOutlook {
	why := map[cluster.JobID]cluster.Reason{}
	for _, r := range p.Adopt.Why {
		why[r.Job] = r
	}
	list := []api.JobOutlook{}
	for j := range p.After.Jobs() {
		before, now := p.Before.Target(j.ID), p.After.Target(j.ID)
		r, news := why[j.ID]
		was := p.Before.Job(j.ID)
		if was != nil && samePlacement(before, now) && (now != nil || stuck[r.Code] == "" || r.Code == was.Why.Code) {
			continue
		}
		o := api.JobOutlook{
			Job: j.ID.String(), New: was == nil, YieldBefore: yieldOf(j, before), YieldAfter: yieldOf(j, now),
			TierBefore: tierOf(before), TierAfter: tierOf(now),
			NodesBefore: reader{view: p.Before}.nodes(before), NodesAfter: reader{view: p.After}.nodes(now),
		}
		if !news {
			r = standing(j, before, now)
		}
		if r.Code != "" {
			text := whyJSON(p.After, r)
			o.Why = &text
		}
		if o.New {
			o.Promise = reader{view: p.After}.promise(j.ID)
		}
		list = append(list, o)
	}
	return list
}

// standing returns the reason for a plan's effect on a job for which the policy gives no new reason: the present
// reason, or the new grant if nothing else changes.
func standing(j *cluster.Job, before, now *cluster.Placement) cluster.Reason {
	switch {
	case now != nil && now.Tier == cluster.Background:
		return cluster.Reason{Job: j.ID, Code: cluster.WhyBackground}
	case before == nil || now == nil || !slices.Equal(before.Nodes, now.Nodes):
		return j.Why
	}
	return cluster.Reason{Job: j.ID, Code: cluster.WhyPlaced, Values: []int64{int64(now.Cap * 1000 / j.Spec.Need)}}
}

// broken lists the promises that the plan would break, by job.
func broken(p *scheduler.Preview) []api.PlanBroken {
	list := []api.PlanBroken{}
	for was := range p.Before.Promised() {
		if now := p.After.PromiseTo(was.Job); now != nil && now.Broken() && !was.Broken() {
			list = append(list, api.PlanBroken{Job: was.Job.String(), Owner: p.Before.Job(was.Job).Spec.Owner,
				From: clock(was.From), Until: clock(was.Until)})
		}
	}
	return list
}

// paused lists the jobs that would lose their placement, by id.
func paused(p *scheduler.Preview) []string {
	list := []string{}
	for id := range p.Before.TargetAll().All() {
		if p.After.Job(id) != nil && p.After.Target(id) == nil {
			list = append(list, id.String())
		}
	}
	return list
}

// cancelled lists the jobs that end with the plan because they wait for one that it refuses.
func cancelled(p *scheduler.Preview) []string {
	list := []string{}
	if len(p.Adopt.Refuse) == 0 {
		return list
	}
	for j := range p.Before.Jobs() {
		if past := p.After.Ended(j.ID); past != nil && past.Ending.Outcome == cluster.Cancelled {
			list = append(list, j.ID.String())
		}
	}
	return list
}

// nodeOutlooks lists the nodes that the plan changes, in the order in which they joined.
func nodeOutlooks(p *scheduler.Preview) []api.NodeOutlook {
	list := []api.NodeOutlook{}
	for after := range p.After.Nodes() {
		before := p.Before.Node(after.ID)
		if before == nil || before.Load == after.Load && before.Draining == after.Draining {
			continue
		}
		capacity := after.Capacity()
		list = append(list, api.NodeOutlook{
			Node: after.Name, CPUMillicores: int64(capacity.CPU), MemoryBytes: int64(capacity.Memory),
			Before: loadJSON(before.Shared()), After: loadJSON(after.Shared()),
		})
	}
	return list
}

func loadJSON(l cluster.Load) api.Load {
	return api.Load{
		Tasks: l.Tasks, NeedMillicores: int64(l.Need), ShareMillicores: int64(l.Granted()),
		GuaranteedMillicores: int64(l.Guaranteed), BestEffortMillicores: int64(l.BestEffort), MemoryBytes: int64(l.Memory),
	}
}

// costOf counts the moves and the memory that they write, read or send.
func costOf(p *scheduler.Preview) api.PlanCost {
	cost := api.PlanCost{Moves: map[string]int{}}
	for _, m := range p.Plan.Steps {
		cost.Moves[m.Kind.String()]++
		if j := p.After.Job(m.Task.Job); j != nil && (m.Kind == cluster.Pause || m.Kind == cluster.Resume ||
			m.Kind == cluster.Migrate) {
			cost.Bytes += int64(p.After.Charge(j.Spec))
		}
	}
	return cost
}

// tierOf returns the name of a placement's tier, "" without one.
func tierOf(p *cluster.Placement) string {
	if p == nil {
		return ""
	}
	return p.Tier.String()
}

func samePlacement(a, b *cluster.Placement) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Grant == b.Grant && slices.Equal(a.Nodes, b.Nodes)
}

// nodes returns the names of a placement's nodes, one per task that has not ended.
func (r reader) nodes(p *cluster.Placement) []string {
	names := []string{}
	if p == nil {
		return names
	}
	for _, id := range p.Nodes {
		if id != 0 {
			names = append(names, r.node(id))
		}
	}
	return names
}
