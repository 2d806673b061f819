package monitor

import (
	"context"
	"time"

	"aliquot/cluster"
)

// Link is the monitor's way to the current leader.
type Link interface {
	// Connect finds the leader, joins with the result of describe, and returns the session. It
	// retries with back-off until it succeeds or ctx ends. It returns another error only if a retry
	// is pointless, as after a refused certificate.
	Connect(ctx context.Context, describe func() cluster.Join) (Session, error)
}

// Session is one connection to one leader. Its own goroutines renew the lease until it is closed or
// fails. Its methods may be called concurrently.
type Session interface {
	// Node returns the cluster's ID of this node.
	Node() cluster.NodeID
	// Cluster returns the ID of the cluster that the node has joined.
	Cluster() [16]byte
	// Orders delivers the newest orders; older ones that were not received are dropped. The first are
	// complete orders computed after the join. The channel closes when the session ends.
	Orders() <-chan cluster.Orders
	// Leases delivers the newest end of the lease, on CLOCK_BOOTTIME. It counts from the sending of
	// the heartbeat that was answered.
	Leases() <-chan time.Duration
	// Alive records that the node's loop works. Without it the lease is not renewed.
	Alive()
	// Report returns nil when the report is durable. Only one report is in progress at a time.
	Report(ctx context.Context, r cluster.Report) error
	// SendUsage sends samples of the runs and of the host if that is possible at once; otherwise it drops them.
	SendUsage(samples []Usage, host Host)
	// Close ends the session; it may be called more than once.
	Close()
}
