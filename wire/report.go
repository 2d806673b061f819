package wire

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/internal/schema"
	"aliquot/wire/wirepb"
)

// PackReport translates a report into its message, without the node: the leader takes that from the
// link's certificate.
func PackReport(r cluster.Report) *wirepb.Report {
	return &wirepb.Report{
		Foreign: packForeign(&r.Foreign), FenceAlive: r.FenceAlive, StoreProven: r.StoreProven, StoreFree: int64(r.StoreFree),
		HypervisorSilent: r.HypervisorSilent, Astray: int64(r.Astray), Revision: r.Revision,
		Observations: schema.List(r.Observations, packObservation),
	}
}

// UnpackReport translates the message back into a report of the given node. It fails on a message that
// no monitor would send.
func UnpackReport(node cluster.NodeID, m *wirepb.Report) (cluster.Report, error) {
	if err := counted(len(m.GetObservations()), maxObservations, "observations"); err != nil {
		return cluster.Report{}, fmt.Errorf("report: %w", err)
	}
	var r schema.Reader
	report := cluster.Report{
		Node: node, Foreign: unpackForeign(&r, m.GetForeign()), FenceAlive: m.GetFenceAlive(),
		StoreProven: m.GetStoreProven(), StoreFree: max(-1, min(cluster.Bytes(m.GetStoreFree()), maxStore)),
		HypervisorSilent: m.GetHypervisorSilent(), Astray: within(cluster.Bytes(m.GetAstray()), maxMemory),
		Revision:     m.GetRevision(),
		Observations: schema.ReadList(&r, m.GetObservations(), unpackObservation),
	}
	if err := r.Err(); err != nil {
		return report, fmt.Errorf("report: %w", err)
	}
	return report, nil
}

// PackDescription translates a node's description into its message.
func PackDescription(d cluster.Description) *wirepb.Description { return packDescription(&d) }

// UnpackDescription translates the message back. It fails on a message that no monitor would send.
func UnpackDescription(m *wirepb.Description) (cluster.Description, error) {
	var r schema.Reader
	d := unpackDescription(&r, m)
	if err := r.Err(); err != nil {
		return d, fmt.Errorf("description: %w", err)
	}
	return d, nil
}
