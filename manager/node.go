package manager

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"aliquot/cluster"
	"aliquot/manager/link"
	"aliquot/wire"
)

// nodes is the manager's interface for the nodes' links.
type nodes struct{ *Manager }

// ForNodes returns the interface that a hub of nodes' links needs.
func (m *Manager) ForNodes() link.Leader { return nodes{m} }

// Propose proposes a node's action under the leader's epoch.
func (n nodes) Propose(ctx context.Context, a cluster.Action) (cluster.Result, error) {
	format := n.store.Latest().Format
	c := n.stamped(system, a)
	c.Epoch = n.epoch.Load()
	ctx, cancel := context.WithTimeout(ctx, proposalTimeout)
	defer cancel()
	result, err := n.store.Propose(ctx, c)
	if _, joins := a.(cluster.Join); joins && result.Node != 0 {
		n.curtailed.note(result.Node, format, !reflect.DeepEqual(a, c.Action))
	}
	return result, err
}

// ConfirmLeadership returns nil if a linearizable read shows that this replica's claim is the latest.
func (n nodes) ConfirmLeadership(ctx context.Context) error {
	if err := n.store.Barrier(ctx); err != nil {
		return fmt.Errorf("confirm leadership: %w", err)
	}
	if latest, mine := n.store.Latest().Epoch, n.epoch.Load(); mine == 0 || latest != mine {
		return fmt.Errorf("confirm leadership: the latest epoch is %d, this replica's %d", latest, mine)
	}
	return nil
}

// Orders returns the orders of the node.
func (n nodes) Orders(id cluster.NodeID) (cluster.Orders, bool) {
	state := n.store.Latest()
	if node := state.Node(id); node == nil || node.Absent {
		return cluster.Orders{}, false
	}
	return state.Orders(id), true
}

// Admit uses up an invitation. A wrong secret costs no proposal.
func (n nodes) Admit(ctx context.Context, a cluster.Admit) (uint64, error) {
	state, err := n.store.Read(ctx)
	if err != nil {
		return 0, err
	}
	if r := state.Unready(a); r != nil {
		return 0, r
	}
	if r := a.Refuse(state); r != nil {
		return 0, r
	}
	result, err := n.Do(ctx, system, "", a)
	return result.Admission, err
}

// Admits reports whether certificates of the node with that admission are accepted.
func (n nodes) Admits(node string, admission uint64) bool {
	return n.store.Latest().Admits(node, admission)
}

// Usage stores the samples of runs that are at the node, and that of its machine.
func (n nodes) Usage(node cluster.NodeID, samples []wire.Usage, host wire.Host) {
	state := n.store.Latest()
	samples = slices.DeleteFunc(samples, func(u wire.Usage) bool { return state.Home(u.Run) != node })
	n.usage.put(node, samples, n.elapsed())
	n.usage.putHost(node, host)
	n.past.used(n.now(), samples)
}
