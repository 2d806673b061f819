package manager

import (
	"context"
	"time"

	"aliquot/cluster"
	"aliquot/manager/store"
)

// Store is this manager's replica of the state; [store.Store] is one. Its errors are those of package store.
type Store interface {
	// Propose returns the state's answer to the command, once it is durable on a majority and applied here.
	Propose(ctx context.Context, c cluster.Command) (cluster.Result, error)
	// Read returns a clone of the state that includes everything acknowledged before the call, by any replica.
	Read(ctx context.Context) (*cluster.State, error)
	// Barrier returns when Latest includes everything acknowledged before the call, by any replica.
	Barrier(ctx context.Context) error
	// Latest returns a clone of the state applied here so far, which may be old.
	Latest() *cluster.State
	// Changed receives a value after commands were applied. It is for one reader.
	Changed() <-chan struct{}

	// Leader returns the leading replica as far as this one knows, zero for none, and the Raft term.
	Leader() (replica, term uint64)
	// LeaderChanged receives a value after Leader's result has changed. It is for one reader.
	LeaderChanged() <-chan struct{}
	// HandOver asks another replica to lead.
	HandOver(ctx context.Context) error

	// Checkpoint compares the replicas' states, and returns the revision after that.
	Checkpoint(ctx context.Context, stamp func(cluster.Checkpoint) cluster.Command) (uint64, error)
	// Replicas returns the voting replicas by a read that a majority confirms; Known those that this replica knows.
	Replicas(ctx context.Context) ([]uint64, error)
	Known() []uint64
	// Backup writes everything acknowledged before the call to a new folder in dir, named by the time.
	Backup(ctx context.Context, dir string, at time.Time) (folder string, err error)
	// Began returns the generation of the first snapshot of this process; 0 if there was none.
	Began() uint64
}

var _ Store = (*store.Store)(nil)
