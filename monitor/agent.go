package monitor

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// Config configures a node's agent.
type Config struct {
	Name     string
	Boot     string        // differs for every boot; "": the kernel's boot ID
	CPU      cluster.CPU   // capacity for VMs, in reference millicores
	Speed    cluster.Speed // of the processors
	Measured cluster.Speed // by a benchmark; 0: none ran
	Class    string        // of nodes on which work is equally fast
	Memory   cluster.Bytes // capacity for VMs, without the system's own memory
	Labels   []cluster.Pair
	Program  string // this program's version, for people
	Bridge   string // of the node, for VMs with a network; "": none
	Store    string // path of the store, the same on all nodes; "": no store
	Images   string // folder of this node's copies of images
	Agent    string // program that runs the tasks of disk images in their VMs; "": there is none
	Data     string // folder that belongs to this node alone
	// Reach connects to the port of streams of a VM; nil: no VM here has one.
	Reach  func(ctx context.Context, vm VM) (net.Conn, error)
	Rhythm Rhythm // zero: Usual
	Log    zerolog.Logger

	Boottime func() time.Duration                     // the clock of leases; nil: CLOCK_BOOTTIME
	Free     func(path string) (cluster.Bytes, error) // free space of a file system; nil: as the kernel says
	Host     func() (Host, error)                     // samples the whole machine; nil: nothing does
	// BeforeWrite is called before a lease is written, and may take as long as a disk that hangs; nil: nothing is.
	BeforeWrite func()
}

// Rhythm sets the intervals of periodic work.
type Rhythm struct {
	Tick    time.Duration // between checks of timeouts
	List    time.Duration // between lists of the node's VMs
	Sample  time.Duration // between samples of their usage
	Read    time.Duration // between reads of the guests' reports
	Silence time.Duration // of failing lists, after which the hypervisor counts as silent; 0: as usual
}

// Usual is the rhythm of a node on a machine of its own.
var Usual = Rhythm{Tick: 250 * time.Millisecond, List: 5 * time.Second, Sample: 5 * time.Second,
	Read: 100 * time.Millisecond, Silence: 20 * time.Second}

// startsAtOnce limits the VMs that are created at the same time; more would only slow each other down.
const startsAtOnce = 4

// Agent carries out the leader's orders on one node.
type Agent struct {
	config     Config
	hypervisor Hypervisor
	link       Link
	images     ImageSource
	store      *Store
	reader     *reader
	starts     chan struct{} // one slot for each VM being created
	tried      *tried

	wake    chan struct{} // a request to list the VMs again
	asked   chan listing  // requests for snapshots
	taken   chan snapshot
	done    chan outcome
	leases  chan Lease // the newest one to write down
	noted   chan leaseOutcome
	sign    atomic.Pointer[FenceSign] // the fence's last sign; nil: none
	sent    chan sent
	samples chan sampling
	opened  chan opened
	watched atomic.Pointer[[]Folder] // the folders whose guests are read

	leaseEnd atomic.Int64 // nanoseconds on CLOCK_BOOTTIME; read by running actions
	lapses   atomic.Int64 // leases that have expired
	streams  *Streams
	member   atomic.Pointer[[16]byte] // the cluster whose VMs are sampled

	state
}

// state is used by the loop alone.
type state struct {
	node      cluster.NodeID
	of        [16]byte
	last      cluster.Orders // the newest orders taken; older ones are refused
	grant     int            // the grant under which last was given; 0: its lease has expired
	grants    int            // number of grants so far
	first     cluster.Orders // taken in this session; of revision 0: none yet
	until     time.Duration  // end of the lease
	lapsed    bool           // the lease has expired since this session was asked for; its orders do not count any more
	wanted    Lease          // the lease last passed on for writing
	written   Lease          // lease last written for the fence, or whose writing failed; zero: none in this process
	session   Session
	serial    int // number of the session
	snapshot  *snapshot
	unread    int  // runs whose store files the last snapshot could not read
	asking    bool // a snapshot is being taken
	again     bool // take another snapshot after that
	snapshots int  // number of snapshots requested
	listed    time.Time
	fence     bool   // the fence was alive at the last tick
	failing   outage // of lists of the hypervisor's VMs
	mute      bool   // it is silent
	work      work
	outbox    outbox
}

// opened is a new session or the reason for its failure.
type opened struct {
	session Session
	lapses  int64 // leases that had expired when it was asked for
	err     error
}

