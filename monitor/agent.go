package monitor

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// Config is what a node's agent needs to know.
type Config struct {
	Name   string
	Boot   string // changes with every boot; "": the kernel's
	CPU    cluster.CPU
	Memory cluster.Bytes // capacity for VMs, what the system needs already taken off
	Labels []cluster.Pair
	Store  string // path of the store, the same on all nodes; "": none
	Images string // folder of the images, the same on all nodes
	Data   string // folder of the node's own
	Rhythm Rhythm // zero: Usual
	Log    zerolog.Logger
}

// Rhythm says how often things are done that no event asks for.
type Rhythm struct {
	Tick   time.Duration // for what time alone asks for
	List   time.Duration // of the node's VMs
	Sample time.Duration // of what they use
	Read   time.Duration // of what guests report
}

// Usual is the rhythm of a node with a machine of its own.
var Usual = Rhythm{Tick: 250 * time.Millisecond, List: 5 * time.Second, Sample: 5 * time.Second, Read: 100 * time.Millisecond}

// startsAtOnce bounds how many VMs are being made at a time: more only slow each other.
const startsAtOnce = 4

// Agent makes the orders come true on one node.
type Agent struct {
	config     Config
	hypervisor Hypervisor
	link       Link
	images     ImageSource
	store      *Store
	reader     *reader
	starts     chan struct{} // a place for each VM being made
	tried      *tried

	wake    chan struct{} // list again
	asked   chan listing  // requests for snapshots
	taken   chan snapshot
	done    chan outcome
	leases  chan Lease // to be written down; the newest
	noted   chan leaseOutcome
	sign    atomic.Pointer[FenceSign] // the fence's last; nil: none
	sent    chan sent
	samples chan []Usage
	opened  chan opened
	watched atomic.Pointer[[]Folder] // whose guests are listened to

	leaseEnd atomic.Int64             // nanoseconds on CLOCK_BOOTTIME, for those who act
	member   atomic.Pointer[[16]byte] // the cluster whose VMs are measured

	state
}

// state belongs to the loop alone.
type state struct {
	node      cluster.NodeID
	of        [16]byte
	last      cluster.Orders // the newest taken, to refuse older ones
	grant     int            // under which last was given; 0: its lease has run out
	grants    int            // so far
	until     time.Duration  // end of the lease
	wanted    Lease          // handed over to be written down
	written   Lease          // as the fence knows it, or was to know it but for an error; zero: not by this monitor
	session   Session
	serial    int // of the session
	snapshot  *snapshot
	unread    int  // runs of which the last snapshot does not know what the store has
	asking    bool // a snapshot is being taken
	again     bool // take another one then
	snapshots int  // asked for
	listed    time.Time
	fence     bool // is alive, as far as seen at the last tick
	work      work
	outbox    outbox
}

// opened is a new session, or why there will be none.
type opened struct {
	session Session
	err     error
}

// New returns an agent that does nothing until Run.
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
	a := &Agent{
		config: config, hypervisor: h, link: link, images: images,
		store:  NewStore(config.Store, config.Name, config.Data),
		starts: make(chan struct{}, startsAtOnce), tried: newTried(nil),
		wake: make(chan struct{}, 1), asked: make(chan listing, 1), taken: make(chan snapshot),
		leases: make(chan Lease, 1), noted: make(chan leaseOutcome),
		done: make(chan outcome), sent: make(chan sent), samples: make(chan []Usage), opened: make(chan opened),
		state: state{work: newWork(), outbox: newOutbox()},
	}
	a.reader = newReader(a.store.lookUp)
	return a, a.remember()
}

// remember takes over what the agent knew before it was restarted.
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

// Run works until ctx ends; VMs run on then. It returns another error when the node
// cannot take part in the cluster at all.
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

