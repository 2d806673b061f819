package manager

import (
	"context"
	"fmt"

	"aliquot/cluster"
	"aliquot/manager/link"
	"aliquot/wire"
)

// nodes is the manager as the nodes' links see it.
type nodes struct{ *Manager }

// ForNodes returns what a hub of nodes' links needs of the manager.
func (m *Manager) ForNodes() link.Leader { return nodes{m} }

// Propose proposes a node's action under the leader's epoch.
func (n nodes) Propose(ctx context.Context, a cluster.Action) (cluster.Result, error) {
	c := n.stamped(system, n.readable(a))
	c.Epoch = n.epoch.Load()
	ctx, cancel := context.WithTimeout(ctx, proposalTimeout)
	defer cancel()
	return n.store.Propose(ctx, c)
}

// readable returns the action without the parts that a manager of an older program could not read, until the state's format
// vouches that there is none.
func (n nodes) readable(a cluster.Action) cluster.Action {
	if r, is := a.(cluster.Report); is {
		return r.Within(n.store.Latest().Format)
	}
	return a
}

// ConfirmLeadership reads the state from a majority and finds this replica's claim to be the latest.
func (n nodes) ConfirmLeadership(ctx context.Context) error {
	if err := n.store.Barrier(ctx); err != nil {
		return fmt.Errorf("confirm leadership: %w", err)
	}
	if latest, mine := n.store.Latest().Epoch, n.epoch.Load(); mine == 0 || latest != mine {
		return fmt.Errorf("confirm leadership: the latest epoch is %d, this replica's %d", latest, mine)
	}
	return nil
}

// Orders returns what should exist on the node.
func (n nodes) Orders(id cluster.NodeID) (cluster.Orders, bool) {
	state := n.store.Latest()
	if state.Node(id) == nil {
		return cluster.Orders{}, false
	}
	return state.Orders(id), true
}

// Usage keeps the samples.
func (n nodes) Usage(node cluster.NodeID, samples []wire.Usage) {
	n.usage.put(node, samples, n.elapsed())
	n.past.used(n.now(), samples)
}
