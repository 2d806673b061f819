package web

import (
	"context"
	"iter"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

// maxMoves limits the moves in an overview.
const maxMoves = 100

func (s *server) registerOverview(to huma.API) {
	register(s, to, measured(operation("get-overview", "GET", "/v1/overview", cluster.Viewer, "Overview of the cluster",
		"Jobs and nodes by state, yields, demand against capacity, moves in progress, and issues that need attention.")),
		s.getOverview)
}

func (s *server) getOverview(ctx context.Context, _ *struct{}) (*body[api.Overview], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	health := s.manager.Health()
	out := s.reader(ctx, v).overview()
	out.Policy = s.inForce(v)
	out.Leads, out.Leader = health.Leads, health.Leader
	found := concerns(v, s.manager)
	out.AttentionMore = max(0, len(found)-maxConcerns)
	out.Attention = found[:len(found)-out.AttentionMore]
	return answer(out), nil
}

func (r reader) overview() api.Overview {
	v := r.view
	out := api.Overview{
		Revision: v.Revision, At: clock(v.At),
		NextDecision: clockOrNil(v.Agenda.Next(cluster.AlarmTick)),
		Jobs:         map[string]int{}, Tasks: map[string]int{}, Nodes: map[string]int{}, Moves: []api.Move{},
		Yield: yieldSummary(v), Background: backgroundSummary(v),
	}
	for j := range v.History() {
		out.Jobs[stateOf(v, j)]++
	}
	for j := range v.Jobs() {
		out.Jobs[stateOf(v, j)]++
		for i := range j.Tasks {
			out.Tasks[taskState(&j.Tasks[i], r.move(j, i))]++
		}
	}
	for n := range v.Nodes() {
		out.Nodes[nodeState(v, n)]++
	}
	for m := range v.Moves() {
		if out.MovesUnderWay++; len(out.Moves) < maxMoves {
			out.Moves = append(out.Moves, r.moveJSON(m))
		}
	}
	if room := int64(v.StoreRoom()); room >= 0 {
		out.StoreFreeBytes = &room
	}
	out.CPU, out.Memory = demand(v)
	if used := r.used(); len(used) > 0 {
		var sum tierUse
		for _, u := range used {
			sum.all, sum.background = sum.all+u.all, sum.background+u.background
		}
		out.CPU.UsedMillicores, out.CPU.UsedBackgroundMillicores = &sum.all, &sum.background
	}
	return out
}

// yieldSummary summarises the yields of the standard jobs that may run. Without a placement a job's yield counts as 0.
// It returns nil if no such job may run.
func yieldSummary(v *cluster.Snapshot) *api.YieldSummary {
	s := api.YieldSummary{Least: 1, Counts: make([]int, 10)}
	add := func(y float64) {
		s.Jobs++
		s.Least = min(s.Least, y)
		s.Mean += y
		s.Counts[min(int(y*10), 9)]++
		if y == 1 {
			s.Full++
		}
	}
	for id, p := range v.TargetAll().All() {
		switch j := v.Job(id); {
		case j.Spec.Class != cluster.StandardClass:
		case p.Tier == cluster.Background: // as policies of two tiers place a job that waits
			add(0)
			s.Without++
		default:
			add(*yieldOf(j, p))
		}
	}
	for j := range unplaced(v) {
		if j.Spec.Class == cluster.StandardClass {
			add(0)
			s.Without++
		}
	}
	if s.Jobs == 0 {
		return nil
	}
	s.Mean /= float64(s.Jobs)
	return &s
}

// backgroundSummary counts the other jobs that may run. It returns nil if there is none.
func backgroundSummary(v *cluster.Snapshot) *api.BackgroundSummary {
	var s api.BackgroundSummary
	for j := range v.View().Others() {
		if !j.Schedulable() {
			continue
		}
		s.Jobs++
		switch p := v.Target(j.ID); {
		case p == nil:
			s.Without++
		case p.Tier == cluster.Background:
			s.Background++
		default:
			s.Foreground++
		}
	}
	if s.Jobs == 0 {
		return nil
	}
	return &s
}

// demand sums up the placed and waiting demand, and the capacity of the ready nodes. Those that are cordoned or drain
// count with what is still placed there, at most what they have. Load on nodes that are not ready counts separately.
func demand(v *cluster.Snapshot) (cpu api.CPUSummary, memory api.MemorySummary) {
	for n := range v.Nodes() {
		cpu.NeedMillicores += int64(n.Load.Need)
		if n.Health != cluster.Ready {
			cpu.LostMillicores += int64(n.Shared().Granted())
			memory.LostBytes += int64(n.Load.Memory)
			continue
		}
		c := n.Capacity()
		if n.Cordoned || n.Draining {
			c = cluster.Offer{CPU: min(c.CPU, n.Shared().Granted()), Memory: min(c.Memory, n.Load.Memory)}
		}
		cpu.CapacityMillicores += int64(c.CPU)
		memory.CapacityBytes += int64(c.Memory)
		cpu.ShareMillicores += int64(n.Shared().Granted())
		cpu.GuaranteedMillicores += int64(n.Load.Guaranteed)
		cpu.BestEffortMillicores += int64(n.Shared().BestEffort)
		memory.ReservedBytes += int64(n.Load.Memory)
	}
	for j := range unplaced(v) {
		cpu.WaitingMillicores += int64(j.Spec.Need) * int64(j.Live())
		memory.WaitingBytes += int64(v.Charge(j.Spec)) * int64(j.Live())
	}
	return cpu, memory
}

// unplaced yields the jobs that may run and hold no placement.
func unplaced(v *cluster.Snapshot) iter.Seq[*cluster.Job] {
	return func(yield func(*cluster.Job) bool) {
		for j := range v.Jobs() {
			if v.Wants(j) && v.Target(j.ID) == nil && !yield(j) {
				return
			}
		}
	}
}
