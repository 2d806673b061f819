package wire

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// PackReport translates a report into its message, without the node: the leader takes that from the
// link's certificate.
func PackReport(r cluster.Report) *wirepb.Report {
	return &wirepb.Report{
		Foreign:    &wirepb.Foreign{Cpu: int64(r.Foreign.CPU), Memory: int64(r.Foreign.Memory)},
		FenceAlive: r.FenceAlive, StoreProven: r.StoreProven, StoreFree: int64(r.StoreFree),
		Observations: mapped(r.Observations, packObservation),
	}
}

// UnpackReport translates the message back into a report of the given node. It fails on a message that
// no monitor would send.
func UnpackReport(node cluster.NodeID, m *wirepb.Report) (cluster.Report, error) {
	r := cluster.Report{
		Node:       node,
		Foreign:    cluster.Foreign{CPU: cluster.CPU(m.GetForeign().GetCpu()), Memory: cluster.Bytes(m.GetForeign().GetMemory())},
		FenceAlive: m.GetFenceAlive(), StoreProven: m.GetStoreProven(), StoreFree: cluster.Bytes(m.GetStoreFree()),
	}
	if r.Foreign.CPU < 0 || r.Foreign.Memory < 0 {
		return r, fmt.Errorf("report: foreign VMs use %v and %v", r.Foreign.CPU, r.Foreign.Memory)
	}
	var err error
	if r.Observations, err = checked(m.GetObservations(), unpackObservation); err != nil {
		return r, fmt.Errorf("report: %w", err)
	}
	return r, nil
}

func packObservation(o cluster.Observation) *wirepb.Observation {
	return &wirepb.Observation{
		Run: packRun(o.Run), Move: uint64(o.Move), Seen: uint32(o.Seen), Cap: int64(o.Cap), Image: int64(o.Image),
		Platform: text(o.Platform), Exit: packExit(o.Exit), Cause: text(o.Cause),
		Tier: uint32(o.Tier), Tiered: o.Tiered, Work: packWork(o.Work),
	}
}

func packWork(w *cluster.Work) *wirepb.Work {
	if w == nil {
		return nil
	}
	return &wirepb.Work{Ran: int64(w.Ran), Waited: int64(w.Waited)}
}

func unpackWork(m *wirepb.Work) *cluster.Work {
	if m == nil {
		return nil
	}
	return &cluster.Work{Ran: cluster.Time(m.GetRan()), Waited: cluster.Time(m.GetWaited())}
}

func unpackObservation(m *wirepb.Observation) (cluster.Observation, error) {
	o := cluster.Observation{
		Move: cluster.MoveID(m.GetMove()), Cap: cluster.CPU(m.GetCap()), Image: cluster.Bytes(m.GetImage()),
		Platform: m.GetPlatform(), Exit: unpackExit(m.GetExit()), Cause: m.GetCause(),
		Tiered: m.GetTiered(), Work: unpackWork(m.GetWork()),
	}
	if m.GetSeen() < uint32(cluster.SeenBooting) || m.GetSeen() > uint32(cluster.SeenStray) {
		return o, fmt.Errorf("sight %d is unknown; is the manager's program older than the node's?", m.GetSeen())
	}
	o.Seen = cluster.Sight(m.GetSeen())
	if o.Cap < 0 || o.Image < 0 {
		return o, fmt.Errorf("a cap of %v and an image of %v", o.Cap, o.Image)
	}
	if m.GetTier() > uint32(cluster.Background) {
		return o, fmt.Errorf("tier %d is unknown; is the manager's program older than the node's?", m.GetTier())
	}
	o.Tier = cluster.Tier(m.GetTier())
	if o.Seen == cluster.SeenExited && o.Exit == nil {
		return o, fmt.Errorf("an exit without its code")
	}
	var err error
	o.Run, err = unpackRun(m.GetRun())
	return o, err
}

// PackDescription translates a node's description into its message.
func PackDescription(d cluster.Description) *wirepb.Description {
	return &wirepb.Description{
		Cpu: int64(d.CPU), Memory: int64(d.Memory), Overhead: int64(d.Overhead), Platforms: texts(d.Platforms),
		Hypervisor: text(d.Hypervisor), MigrateUri: text(d.MigrateURI), Labels: mapped(d.Labels, packPair),
	}
}

// UnpackDescription translates the message back. It fails on a message that no monitor would send.
func UnpackDescription(m *wirepb.Description) (cluster.Description, error) {
	d := cluster.Description{
		CPU: cluster.CPU(m.GetCpu()), Memory: cluster.Bytes(m.GetMemory()), Overhead: cluster.Bytes(m.GetOverhead()),
		Platforms: m.GetPlatforms(), Hypervisor: m.GetHypervisor(), MigrateURI: m.GetMigrateUri(), Labels: mapped(m.GetLabels(), unpackPair),
	}
	if d.CPU < 0 || d.Memory < 0 || d.Overhead < 0 {
		return d, fmt.Errorf("description: %v, %v and an overhead of %v", d.CPU, d.Memory, d.Overhead)
	}
	return d, nil
}
