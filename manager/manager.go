package manager

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/manager/events"
	"aliquot/manager/images"
	"aliquot/manager/link"
	"aliquot/manager/store"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/scheduler"
)

// proposalTimeout bounds one proposal, retries included.
const proposalTimeout = 10 * time.Second

// system is who the manager itself acts as.
var system = cluster.Actor{Name: "system", Owner: "system", Project: "system", Role: cluster.System}

// Config is what a manager is made with; all fields are needed.
type Config struct {
	Replica     uint64
	Links       map[uint64]string // host:port at which monitors reach the replicas
	RESTs       map[uint64]string // URL at which clients reach the replicas
	StorePath   string            // the cluster's store of saved images and output, as mounted here
	Restored    string            // file that a restore leaves, below the folder of this replica's state
	FenceMargin time.Duration     // after a lease until the fence is trusted to have acted
	Log         zerolog.Logger
	Clock       func() time.Time
	Elapsed     func() time.Duration // since the machine's boot, sleep included

	// Format asks the manager at the URL for the highest format that it understands; 0: it does not say.
	Format func(ctx context.Context, url string) (uint32, error)
}

// Manager is one replica of the cluster's management. It implements web.Manager.
type Manager struct {
	cfg       Config
	log       zerolog.Logger
	clock     func() time.Time
	elapsed   func() time.Duration
	store     *store.Store
	events    *events.Log
	images    *images.Folder
	link      *link.Hub
	usage     usage
	past      *history
	announced announced
	epoch     atomic.Uint64  // of this replica's claim; 0: it does not lead
	term      uint64         // of the last claim; of the leader's loop only
	shown     uint64         // revision after which State's clock was last looked at; of the leader's loop only
	timeSet   uint64         // State.TimeSet that the back-offs are by; of the leader's loop only
	jumped    bool           // this machine's clock is known to be far from the cluster's; of the leader's loop only
	watch     watch          // of the leader's loop only
	pushed    *cluster.State // whose orders the nodes have got; of the leader's loop only
	time      clusterClock
	backoff   scheduler.Backoff // of the leader's loop only
	overdue   scheduler.Refused // what supervise proposed; of the leader's loop only
	waits     atomic.Int64      // length of the back-off before the next decision, in microseconds; 0: none, or this replica does not lead
	parse     func(name string, period cluster.Time) (policy.Policy, error)
	policies  struct { // of the leader's loop only
		choice cluster.PolicyChoice
		policy policy.Policy // nil: none yet, or it is gone
		gone   bool
	}
}

// New returns a manager over its parts; Run makes it work.
func New(cfg Config, s *store.Store, e *events.Log, i *images.Folder) *Manager {
	return &Manager{cfg: cfg, log: cfg.Log, clock: cfg.Clock, elapsed: cfg.Elapsed, store: s, events: e, images: i, past: newHistory(), parse: catalog.Parse}
}

// Serve gives the manager the hub through which monitors are connected; before Run.
func (m *Manager) Serve(hub *link.Hub) { m.link = hub }

// Run leads whenever this replica is the leader, until ctx ends.
func (m *Manager) Run(ctx context.Context) {
	m.time.hear(m.elapsed()) // another manager may be about to lead
	if err := m.noteRestored(); err != nil {
		m.log.Error().Err(err).Msg("this replica does not lead before that has worked")
	}
	var work sync.WaitGroup
	work.Go(func() { m.keepStore(ctx) })
	work.Go(func() { m.keepCompared(ctx) })
	work.Go(func() { m.keepFormat(ctx) })
	work.Go(func() { m.keepSpans(ctx) })
	work.Go(func() { m.keepSeries(ctx) })
	work.Go(func() { m.lead(ctx) })
	work.Wait()
}

func (m *Manager) parsePolicy(choice cluster.PolicyChoice) (policy.Policy, error) {
	p, err := catalog.Parse(choice.Name, choice.Period)
	if err != nil {
		return nil, &cluster.Rejection{Code: cluster.CodeInvalid, Field: "policy", Detail: err.Error()}
	}
	return p, nil
}
