// Package webtest runs REST on a real cluster.State inside one process, without Raft,
// monitors or a policy, for tests of the server, the client and the command line.
//
// Every command goes through State.Apply, so refusals, events and states are the real ones. The test
// makes placements and observations. The package replaces only the parts of package manager around the
// state.
//
// Invariant: time stands still unless the test advances it, so answers can be compared with golden
// files. The approach is that of RFC 9110 servers tested through httptest.
package webtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/manager/audit"
	"aliquot/manager/past"
	"aliquot/scheduler"
	"aliquot/web"
)

// Start is the time at which every Cluster begins: 2026-01-01 12:00 UTC.
const Start = cluster.Time(1767268800) * cluster.Second

// Secrets of the tokens that every Cluster has. Alice works in project render, Bob in project other.
const (
	Admin    = "alq_admin"
	Operator = "alq_operator"
	Alice    = "alq_alice"
	Bob      = "alq_bob"
	Viewer   = "alq_viewer"

	JoinToken = "aliquot-join.of.tests" // of every node that is invited
)

// Digest is the digest of the built-in image busybox of every Cluster.
const Digest = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// Key is the session key of every Cluster.
var Key = []byte("a key of tests alone")

// Cluster is a web.Manager around one State. Its exported fields are set before it serves.
type Cluster struct {
	PlanFunc   func(scheduler.Hypothesis) (scheduler.Preview, error) // nil: planning is refused
	Keep       uint64                                                // revision up to which events are forgotten
	PageEvents int                                                   // events that a page of history looks at; 0: all
	Fault      func(cluster.Action) error                            // returns the error that Do fails with; nil: none
	Following  bool                                                  // it is not the leader: no usage
	Leader     string                                                // base URL of the leader that it follows
	Replica    uint64                                                // of this manager
	Others     []web.Replica                                         // besides itself
	Refuses    *cluster.Reason                                       // why Refusal refuses every job; nil: as it says
	NoStreams  bool                                                  // no VM can be reached
	Console    http.Handler                                          // nil: none

	Simulations web.Simulations // nil: it runs none
	Audit       web.Audit       // nil: nothing is recorded
	Uses        web.Uses        // nil: uses are not known

	mu      sync.Mutex
	changed chan struct{} // closed and renewed at every change
	state   *cluster.State
	now     cluster.Time
	events  []cluster.Event
	usage   map[cluster.RunID]web.Usage
	hosts   map[cluster.NodeID]web.Host
	logs    map[cluster.RunID][]byte
	console map[cluster.RunID][]byte
	results map[cluster.RunID]map[string]string
	series  series
	ledger  *past.Ledger // of Book
	total   past.Total
	ended   map[cluster.RunID]bool
	down    bool
}

var system = cluster.Actor{Name: "system", Owner: "system", Project: "system", Role: cluster.System}

// New returns a cluster with a leader, the tokens and the image, and no node.
func New(t testing.TB) *Cluster {
	t.Helper()
	c := &Cluster{
		state: cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "GreedyPM */per/opt=min/minvt=600",
			Period: 10 * cluster.Minute}),
		now: Start, Replica: 1, changed: make(chan struct{}),
		usage: map[cluster.RunID]web.Usage{}, hosts: map[cluster.NodeID]web.Host{},
		logs: map[cluster.RunID][]byte{}, console: map[cluster.RunID][]byte{},
		results: map[cluster.RunID]map[string]string{},
		ended:   map[cluster.RunID]bool{}, series: newSeries(),
		ledger: past.NewLedger(), total: past.Total{},
	}
	c.keepAudit(t)
	c.Must(t, cluster.Claim{Replica: 1, Term: 1})
	c.Must(t, cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: Digest, Kind: "kernel",
		Size: 24 * cluster.MiB, Builtin: true}})
	for _, token := range []struct {
		secret, name, project string
		role                  cluster.Role
	}{
		{Admin, "admin", "default", cluster.Admin}, {Operator, "operator", "default", cluster.Operator},
		{Alice, "alice", "render", cluster.User}, {Bob, "bob", "other", cluster.User},
		{Viewer, "viewer", "default", cluster.Viewer},
	} {
		c.Must(t, cluster.PutToken{Token: cluster.Token{
			ID: "t-" + token.name, Name: token.name, Hash: web.HashSecret(token.secret),
			Actor: cluster.Actor{Name: token.name, Owner: token.name, Project: token.project, Role: token.role},
		}})
	}
	return c
}