// New returns an agent. It does nothing until Run is called.
func New(config Config, h Hypervisor, link Link, images ImageSource) (*Agent, error) {
	if config.Boot == "" {
		boot, err := BootID()
		if err != nil {
			return nil, err
		}
		config.Boot = boot
	}
	if config.Rhythm == (Rhythm{}) {
		config.Rhythm = Usual
	}
	config.Rhythm.Silence = cmp.Or(config.Rhythm.Silence, Usual.Silence)
	if config.Boottime == nil {
		config.Boottime = BootTime
	}
	if config.BeforeWrite == nil {
		config.BeforeWrite = func() {}
	}
	a := &Agent{
		config: config, hypervisor: h, link: link, images: images,
		store:  NewStore(config.Store, config.Name, config.Data),
		starts: make(chan struct{}, startsAtOnce), tried: newTried(nil),
		wake: make(chan struct{}, 1), asked: make(chan listing, 1), taken: make(chan snapshot),
		leases: make(chan Lease, 1), noted: make(chan leaseOutcome),
		done: make(chan outcome), sent: make(chan sent), samples: make(chan sampling), opened: make(chan opened),
		streams: NewStreams(config.Reach),
		state:   state{work: newWork(), outbox: newOutbox()},
	}
	a.store.boottime = config.Boottime
	if config.Free != nil {
		a.store.free = config.Free
	}
	a.reader = newReader(a.store.lookUp)
	return a, a.remember()
}

// remember restores the agent's knowledge from before its restart.
func (a *Agent) remember() error {
	lease, err := ReadLease(a.config.Data)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w; if nothing of the cluster runs here, remove %s", err, filepath.Join(a.config.Data, LeaseFile))
	}
	a.of = lease.Cluster
	a.member.Store(&lease.Cluster)
	a.last = cluster.Orders{Generation: lease.Generation, Epoch: lease.Epoch, Revision: lease.Revision}
	a.tried = newTried(lease.Runs)
	return nil
}

