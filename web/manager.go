package web

import (
	"context"
	"errors"
	"io"
	"iter"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/scheduler"
)

// Manager is what REST needs of the manager that it runs in. All methods may be called
// concurrently. Whatever the cluster refuses comes as a *cluster.Rejection, in a Result or
// as the error; other errors are the ones below, wrapped, or internal.
type Manager interface {
	// Do proposes the action with the manager's time and answers when it is durable on a
	// majority and applied. The request names it for idempotence; "" is no name.
	Do(ctx context.Context, actor cluster.Actor, request string, a cluster.Action) (cluster.Result, error)

	// Once tells whether nobody has asked for that name before, on any replica, and makes it used.
	Once(ctx context.Context, name string) (bool, error)

	// Snapshot returns a state that contains every command answered before the call.
	Snapshot(ctx context.Context) (*cluster.Snapshot, error)
	// Latest returns the newest state that this replica has; it may lag behind Snapshot, never nil.
	Latest() *cluster.Snapshot
	// Usage returns the latest sample of a run; false where there is none, as on all but the leader.
	Usage(run cluster.RunID) (Usage, bool)

	// Series returns the cluster's columns, NodeSeries a node's, and UsageOver those of a run, in at most so many rows;
	// what is not known, or of nobody, is NaN.
	Series(from, to cluster.Time, rows int) past.Table
	NodeSeries(node cluster.NodeID, from, to cluster.Time, rows int) past.Table
	UsageOver(run cluster.RunID, from, to cluster.Time, rows int) past.Table
	// Spans tells from events what was where; the error says that the query's cursor is none.
	Spans(q past.Query) (past.Page, error)

	// Plan decides on a copy of the current view, the hypothesis applied to it. Without a hypothesis the plan is what the
	// next periodic decision would do now.
	Plan(ctx context.Context, h scheduler.Hypothesis) (scheduler.Preview, error)
	// ApplyPlan does what Plan with the same hypothesis announced on that basis: exactly
	// that, or it rejects with cluster.CodeStaleBasis.
	ApplyPlan(ctx context.Context, actor cluster.Actor, request string, h scheduler.Hypothesis, basis uint64) (cluster.Result, error)

	// Events sends the events after the cursor in order, first the kept ones, then new ones
	// as they happen. It closes the channel when ctx ends or the receiver falls too far
	// behind; the receiver then resumes. ErrTooOld if events after the cursor are no longer kept.
	Events(ctx context.Context, after Cursor) (<-chan cluster.Event, error)
	// History returns the newest limit kept events before the cursor and not before the time that match, newest first.
	History(ctx context.Context, before Cursor, since cluster.Time, limit int, match func(*cluster.Event) bool) ([]cluster.Event, error)
	// Logs opens the output of a run. With Follow the reader waits for more until the run
	// has ended or ctx does. ErrNoLogs if there is none (yet).
	Logs(ctx context.Context, q LogQuery) (io.ReadCloser, error)

	// PutImage stores the files (kernel, initrd, optionally cmdline) and registers the image.
	// The same files under the same name again are the same image. The files must be read in
	// turn; an error of the sequence ends it and leaves nothing behind.
	PutImage(ctx context.Context, actor cluster.Actor, name string, files iter.Seq2[ImageFile, error]) (cluster.Image, error)

	// Policies lists the policies that there are, by name.
	Policies() []Policy
	// CheckPolicy says for people what is wrong with a policy's name, or nil.
	CheckPolicy(name string) error

	// Health is cheap and never blocks.
	Health() Health
	// Replicas lists all managers of the cluster as far as this one knows, itself among them, by id; it never blocks.
	Replicas() []Replica
}

// Errors of a Manager that are neither refusals nor bugs.
var (
	// ErrNoLeader says that nobody leads now; nothing was done.
	ErrNoLeader = errors.New("no manager leads at present")
	// ErrUncertain says that a command was proposed and its outcome is not known.
	ErrUncertain = errors.New("the outcome is not known")
	// ErrTooOld says that events after the cursor are no longer kept.
	ErrTooOld = errors.New("events after the cursor are no longer kept")
	// ErrNoLogs says that a run has no output here.
	ErrNoLogs = errors.New("no output is kept of the run")
)

// Usage is what a run was seen to use over the last sampling interval.
type Usage struct {
	CPU    cluster.CPU
	Memory cluster.Bytes // resident in the hypervisor; 0: unknown
	At     cluster.Time  // end of the interval
}

// Cursor is a place in the order of events: after the event of that revision and index.
type Cursor struct {
	Revision uint64
	Index    int
}

// Console is the stream of what the guest's kernel wrote.
const Console = "console"

// LogQuery selects the output of one run.
type LogQuery struct {
	Run    cluster.RunID
	Stream string // stdout, stderr, "" for both as they came, or Console
	Offset int64  // bytes to leave out at the beginning
	Follow bool
}

// ImageFile is one file of an image that is being pushed; Content is valid until the next one.
type ImageFile struct {
	Name    string // kernel, initrd or cmdline
	Size    int64  // bytes
	Content io.Reader
}

// Policy is a scheduling policy without parameters.
type Policy struct {
	Name   string // as published
	Family string
	About  string // what it does, in a line
}

// Replica is a manager as the others know it.
type Replica struct {
	ID  uint64
	URL string // base URL of its REST; "": not known here
}

// Health is what a replica knows about itself.
type Health struct {
	Replica  uint64
	Leads    bool
	Leader   string // base URL of the leader's REST; "" unknown
	Ready    bool   // a leader is known and this replica follows it
	Revision uint64
	Format   uint32       // of the state, in force
	Problem  string       // why it is not ready, or what is amiss; "" nothing
	Backoff  cluster.Time // before the leader decides again on what could not be adopted, in microseconds; 0: it does not wait
}