// keepAudit opens an audit log and the uses of tokens in a folder of the test.
func (c *Cluster) keepAudit(t testing.TB) {
	t.Helper()
	dir := t.TempDir()
	log, err := audit.Open(dir, audit.Limits{Age: 24 * time.Hour, Bytes: 64 << 20, Segment: audit.Segment}, nil,
		zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	c.Audit, c.Uses = log, audit.OpenUses(filepath.Join(dir, "uses.json"), zerolog.Nop())
}

// Serve starts a server of REST for the cluster; it ends with the test.
func (c *Cluster) Serve(t testing.TB) *httptest.Server {
	t.Helper()
	peers := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(peers.CloseIdleConnections)
	server := httptest.NewUnstartedServer(web.NewHandler(web.Options{Manager: c, Version: "test", Key: Key,
		Console: c.Console, Simulations: c.Simulations, Peers: peers, Audit: c.Audit, Uses: c.Uses,
		Invite: func() (string, [32]byte) { return JoinToken, web.HashSecret(JoinToken) }}))
	server.Config = web.NewServer("", server.Config.Handler, zerolog.Nop())
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// Must applies an action as the system and returns its result; a refusal ends the test.
func (c *Cluster) Must(t testing.TB, a cluster.Action) cluster.Result {
	t.Helper()
	r := c.apply(system, "", a)
	if r.Rejection != nil {
		t.Fatalf("%T: %v", a, r.Rejection)
	}
	return r
}

func (c *Cluster) apply(actor cluster.Actor, request string, a cluster.Action) cluster.Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.state.Apply(c.state.Revision+1, cluster.Command{At: c.now, TimeSet: c.state.TimeSet, Actor: actor,
		Request: request, Epoch: c.state.Epoch, Action: a})
	if r.Rejection == nil && c.state.TimeSet == c.state.Revision {
		c.now = c.state.Now // the command set it
	}
	c.events = append(c.events, r.Events...)
	c.touch()
	return r
}

// touch wakes all goroutines that wait for a change.
func (c *Cluster) touch() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Advance lets time pass. As a leader does, it shows the state its time in steps of at most [cluster.MaxStep].
func (c *Cluster) Advance(d cluster.Time) {
	c.mu.Lock()
	c.now += d
	behind := c.now - c.state.Now
	c.mu.Unlock()
	for ; behind > cluster.MaxStep; behind -= cluster.MaxStep {
		c.apply(system, "", cluster.Checkpoint{})
	}
}

// SetDown takes the leader away or gives it back.
func (c *Cluster) SetDown(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = down
}

// Check returns an error if the state violates an invariant.
func (c *Cluster) Check() error { return c.Latest().Check() }

// Do applies the action at the cluster's time.
func (c *Cluster) Do(_ context.Context, actor cluster.Actor, request string, a cluster.Action) (cluster.Result, error) {
	if c.leaderless() {
		return cluster.Result{}, fmt.Errorf("propose %T: %w", a, web.ErrNoLeader)
	}
	if c.Fault != nil {
		if err := c.Fault(a); err != nil {
			return cluster.Result{}, err
		}
	}
	return c.apply(actor, request, a), nil
}

// Once marks the name as used. It reports whether it was new.
func (c *Cluster) Once(_ context.Context, name string) (bool, error) {
	if c.leaderless() {
		return false, web.ErrNoLeader
	}
	return !c.apply(system, name, cluster.Checkpoint{}).Repeated, nil
}

func (c *Cluster) leaderless() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.down
}