// describe asks the hypervisor until it answers.
func (a *Agent) describe(ctx context.Context) (Platform, error) {
	for {
		p, err := a.hypervisor.Describe(ctx)
		if err == nil {
			a.config.Log.Info().Str("hypervisor", p.Text).Msg("the hypervisor is described")
			return p, nil
		}
		if ctx.Err() != nil {
			return Platform{}, ctx.Err()
		}
		a.config.Log.Warn().Err(err).Msg("waiting for the hypervisor")
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// loop is the only one to touch the state. It never waits for anything but news, above all not for a disk: its ticks are
// what the lease is renewed for.
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
		case samples := <-a.samples:
			if a.session != nil {
				a.session.SendUsage(samples)
			}
		case <-tick.C:
			a.tick(ctx)
		}
		a.send(ctx)
	}
}

// connect finds a session and hands it to the loop.
func (a *Agent) connect(ctx context.Context, platform Platform) {
	describe := func() cluster.Join {
		return cluster.Join{Name: a.config.Name, Boot: a.config.Boot, Description: cluster.Description{
			CPU: a.config.CPU, Memory: a.config.Memory, Overhead: platform.Overhead,
			Platforms: platform.Names, Hypervisor: platform.Text, MigrateURI: platform.MigrateURI,
			Labels: a.config.Labels,
		}}
	}
	session, err := a.link.Connect(ctx, describe)
	select {
	case a.opened <- opened{session, err}:
	case <-ctx.Done():
		if session != nil {
			session.Close()
		}
	}
}

// join begins a session: all is reported anew.
func (a *Agent) join(ctx context.Context, o opened) error {
	if o.err != nil {
		return fmt.Errorf("join the cluster: %w", o.err)
	}
	if of := o.session.Cluster(); a.of != [16]byte{} && of != a.of {
		o.session.Close()
		return fmt.Errorf("this node belongs to cluster %s and was asked to join %s; if nothing of the former runs here, remove %s",
			hex.EncodeToString(a.of[:]), hex.EncodeToString(of[:]), filepath.Join(a.config.Data, LeaseFile))
	}
	a.session, a.serial, a.of, a.node = o.session, a.serial+1, o.session.Cluster(), o.session.Node()
	of := a.of
	a.member.Store(&of)
	a.outbox.reset()
	a.fence = a.fenceAlive()
	a.snapshot = nil // the leader is told what is so from now on
	if a.serial == 1 {
		go a.store.Watch(ctx, a.of, func(p Proof, err error) {
			a.config.Log.Info().Bool("proven", p.Proven).Err(err).Msg("the store was tried")
			a.poke()
		})
	}
	a.config.Log.Info().Uint32("node", uint32(a.node)).Msg("joined")
	a.look()
	return nil
}

// leave ends a session and looks for the next one. Orders are followed on until the lease ends.
func (a *Agent) leave(ctx context.Context, platform Platform) {
	a.config.Log.Warn().Msg("the link to the leader is down")
	a.session.Close()
	a.session = nil
	go a.connect(ctx, platform)
}

// take follows new orders, unless they are a former leader's.
func (a *Agent) take(o cluster.Orders) {
	if o.Cluster != a.of || o.Node != a.node || !reconcile.Supersedes(o, a.last) {
		a.config.Log.Warn().Uint64("generation", o.Generation).Uint64("epoch", o.Epoch).Uint64("revision", o.Revision).
			Uint64("taken", a.last.Revision).Msg("orders refused: they are not for this node or older than those taken")
		return
	}
	a.last = o
	if a.grant == 0 {
		a.grants++
		a.grant = a.grants
	}
	a.look() // meanwhile the lease gets to the disk; nothing is done before both
	a.writeLease()
}

// renew notes the new end of the lease. What was ordered before there was one has waited for it.
func (a *Agent) renew(until time.Duration) {
	a.expire() // if the loop comes to it only now
	if BootTime() >= a.until {
		defer a.look()
	}
	a.until = max(a.until, until)
	a.leaseEnd.Store(int64(a.until))
	a.writeLease()
}

// tick does what time alone asks for.
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

// expire forgets a lease that has run out, and the orders under it: what ran here may have been started elsewhere. Those of
// the next session may come before its lease does, and wait for it.
func (a *Agent) expire() {
	if a.until == 0 || BootTime() < a.until {
		return
	}
	a.config.Log.Warn().Msg("the lease has run out; nothing is done without new orders")
	a.grant, a.until, a.snapshot = 0, 0, nil
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