// Run works until ctx ends; the VMs keep running. Any other error means that the node cannot take part
// in the cluster.
func (a *Agent) Run(ctx context.Context) error {
	platform, err := a.describe(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go a.listen(ctx)
	go a.takeSnapshots(ctx)
	go a.keepLease(ctx)
	go a.watchFence(ctx)
	go a.sample(ctx)
	go a.connect(ctx, platform)
	defer func() {
		if a.session != nil {
			a.session.Close()
		}
	}()
	return a.loop(ctx, platform)
}

// describe asks the hypervisor for its platform until it answers.
func (a *Agent) describe(ctx context.Context) (Platform, error) {
	var asking outage
	for {
		p, err := a.hypervisor.Describe(ctx)
		if err == nil {
			a.config.Log.Info().Str("hypervisor", p.Text).Msg("hypervisor detected")
			a.outbox.overhead = p.Overhead
			return p, nil
		}
		if ctx.Err() != nil {
			return Platform{}, ctx.Err()
		}
		if asking.fails(time.Now()) {
			a.config.Log.Warn().Err(err).Msg("the hypervisor does not answer; trying again")
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// loop is the only goroutine that uses the state. It blocks on events alone, never on a disk: its ticks prove that
// the node works, and without them the lease is not renewed.
func (a *Agent) loop(ctx context.Context, platform Platform) error {
	tick := time.NewTicker(a.config.Rhythm.Tick)
	defer tick.Stop()
	for {
		var orders <-chan cluster.Orders
		var leases <-chan time.Duration
		if a.session != nil {
			orders, leases = a.session.Orders(), a.session.Leases()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case o := <-a.opened:
			if err := a.join(ctx, o); err != nil {
				return err
			}
		case o, ok := <-orders:
			if !ok {
				a.leave(ctx, platform)
				break
			}
			a.take(o)
		case until := <-leases:
			a.renew(until)
		case <-a.wake:
			a.look()
		case <-a.hypervisor.Changes():
			a.look()
		case s := <-a.taken:
			a.see(ctx, s)
		case o := <-a.done:
			a.finish(o)
		case o := <-a.noted:
			a.note(o)
			a.act(ctx)
		case s := <-a.sent:
			a.outbox.acknowledge(s, a.serial, a.config.Log)
		case s := <-a.samples:
			if a.session != nil {
				a.session.SendUsage(s.runs, s.host)
			}
		case <-tick.C:
			a.tick(ctx)
		}
		a.send(ctx)
	}
}

// connect opens a session and hands it to the loop.
func (a *Agent) connect(ctx context.Context, platform Platform) {
	var lapses int64
	describe := func() cluster.Join {
		lapses = a.lapses.Load()
		return cluster.Join{Name: a.config.Name, Boot: a.config.Boot, Description: cluster.Description{
			CPU: a.config.CPU, Memory: a.config.Memory, Overhead: platform.Overhead,
			Platforms: platform.Names, Hypervisor: platform.Text, MigrateURI: platform.MigrateURI,
			Labels: a.config.Labels, Program: a.config.Program, Cores: platform.Cores,
			Speed: a.config.Speed, Measured: a.config.Measured, Class: a.config.Class,
			Bridged: platform.Bridged, Isolates: platform.Bridged, Limits: platform.Limits,
			Diskless: platform.Diskless, Immobile: platform.MigrateURI == "",
		}}
	}
	session, err := a.link.Connect(ctx, describe)
	select {
	case a.opened <- opened{session, lapses, err}:
	case <-ctx.Done():
		if session != nil {
			session.Close()
		}
	}
}

// join begins a session. Everything is reported again.
func (a *Agent) join(ctx context.Context, o opened) error {
	if o.err != nil {
		return fmt.Errorf("join the cluster: %w", o.err)
	}
	if of := o.session.Cluster(); a.of != [16]byte{} && of != a.of {
		o.session.Close()
		return fmt.Errorf(
			"this node belongs to cluster %s and was asked to join %s; if nothing of the former runs here, remove %s",
			hex.EncodeToString(a.of[:]), hex.EncodeToString(of[:]), filepath.Join(a.config.Data, LeaseFile))
	}
	a.session, a.serial, a.of, a.node = o.session, a.serial+1, o.session.Cluster(), o.session.Node()
	of := a.of
	a.member.Store(&of)
	a.outbox.reset()
	a.first, a.lapsed = cluster.Orders{}, o.lapses != a.lapses.Load()
	if a.until == 0 {
		a.grant = 0 // no lease made the orders of an earlier session valid, and that of this one must not
	}
	a.fence = a.fenceAlive()
	a.snapshot = nil // the leader gets what is seen from now on
	if a.serial == 1 {
		go a.store.Watch(ctx, a.of, func(p Proof, err error) {
			if err != nil {
				a.config.Log.Warn().Err(err).Msg("this node cannot use the store, and no task can run here")
			} else {
				a.config.Log.Info().Bool("proven", p.Proven).Msg("store checked")
			}
			a.poke()
		})
	}
	a.config.Log.Info().Uint32("node", uint32(a.node)).Msg("joined")
	if a.lapsed {
		a.session.Close() // its orders may have been given before the lapse
	}
	a.look()
	return nil
}

// leave ends a session and looks for the next one. The agent follows its orders until the lease ends.
func (a *Agent) leave(ctx context.Context, platform Platform) {
	a.config.Log.Warn().Msg("the link to the leader is down; connecting again")
	a.session.Close()
	a.session = nil
	go a.connect(ctx, platform)
}

// take follows new orders, unless they come from a former leader or were given before the lease expired.
func (a *Agent) take(o cluster.Orders) {
	if a.lapsed {
		return // the next session's lease must not make them valid
	}
	if o.Cluster != a.of || o.Node != a.node || !reconcile.Supersedes(o, a.last) {
		a.config.Log.Warn().Uint64("generation", o.Generation).Uint64("epoch", o.Epoch).Uint64("revision", o.Revision).
			Uint64("taken", a.last.Revision).Msg("orders refused: they are for another node or older than the orders in force")
		return
	}
	a.last = o
	if a.first.Revision == 0 {
		a.first = o
	}
	if a.grant == 0 {
		a.grants++
		a.grant = a.grants
	}
	a.look() // the snapshot is taken while the lease is written; no action begins before both are done
	a.writeLease()
}

// renew records the new end of the lease. Orders that came before the lease have waited for it.
func (a *Agent) renew(until time.Duration) {
	a.expire() // the old lease may have expired before the loop got here
	if a.config.Boottime() >= a.until {
		defer a.look()
	}
	a.until = max(a.until, until)
	a.leaseEnd.Store(int64(a.until))
	a.writeLease()
}

// tick does the periodic work.
func (a *Agent) tick(ctx context.Context) {
	a.fence = a.fenceAlive()
	if a.session != nil {
		a.session.Alive()
	}
	a.expire()
	if time.Since(a.listed) >= a.config.Rhythm.List {
		a.look()
	} else if a.work.forgive(time.Now()) {
		a.act(ctx)
	}
}

// expire drops an expired lease and its orders, because this node's runs may have been started elsewhere. Orders of
// the next session may come before its lease; they wait for it.
func (a *Agent) expire() {
	if a.until == 0 || a.config.Boottime() < a.until {
		return
	}
	a.config.Log.Warn().Msg("the lease has expired; the agent waits for new orders")
	a.grant, a.until, a.snapshot, a.lapsed = 0, 0, nil, true
	a.lapses.Add(1)
	if a.session != nil {
		a.session.Close()
	}
}

// poke asks the loop for a new snapshot, from any goroutine.
func (a *Agent) poke() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}
