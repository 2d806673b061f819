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
	"aliquot/manager/output"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/scheduler"
)

// proposalTimeout limits one proposal, retries included.
const proposalTimeout = 10 * time.Second

// system is the actor of the manager's own commands.
var system = cluster.Actor{Name: "system", Owner: "system", Project: "system", Role: cluster.System}

// Config configures a manager. All fields but Wall are required.
type Config struct {
	Replica     uint64
	Links       map[uint64]string // host:port at which monitors reach the replicas
	RESTs       map[uint64]string // URL at which clients reach the replicas
	StorePath   string            // the cluster's store of saved images and output, as mounted here
	Results     ResultLimits      // on the files of ended jobs on the store
	Past        PastLimits        // on the records of charts
	Backups     string            // folder of the daily backups of the state; "": none
	Restored    string            // file that a restore leaves, below the folder of this replica's state
	FenceMargin time.Duration     // time after a lease's end until the fence is assumed to have acted
	Log         zerolog.Logger
	Clock       func() time.Time
	Elapsed     func() time.Duration // since the machine's boot, sleep included
	Wall        func() time.Time     // the machine's clock, which can be set; nil: Clock
	Problem     string               // of this manager's configuration, for its health; "": none

	Peers Peers

	// Format asks the manager at the URL for the highest format that it understands; 0: it reports none.
	Format func(ctx context.Context, url string) (uint32, error)
}

// Manager is one replica of the cluster's management. It implements web.Manager.
type Manager struct {
	cfg        Config
	log        zerolog.Logger
	clock      func() time.Time
	elapsed    func() time.Duration
	store      Store
	events     *events.Log
	images     *images.Folder
	registered sync.Map // digests that this manager has put into the state since it last compared its images
	output     *output.Store
	link       *link.Hub
	curtailed  curtailed
	usage      usage
	past       *history
	announced  announced
	founded    atomic.Pointer[founded] // nil: Bootstrap has not come to it
	epoch      atomic.Uint64           // of this replica's claim; 0: it does not lead
	term       uint64                  // term of the last claim; used by the leader's loop only
	shown      uint64                  // revision at which State's clock was last checked; used by the leader's loop only
	timeSet    uint64                  // State.TimeSet that the back-offs belong to; used by the leader's loop only
	offered    offer                   // of the lead, because of this machine's clock; used by the leader's loop only
	watch      watch                   // used by the leader's loop only
	pushed     *cluster.State          // the state whose orders were last pushed; used by the leader's loop only
	time       clusterClock
	backoff    scheduler.Backoff // used by the leader's loop only
	overdue    scheduler.Refused // refused proposals of supervise; used by the leader's loop only
	// length of the back-off before the next decision, in microseconds; 0: none, or this replica does not lead
	waits    atomic.Int64
	parse    func(name string, period cluster.Time) (policy.Policy, error)
	policies struct { // used by the leader's loop only
		choice cluster.PolicyChoice
		policy policy.Policy // nil: none yet, or unknown to this version
		gone   bool
	}
}

// New returns a manager made of its parts. Run starts it.
func New(cfg Config, s Store, e *events.Log, i *images.Folder) *Manager {
	if cfg.Wall == nil {
		cfg.Wall = cfg.Clock
	}
	return &Manager{cfg: cfg, log: cfg.Log, clock: cfg.Clock, elapsed: cfg.Elapsed, store: s, events: e, images: i,
		output: output.New(cfg.StorePath), past: newHistory(), parse: catalog.ParseLive}
}

// Serve sets the hub of the monitors' links. Call it before Run.
func (m *Manager) Serve(hub *link.Hub) { m.link = hub }

// Run leads whenever this replica is the leader, until ctx ends.
func (m *Manager) Run(ctx context.Context) {
	m.time.hear(m.elapsed()) // another manager may be about to lead
	if err := m.noteRestored(); err != nil {
		m.log.Error().Err(err).
			Msg("cannot record the restored backup; this replica will not lead until this succeeds")
	}
	var work sync.WaitGroup
	work.Go(func() { m.keepStore(ctx) })
	work.Go(func() { m.keepCompared(ctx) })
	work.Go(func() { m.keepImages(ctx) })
	work.Go(func() { m.keepBackups(ctx) })
	work.Go(func() { m.keepFormat(ctx) })
	work.Go(func() { m.keepSpans(ctx) })
	work.Go(func() { m.keepTally(ctx) })
	work.Go(func() { m.keepSeries(ctx) })
	work.Go(func() { m.keepRecords(ctx) })
	work.Go(func() { m.keepUses(ctx) })
	work.Go(func() { m.lead(ctx) })
	work.Wait()
}

func (m *Manager) parsePolicy(choice cluster.PolicyChoice) (policy.Policy, error) {
	p, err := catalog.ParseLive(choice.Name, choice.Period)
	if err != nil {
		return nil, &cluster.Rejection{Code: cluster.CodeInvalid, Field: "policy", Detail: err.Error()}
	}
	return p, nil
}
