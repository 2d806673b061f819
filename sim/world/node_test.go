package world

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/fence"
	"aliquot/wire"
	"aliquot/wire/join"
)

// rhythm is that of a node on a machine of its own, but for looks at files, which cost the test most.
var rhythm = monitor.Rhythm{Tick: 250 * time.Millisecond, List: 5 * time.Second, Sample: 5 * time.Second,
	Read: 500 * time.Millisecond}

// node is a machine with a hypervisor, a monitor and a fence.
type node struct {
	world          *world
	name           string
	offer          cluster.Offer
	admission      uint64 // that its certificate names
	drift          int64  // of its clock, in millionths
	monitor, fence process
	power          turn

	mu     sync.Mutex
	host   *host
	boots  int
	booted time.Time
	off    bool
	halted stopper // its monitor
	stuck  stopper // its disk
	hung   stopper // its mount of the store
}

// stopper makes callers wait while something stands still.
type stopper struct {
	mu   sync.Mutex
	gone chan struct{} // closed when it goes on; nil: it does not stand still
	from time.Time
}

// stop stops the callers until the result is called.
func (s *stopper) stop() (resume func()) {
	gone := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone, s.from = gone, time.Now()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.gone == gone {
			s.gone = nil
		}
		close(gone)
	}
}

// anew counts from now on, because another one stands still.
func (s *stopper) anew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = time.Now()
}

// lasts returns how long it has stood still.
func (s *stopper) lasts() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone == nil {
		return 0
	}
	return time.Since(s.from)
}

// wait waits while it stands still.
func (s *stopper) wait(ctx context.Context) {
	s.mu.Lock()
	gone := s.gone
	s.mu.Unlock()
	if gone == nil {
		return
	}
	select {
	case <-gone:
	case <-ctx.Done():
	}
}

// turn lets one goroutine after the other do something that takes virtual time. One that waits for a sync.Mutex would
// keep that time from passing.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for its turn. The result ends it.
func (t turn) take() func() {
	t <- struct{}{}
	return func() { <-t }
}

// process is a program that is started again a second after it ended by itself.
type process struct {
	mu     sync.Mutex
	cancel context.CancelFunc
	ended  chan struct{}
}

func (p *process) start(parent context.Context, run func(context.Context) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(parent)
	p.cancel, p.ended = cancel, make(chan struct{})
	go func() {
		defer close(p.ended)
		for run(ctx); rest(ctx, time.Second); run(ctx) {
		}
	}()
}

func (p *process) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.cancel()
		<-p.ended
		p.cancel = nil
	}
}

func (n *node) folder() string { return filepath.Join(n.world.dir, n.name) }

// store is where the node has the cluster's store mounted.
func (n *node) store() string { return filepath.Join(n.folder(), "store.mount") }

// mount mounts a folder as the node's store.
func (n *node) mount(folder string) {
	_ = os.Remove(n.store())
	n.world.must(os.Symlink(folder, n.store()))
}

// boot names the machine's present boot.
func (n *node) boot() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return fmt.Sprintf("%s-%d", n.name, n.boots)
}

// boottime is the time since the machine booted, by its own oscillator.
func (n *node) boottime() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	d := time.Since(n.booted)
	return time.Second + d + time.Duration(n.drift*int64(d)/1e6)
}

// powerUp boots the machine and starts its programs.
func (n *node) powerUp() {
	n.mu.Lock()
	n.off = false
	n.boots++
	n.booted = time.Now()
	n.host = n.world.newHost(n)
	n.mu.Unlock()
	n.startFence()
	rest(n.world.ctx, n.world.chance.between("monitor of "+n.name, 40*time.Millisecond, 60*time.Millisecond))
	n.startMonitor()
}

// crash ends the monitor's process, and returns what starts it again.
func (n *node) crash() func() {
	defer n.power.take()()
	n.monitor.stop()
	return func() {
		defer n.power.take()()
		n.startMonitor()
	}
}

// fail turns the machine's power off, and returns what turns it on again.
func (n *node) fail() func() {
	defer n.power.take()()
	if n.isOff() {
		return nil
	}
	n.powerDown()
	return func() {
		defer n.power.take()()
		n.powerUp()
	}
}

// powerDown ends everything at once. Files that were not flushed may be torn.
func (n *node) powerDown() {
	n.mu.Lock()
	n.off = true
	n.mu.Unlock()
	n.monitor.stop()
	n.fence.stop()
	n.machine().lose()
	c := n.world.chance
	for _, file := range []string{monitor.FenceFile, monitor.FenceFile + ".next", monitor.LeaseFile + ".next"} {
		path := filepath.Join(n.folder(), file)
		if text, err := os.ReadFile(path); err == nil && c.percent("torn "+n.name, 50) {
			n.world.must(os.WriteFile(path, text[:c.below("torn at "+n.name, len(text)+1)], 0o644))
		}
	}
}

func (n *node) isOff() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.off
}

func (n *node) machine() *host {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.host
}

func (n *node) startFence() {
	h := n.machine()
	if n.isOff() {
		return
	}
	n.fence.start(n.world.ctx, func(ctx context.Context) error {
		f, err := fence.New(fence.Config{Data: n.folder(), Boot: n.boot(), After: fenceAfter, Log: n.world.log,
			Boottime: n.boottime, BeforeWrite: func() { n.stuck.wait(ctx) }}, gentle{h}, firm{h})
		n.world.must(err)
		return f.Run(ctx)
	})
}

func (n *node) startMonitor() {
	h := n.machine()
	if n.isOff() {
		return
	}
	n.halted.anew()
	n.monitor.start(n.world.ctx, func(ctx context.Context) error {
		client, err := n.client()
		n.world.must(err)
		agent, err := monitor.New(monitor.Config{
			Name: n.name, Boot: n.boot(), CPU: n.offer.CPU, Memory: n.offer.Memory, Store: n.store(),
			Images: filepath.Join(n.folder(), "images"), Data: n.folder(), Rhythm: rhythm, Log: n.world.log,
			Boottime:    func() time.Duration { n.halted.wait(ctx); return n.boottime() },
			Free:        func(string) (cluster.Bytes, error) { n.hung.wait(ctx); return n.world.room(), nil },
			BeforeWrite: func() { n.stuck.wait(ctx) },
		}, h, uplink{client}, client)
		if err == nil {
			err = agent.Run(ctx)
		}
		if !errors.Is(err, context.Canceled) {
			n.world.note("%s: its monitor ended: %v", n.name, err)
		}
		return err
	})
}

func (n *node) client() (*wire.Client, error) {
	var managers []string
	for _, m := range n.world.managers {
		managers = append(managers, m.name)
	}
	return wire.NewClient(wire.Options{
		Managers: managers, Credentials: certificateFile(n.name), Images: filepath.Join(n.folder(), "images"),
		Shared:   filepath.Join(n.store(), "images"),
		Boottime: n.boottime, Log: n.world.log,
		Jitter: func(most time.Duration) time.Duration { return n.world.chance.between("pause "+n.name, 0, most-1) },
		Open:   n.world.open(n.name, &x509.Certificate{Subject: n.identity().Subject()}),
	})
}

func (n *node) identity() join.Identity { return join.Identity{Node: n.name, Admission: n.admission} }

// uplink is the client as a monitor needs it.
type uplink struct{ *wire.Client }

func (u uplink) Connect(ctx context.Context, describe func() cluster.Join) (monitor.Session, error) {
	s, err := u.Client.Connect(ctx, describe)
	if err != nil {
		return nil, err
	}
	return s, nil
}
