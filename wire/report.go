package wire

import (
	"errors"
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
	r.Foreign.CPU, r.Foreign.Memory = min(r.Foreign.CPU, maxCPU), min(r.Foreign.Memory, maxMemory)
	r.StoreFree = max(-1, min(r.StoreFree, maxStore))
	err := counted(len(m.GetObservations()), maxObservations, "observations")
	if err != nil {
		return r, fmt.Errorf("report: %w", err)
	}
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
	return &cluster.Work{Ran: within(cluster.Time(m.GetRan()), maxMicros), Waited: within(cluster.Time(m.GetWaited()), maxMicros)}
}

func unpackObservation(m *wirepb.Observation) (cluster.Observation, error) {
	o := cluster.Observation{
		Move: cluster.MoveID(m.GetMove()), Cap: cluster.CPU(m.GetCap()), Image: cluster.Bytes(m.GetImage()),
		Platform: words(m.GetPlatform(), maxWord), Exit: unpackExit(m.GetExit()), Cause: words(m.GetCause(), maxText),
		Tiered: m.GetTiered(), Work: unpackWork(m.GetWork()),
	}
	if m.GetSeen() < uint32(cluster.SeenBooting) || m.GetSeen() > uint32(cluster.SeenStray) {
		return o, fmt.Errorf("sight %d is unknown; is the manager's program older than the node's?", m.GetSeen())
	}
	o.Seen = cluster.Sight(m.GetSeen())
	if o.Cap < 0 || o.Image < 0 {
		return o, fmt.Errorf("a cap of %v and an image of %v", o.Cap, o.Image)
	}
	o.Cap, o.Image = min(o.Cap, maxCPU), min(o.Image, maxMemory)
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
		Platforms:  mapped(m.GetPlatforms(), func(name string) string { return words(name, maxWord) }),
		Hypervisor: words(m.GetHypervisor(), maxText), MigrateURI: m.GetMigrateUri(), Labels: mapped(m.GetLabels(), unpackPair),
	}
	switch {
	case !d.Plausible():
		return d, fmt.Errorf("description: no node has %v and %v at an overhead of %v per VM", d.CPU, d.Memory, d.Overhead)
	case len(d.MigrateURI) > maxURI:
		return d, fmt.Errorf("description: a migrate-uri of %d bytes; the most are %d", len(d.MigrateURI), maxURI)
	}
	if cluster.CheckMigrateURI(d.MigrateURI, true) != nil {
		d.MigrateURI = "" // it might run a program on the nodes that ask there; so no VM moves there
	}
	for _, l := range d.Labels {
		if len(l.Key) > maxLabel || len(l.Value) > maxLabel {
			return d, fmt.Errorf("description: a label of %d and %d bytes; the most are %d", len(l.Key), len(l.Value), maxLabel)
		}
	}
	return d, errors.Join(counted(len(d.Platforms), maxPlatforms, "platforms"), counted(len(d.Labels), maxLabels, "labels"))
}
