package web

import (
	"cmp"
	"context"
	"slices"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// live takes the jobs that may run and the nodes that are not down, as they are now.
func (s *server) live(ctx context.Context, o *SimulationOrder, in *api.LiveJobs) error {
	assumed := cluster.Hour
	if in.Runtime != "" {
		var err error
		if assumed, err = duration("live.runtime", in.Runtime); err != nil {
			return err
		}
	}
	snapshot, err := s.manager.Snapshot(ctx)
	if err != nil {
		return err
	}
	o.Source = "live"
	v := snapshot.View()
	numbers := o.takeNodes(v)
	for j := range v.Jobs() {
		if snapshot.Wants(j) && j.Live() > 0 {
			o.LiveJobs = append(o.LiveJobs, simulated(v, j, expect(snapshot, j, assumed), numbers))
		}
	}
	if len(o.LiveNodes) == 0 || len(o.LiveJobs) == 0 {
		return newProblem(string(cluster.CodeConflict), "live",
			"nothing to simulate: the cluster has %s, and %s that may run", wording.Count(len(o.LiveNodes), "node"),
			wording.Count(len(o.LiveJobs), "job"))
	}
	return nil
}

// takeNodes takes the nodes that are not down and returns their numbers.
func (o *SimulationOrder) takeNodes(v *cluster.View) map[cluster.NodeID]cluster.NodeID {
	numbers := map[cluster.NodeID]cluster.NodeID{}
	for n := range v.Nodes() {
		if c := n.Offer(); c.CPU > 0 && c.Memory > 0 {
			o.LiveNodes = append(o.LiveNodes, SimulatedNode{n.Name, c.CPU, n.Description.Speed, c.Memory,
				n.Description.Labels, v.Condition(n), n.Description.Slots()})
			numbers[n.ID] = cluster.NodeID(len(o.LiveNodes))
		}
	}
	return numbers
}

// expectation is how long a whole job takes at full speed, in microseconds.
type expectation struct {
	takes  cluster.Time // in the simulation: half of the jobs like it took no longer, or as estimated, or assumed
	policy cluster.Time // expected by policies
}

func expect(v *cluster.Snapshot, j *cluster.Job, assumed cluster.Time) expectation {
	forecast := cmp.Or(j.Forecast(v.At), assumed)
	if like := v.Similar(j.Spec); like != nil {
		return expectation{like.Median(), forecast}
	}
	return expectation{forecast, forecast}
}

// simulated returns the job as a simulation takes it.
func simulated(
	v *cluster.View, j *cluster.Job, e expectation, numbers map[cluster.NodeID]cluster.NodeID,
) SimulatedJob {
	now := cluster.Beginning{
		Age: j.FlowTime(v.At), Virtual: j.VirtualTime(v.At), Saved: slices.ContainsFunc(j.Tasks, begun),
	}
	if p := v.Target(j.ID); p != nil {
		now.Placement = renumbered(p, numbers)
	}
	left := max(cluster.Minute, e.takes-now.Virtual)
	return SimulatedJob{ID: int64(j.ID), Tasks: j.Live(), Need: j.Spec.Need, Memory: v.Charge(j.Spec), Runtime: left,
		Estimate: max(left, e.policy-now.Virtual), Fails: j.Spec.FailOnLoss, Class: j.Spec.Class, Rules: j.Spec.Placement,
		Now: now}
}

// begun reports whether the task has not ended and has work to lose.
func begun(t cluster.Task) bool { return t.Present() || t.Phase == cluster.Saved }

// renumbered returns the placement of the live tasks with the simulation's node numbers. It is nil if one of the tasks
// has no node there.
func renumbered(p *cluster.Placement, numbers map[cluster.NodeID]cluster.NodeID) *cluster.Placement {
	live := p.Live()
	again := cluster.Placement{Grant: p.Grant, Cores: live.Cores}
	for _, id := range live.Nodes {
		n := numbers[id]
		if n == 0 {
			return nil
		}
		again.Nodes = append(again.Nodes, n)
	}
	return &again
}
