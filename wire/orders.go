package wire

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// PackOrders translates orders into their message.
func PackOrders(o cluster.Orders) *wirepb.Orders {
	return &wirepb.Orders{
		Cluster: o.Cluster[:], Generation: o.Generation, Epoch: o.Epoch, Revision: o.Revision, Node: uint32(o.Node),
		Runs: mapped(o.Runs, packOrder), Destroy: mapped(o.Destroy, packRun),
	}
}

// UnpackOrders translates the message back. It fails on a message that no leader would send.
func UnpackOrders(m *wirepb.Orders) (cluster.Orders, error) {
	o := cluster.Orders{Generation: m.GetGeneration(), Epoch: m.GetEpoch(), Revision: m.GetRevision(), Node: cluster.NodeID(m.GetNode())}
	var err error
	if o.Cluster, err = unpackCluster(m.GetCluster()); err != nil {
		return o, fmt.Errorf("orders: %w", err)
	}
	if o.Runs, err = checked(m.GetRuns(), unpackOrder); err != nil {
		return o, fmt.Errorf("orders: %w", err)
	}
	if o.Destroy, err = checked(m.GetDestroy(), unpackRun); err != nil {
		return o, fmt.Errorf("orders to destroy: %w", err)
	}
	return o, nil
}

func packOrder(o cluster.Order) *wirepb.Order {
	return &wirepb.Order{
		Run: packRun(o.Run), Want: uint32(o.Want), Move: uint64(o.Move), Cpu: int64(o.CPU), Tier: uint32(o.Tier),
		Spec: packSpec(o.Spec), Project: text(o.Project), Platform: text(o.Platform), Peer: text(o.Peer), Aborted: o.Aborted,
	}
}

func unpackOrder(m *wirepb.Order) (cluster.Order, error) {
	o := cluster.Order{
		Move: cluster.MoveID(m.GetMove()), CPU: cluster.CPU(m.GetCpu()), Spec: unpackSpec(m.GetSpec()),
		Project: m.GetProject(), Platform: m.GetPlatform(), Peer: m.GetPeer(), Aborted: m.GetAborted(),
	}
	if m.GetWant() < uint32(cluster.Stay) || m.GetWant() > uint32(cluster.Vanish) {
		return o, fmt.Errorf("want %d is unknown; is this node's program older than the manager's?", m.GetWant())
	}
	if m.GetTier() > uint32(cluster.Background) {
		return o, fmt.Errorf("tier %d is unknown; is this node's program older than the manager's?", m.GetTier())
	}
	if o.Spec == nil || o.CPU < 0 {
		return o, fmt.Errorf("an order without a specification, or with a cap of %v", o.CPU)
	}
	o.Want, o.Tier = cluster.Want(m.GetWant()), cluster.Tier(m.GetTier())
	var err error
	o.Run, err = unpackRun(m.GetRun())
	return o, err
}

func packSpec(s *cluster.Spec) *wirepb.Spec {
	if s == nil {
		return nil
	}
	return &wirepb.Spec{
		Name: text(s.Name), Owner: text(s.Owner), Project: text(s.Project),
		Tasks: int64(s.Tasks), Need: int64(s.Need), Memory: int64(s.Requirement.Memory), Image: text(s.Image),
		Command: texts(s.Command), Args: texts(s.Args), Env: mapped(s.Env, packPair), Restarts: int64(s.Restarts),
		RuntimeLimit: int64(s.Limits.Runtime), LogBytes: int64(s.Limits.LogBytes), Estimate: int64(s.Estimate),
		Labels: mapped(s.Labels, packPair), PlaceNodes: texts(s.Placement.Nodes),
		PlaceMatch: mapped(s.Placement.Match, packPair), PlaceSpread: s.Placement.Spread,
	}
}

func unpackSpec(m *wirepb.Spec) *cluster.Spec {
	if m == nil {
		return nil
	}
	return &cluster.Spec{
		Name: m.GetName(), Owner: m.GetOwner(), Project: m.GetProject(),
		Tasks: int(m.GetTasks()), Need: cluster.CPU(m.GetNeed()), Requirement: cluster.Requirement{Memory: cluster.Bytes(m.GetMemory())},
		Image: m.GetImage(), Command: m.GetCommand(), Args: m.GetArgs(), Env: mapped(m.GetEnv(), unpackPair), Restarts: int(m.GetRestarts()),
		Limits:   cluster.Limits{Runtime: cluster.Time(m.GetRuntimeLimit()), LogBytes: cluster.Bytes(m.GetLogBytes())},
		Estimate: cluster.Time(m.GetEstimate()), Labels: mapped(m.GetLabels(), unpackPair),
		Placement: cluster.Constraint{Nodes: m.GetPlaceNodes(), Match: mapped(m.GetPlaceMatch(), unpackPair), Spread: m.GetPlaceSpread()},
	}
}
