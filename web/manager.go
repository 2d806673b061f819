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

// Manager is the interface of the manager that REST needs. All methods may be called concurrently. A
// refusal by the cluster comes as a *cluster.Rejection, in a Result or as the error. Other errors are
// the ones below, wrapped, or internal.
type Manager interface {
	// Do proposes the action with the manager's time and returns when it is durable on a majority and
	// applied. The request name makes it idempotent; "" is no name.
	Do(ctx context.Context, actor cluster.Actor, request string, a cluster.Action) (cluster.Result, error)

	// Once reports whether the name is new on all replicas, and marks it as used.
	Once(ctx context.Context, name string) (bool, error)

	// Snapshot returns a state that contains every command answered before the call.
	Snapshot(ctx context.Context) (*cluster.Snapshot, error)
	// Latest returns the newest state of this replica, never nil; it may lag behind Snapshot.
	Latest() *cluster.Snapshot
	// Usage returns the latest sample of a run; false if there is none, as always on a follower.
	Usage(run cluster.RunID) (Usage, bool)
	// Host returns the latest sample of a node's machine; false if there is none, as always on a follower.
	Host(node cluster.NodeID) (Host, bool)

	// Series returns the cluster's columns, NodeSeries a node's, and UsageOver a run's, in at most the given number of
	// rows. Unknown values are NaN.
	Series(from, to cluster.Time, rows int) past.Table
	NodeSeries(node cluster.NodeID, from, to cluster.Time, rows int) past.Table
	UsageOver(ctx context.Context, run cluster.RunID, from, to cluster.Time, rows int) past.Table
	// Tally returns how often what has happened since this manager started.
	Tally() map[past.Counted]uint64
	// Accounts returns what the jobs of each holder had in each hour from the one of from to before to. Totals returns
	// what the jobs of each owner had since this manager's start, while it led.
	Accounts(from, to cluster.Time) past.Accounts
	Totals() past.Total
	// Waits returns since when jobs have waited for a placement, Starts since when runs have been starting, and Losses
	// the lost runs since a time. They are derived from the kept events: older ones are missing.
	Waits() map[cluster.JobID]cluster.Time
	Starts() map[cluster.TaskID]cluster.Time
	Losses(since cluster.Time) []past.Loss
	// Spans returns the spans that the query selects. It returns an error for an invalid cursor.
	Spans(q past.Query) (past.Page, error)

	// Plan decides on a copy of the current view with the hypothesis applied. Without a hypothesis it shows the next
	// periodic decision, made now.
	Plan(ctx context.Context, h scheduler.Hypothesis) (scheduler.Preview, error)
	// ApplyPlan carries out exactly the plan announced for the hypothesis on that basis, or rejects with
	// cluster.CodeStaleBasis.
	ApplyPlan(ctx context.Context, actor cluster.Actor, request string, h scheduler.Hypothesis,
		basis uint64) (cluster.Result, error)

	// Events sends the events after the cursor in order, first the kept ones, then new ones. It closes
	// the channel when ctx ends or the receiver falls too far behind; the receiver then resumes. It
	// returns ErrTooOld if events after the cursor are no longer kept.
	Events(ctx context.Context, after Cursor) (<-chan cluster.Event, error)
	// History returns a part of the events that the query selects, newest first. A page ends at the query's limit or
	// when it has cost its share: then it may even be empty, and there is more.
	History(ctx context.Context, q HistoryQuery) (HistoryPage, error)
	// Logs opens the output of a run. With Follow the reader waits for more until the run or ctx has
	// ended. It returns ErrNoLogs if there is no output yet, and ErrStoreSilent if the store hangs.
	Logs(ctx context.Context, q LogQuery) (io.ReadCloser, error)
	// Results opens the files that a run has left, which may be a part of them while it runs. It returns ErrNoResults if
	// the run can have none, and ErrStoreSilent if the store hangs.
	Results(ctx context.Context, run cluster.RunID) (Results, error)
	// Stream opens a stream into the VM of the run; the caller closes it. It returns ErrNoStream if there is none.
	Stream(ctx context.Context, run cluster.RunID) (Stream, error)

	// PutImage stores the files (kernel, initrd, optionally cmdline) and registers the image. The same
	// files under the same name are the same image. The files must be read in turn; an error of the
	// sequence ends it and leaves nothing behind.
	PutImage(ctx context.Context, actor cluster.Actor, name string, files iter.Seq2[ImageFile, error]) (cluster.Image,
		error)

	// Policies lists the available policies by name.
	Policies() []Policy
	// PolicyName returns the canonical form of a policy's name, or an error, for people, if it is invalid.
	PolicyName(name string) (canonical string, err error)
	// Refusal returns why the policy in force would end a new job with the spec once it may be placed; nil: it would not.
	Refusal(v *cluster.Snapshot, spec *cluster.Spec) *cluster.Reason

	// Health returns the health of this replica. It is cheap and never blocks.
	Health() Health
	// Replicas lists the managers that this one knows, itself included, by id. It never blocks.
	Replicas() []Replica
}