// Snapshot returns the present state, unless there is no leader.
func (c *Cluster) Snapshot(context.Context) (*cluster.Snapshot, error) {
	if c.leaderless() {
		return nil, web.ErrNoLeader
	}
	return c.Latest(), nil
}

// Latest returns the present state.
func (c *Cluster) Latest() *cluster.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.Snapshot(c.now)
}

// Usage returns the sample set by SetUsage.
func (c *Cluster) Usage(run cluster.RunID) (web.Usage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.usage[run]
	return u, ok && !c.Following
}

// Host returns the sample set by SetHost.
func (c *Cluster) Host(node cluster.NodeID) (web.Host, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h, ok := c.hosts[node]
	return h, ok && !c.Following
}

// Policies returns the two policies that PolicyName knows.
func (c *Cluster) Policies() []web.Policy {
	return []web.Policy{{Name: "FCFS", Family: "backfill", About: "first come, first served"},
		{Name: "GreedyPM */per", Family: "dfrs", About: "greedy, and MCB8 at every tick"}}
}

// Replicas returns this replica and Others.
func (c *Cluster) Replicas() []web.Replica {
	return append([]web.Replica{{ID: c.Replica}}, c.Others...)
}

// Refusal refuses standard jobs: under EASY without an estimate, under FCFS with more tasks than there are nodes.
func (c *Cluster) Refusal(v *cluster.Snapshot, spec *cluster.Spec) *cluster.Reason {
	nodes := int64(0)
	for range v.Nodes() {
		nodes++
	}
	switch tasks := int64(spec.Tasks); {
	case c.Refuses != nil:
		return c.Refuses
	case spec.Class != cluster.StandardClass:
		return nil
	case v.Policy.Name == "EASY" && v.Prospect(spec).Forecast(v.At) == 0:
		return &cluster.Reason{Code: cluster.WhyNoEstimate}
	case v.Policy.Name == "FCFS" && tasks > nodes:
		return &cluster.Reason{Code: cluster.WhyTooFewNodes, Values: []int64{nodes, tasks}}
	}
	return nil
}

// PolicyName accepts two names, in any case.
func (c *Cluster) PolicyName(name string) (string, error) {
	for _, known := range []string{"FCFS", "GreedyPM */per/opt=min/minvt=600"} {
		if strings.EqualFold(name, known) {
			return known, nil
		}
	}
	return "", errors.New("there is no policy of that name; one is GreedyPM */per/opt=min/minvt=600")
}

// Plan calls PlanFunc.
func (c *Cluster) Plan(_ context.Context, h scheduler.Hypothesis) (scheduler.Preview, error) {
	if c.PlanFunc == nil {
		return scheduler.Preview{}, web.ErrNoLeader
	}
	return c.PlanFunc(h)
}

// ApplyPlan enacts the wish without a decision if nothing has happened since the basis.
func (c *Cluster) ApplyPlan(_ context.Context, actor cluster.Actor, request string, h scheduler.Hypothesis,
	basis uint64) (cluster.Result, error) {
	enact := cluster.Enact{Basis: basis, Wish: h.Wish(), Decision: cluster.Adopt{Basis: basis}}
	return c.apply(actor, request, enact), nil
}

