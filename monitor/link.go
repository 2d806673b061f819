package monitor

import (
	"context"
	"time"

	"aliquot/cluster"
)

// Link is the monitor's way to the leader, whoever that is at the moment.
type Link interface {
	// Connect finds the leader, joins with what describe returns, and gives back the session.
	// It tries again with back-off until it succeeds or ctx ends; it returns other
	// errors only when trying again is pointless, as for a refused certificate.
	Connect(ctx context.Context, describe func() cluster.Join) (Session, error)
}

// Session is one connection to one leader. It renews the lease by itself, from its own
// goroutines, until it is closed or fails. Its methods may be called concurrently.
type Session interface {
	// Node is what the cluster calls this node.
	Node() cluster.NodeID
	// Cluster names the cluster that the node has joined.
	Cluster() [16]byte
	// Orders gives the newest orders; older ones that were not received are dropped. Complete
	// orders, computed after the join, come first. Closed when the session has ended.
	Orders() <-chan cluster.Orders
	// Leases gives the newest time until which the lease is valid, on CLOCK_BOOTTIME and
	// counted from the sending of the heartbeat that was answered.
	Leases() <-chan time.Duration
	// Alive says that the node's loop works; the lease is not renewed without it.
	Alive()
	// Report returns nil when the report is durable. One report is under way at a time.
	Report(ctx context.Context, r cluster.Report) error
	// SendUsage passes samples on if that is possible now; otherwise they are dropped.
	SendUsage(samples []Usage)
	// Close ends the session; it may be called more than once.
	Close()
}