// Errors of a Manager that are neither refusals nor bugs.
var (
	// ErrNoLeader means that no manager leads now; nothing was done.
	ErrNoLeader = errors.New("no manager leads at present")
	// ErrUncertain means that a command was proposed and its outcome is unknown.
	ErrUncertain = errors.New("the outcome is unknown")
	// ErrTooOld means that events after the cursor are no longer kept.
	ErrTooOld = errors.New("events after the cursor are no longer kept")
	// ErrStoreSilent means that the cluster's store did not answer in time.
	ErrStoreSilent = errors.New("the store does not answer")
	// ErrNoLogs means that a run has no output here.
	ErrNoLogs = errors.New("no output is kept of the run")
	// ErrNoStream means that no stream into the VM of a run can be opened. The error says why, for users.
	ErrNoStream = errors.New("no stream into the task's VM can be opened")
	// ErrNoResults means that no files of a run are kept here.
	ErrNoResults = errors.New("no files are kept of the run")
)

// Usage is the measured usage of a run over the last sampling interval.
type Usage struct {
	CPU    cluster.CPU
	Memory cluster.Bytes // resident in the hypervisor; 0: unknown
	At     cluster.Time  // end of the interval
}

// Host is the measured use of a node's whole machine, whatever runs on it. A total of 0 means that the amount was not
// measured.
type Host struct {
	CPU, CPUs          cluster.CPU // mean over the last sampling interval
	MemoryUsed, Memory cluster.Bytes
	DiskUsed, Disk     cluster.Bytes // of the file system with the monitor's data
}

// Cursor is a position in the order of events: after the event of that revision and index.
type Cursor struct {
	Revision uint64
	Index    int
}

// HistoryQuery selects past events.
type HistoryQuery struct {
	Before Cursor       // only events before it
	Since  cluster.Time // only events at or after it
	Limit  int
	Match  func(*cluster.Event) bool
}

// HistoryPage is a part of the selected events.
type HistoryPage struct {
	Events []cluster.Event
	Next   Cursor // Before of the next page
	More   bool   // there may be a next page
}

// Console is the stream with the output of the guest's kernel.
const Console = "console"

// LogQuery selects the output of one run.
type LogQuery struct {
	Run    cluster.RunID
	Stream string // stdout, stderr, "" for both as they came, or Console
	Offset int64  // bytes to skip at the beginning
	Follow bool
}

// ImageFile is one file of a pushed image. Content is valid until the next file.
type ImageFile struct {
	Name    string // kernel, initrd or cmdline
	Size    int64  // bytes
	Content io.Reader
}

// Policy is a scheduling policy without parameters.
type Policy struct {
	Name   string // as published
	Family string
	About  string // description in one line
}

// Replica is a manager as the others know it.
type Replica struct {
	ID  uint64
	URL string // base URL of its REST; "": unknown here
}

// Health is what a replica knows about itself.
type Health struct {
	Replica  uint64
	Leads    bool
	Leader   string // base URL of the leader's REST; "" unknown
	Ready    bool   // a leader is known and this replica follows it
	Revision uint64
	Format   uint32       // of the state, in force
	Problem  string       // why it is not ready, or another problem; "": none
	Backoff  cluster.Time // time until the leader decides again on jobs whose decision could not be adopted; 0: none
}