// PutImage computes the digest of the files and registers the image.
func (c *Cluster) PutImage(ctx context.Context, actor cluster.Actor, name string, files iter.Seq2[web.ImageFile,
	error]) (cluster.Image, error) {
	sum, image := sha256.New(), cluster.Image{Name: name, Kind: "kernel"}
	for f, err := range files {
		if err != nil {
			return image, err
		}
		content, err := io.ReadAll(f.Content)
		if err != nil {
			return image, err
		}
		if f.Name == "cmdline" {
			image.Cmdline = string(content)
		}
		if strings.HasPrefix(f.Name, "disk.") {
			image.Kind, image.Disk = cluster.DiskImage, cluster.Bytes(len(content))
		}
		image.Size += cluster.Bytes(len(content))
		fmt.Fprintf(sum, "%s %d\n%s", f.Name, len(content), content)
	}
	image.Digest = hex.EncodeToString(sum.Sum(nil))
	r, err := c.Do(ctx, actor, "", cluster.PutImage{Image: image})
	if err == nil && r.Rejection != nil {
		err = r.Rejection
	}
	image.Added = c.now
	return image, err
}

// Health returns the health of a leader, or of a replica without a leader while it is down.
func (c *Cluster) Health() web.Health {
	down, v := c.leaderless(), c.Latest()
	h := web.Health{Replica: c.Replica, Leader: c.Leader, Leads: !down && !c.Following, Ready: !down, Revision: v.Revision,
		Format: v.Format}
	if down {
		h.Problem = web.ErrNoLeader.Error()
	}
	return h
}

// History returns the matching kept events, in a page of at most PageEvents events that were looked at.
func (c *Cluster) History(_ context.Context, q web.HistoryQuery) (page web.HistoryPage, _ error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := 0
	for _, e := range slices.Backward(c.events) {
		earlier := e.Revision < q.Before.Revision || e.Revision == q.Before.Revision && e.Index < q.Before.Index
		if !earlier || e.At < q.Since || e.Revision <= c.Keep {
			continue
		}
		if page.More = len(page.Events) == q.Limit || c.PageEvents > 0 && seen == c.PageEvents; page.More {
			break
		}
		seen, page.Next = seen+1, web.Cursor{Revision: e.Revision, Index: e.Index}
		if q.Match(&e) {
			page.Events = append(page.Events, e)
		}
	}
	return page, nil
}

// Events sends the events after the cursor, then new ones.
func (c *Cluster) Events(ctx context.Context, after web.Cursor) (<-chan cluster.Event, error) {
	if after.Revision < c.Keep {
		return nil, web.ErrTooOld
	}
	to := make(chan cluster.Event)
	go func() {
		defer close(to)
		for sent := 0; ; {
			c.mu.Lock()
			rest, changed := slices.Clone(c.events[sent:]), c.changed
			c.mu.Unlock()
			sent += len(rest)
			for _, e := range rest {
				if e.Revision < after.Revision || e.Revision == after.Revision && e.Index <= after.Index {
					continue
				}
				select {
				case to <- e:
				case <-ctx.Done():
					return
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return to, nil
}

// Logs returns the output added by Print, without distinguishing stdout and stderr, or the one set by SetConsole.
func (c *Cluster) Logs(ctx context.Context, q web.LogQuery) (io.ReadCloser, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, ok := c.logs[q.Run]
	if q.Stream == web.Console {
		text, ok = c.console[q.Run]
	}
	if !ok {
		return nil, web.ErrNoLogs
	}
	if !q.Follow || q.Stream == web.Console {
		return io.NopCloser(bytes.NewReader(text[min(int(q.Offset), len(text)):])), nil
	}
	return &follower{ctx, c, q.Run, int(q.Offset)}, nil
}

// follower reads a log that grows.
type follower struct {
	ctx context.Context
	c   *Cluster
	run cluster.RunID
	at  int
}

func (f *follower) Close() error { return nil }

func (f *follower) Read(p []byte) (int, error) {
	for {
		f.c.mu.Lock()
		text, ended, changed := f.c.logs[f.run], f.c.ended[f.run], f.c.changed
		f.c.mu.Unlock()
		if f.at < len(text) {
			n := copy(p, text[f.at:])
			f.at += n
			return n, nil
		}
		if ended {
			return 0, io.EOF
		}
		select {
		case <-changed:
		case <-f.ctx.Done():
			return 0, f.ctx.Err()
		}
	}
}
